"""Copies of statements over other index variables: the coordinates that are formulas of them are formulas of their
own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import variables
from heddle.names import Names
from heddle.notation.nodes import Access, Expression, IndexValue, coordinate_variables, operands_of, with_operands
from heddle.notation.program import Program


@dataclass(slots=True)
class Copies:
    """The formulas, their conditions and the ranges of index variables, while copies of statements are made."""

    names: Names
    program: Program | None
    computed: dict[str, Expression]
    lazy: set[str]
    extents: dict[str, Expression]

    @staticmethod
    def of(graph: IterationGraph) -> Copies:
        program = graph.signature.program
        computed = {} if program is None else dict(program.computed)
        reserved = {*variables(graph), *graph.signature.tensors, *graph.workspaces, *computed}
        lazy = set[str]() if program is None else set(program.lazy)
        return Copies(Names(reserved), program, computed, lazy, {} if program is None else dict(program.extents))

    def into(self, graph: IterationGraph) -> IterationGraph:
        """``graph`` with what the copies need."""
        if self.program is None:
            return graph
        program = replace(self.program, computed=self.computed, lazy=frozenset(self.lazy), extents=self.extents)
        return replace(graph, signature=replace(graph.signature, program=program))

    def expression(
        self, expression: Expression, indices: Mapping[str, str], tensors: Mapping[str, str] | None = None
    ) -> Expression:
        """The expression at other coordinates, of which each may itself be computed, and of other tensors."""
        match expression:
            case Access(tensor=tensor):
                coordinates = tuple(self._coordinate(index, indices) for index in expression.indices)
                named = (tensors or {}).get(tensor, tensor)
                return replace(expression, tensor=named, indices=coordinates, span=None, index_spans=())
            case IndexValue(variable=variable):
                name = indices.get(variable, variable)
                return self.computed[name] if name in self.computed else IndexValue(name)
            case _:
                parts = [self.expression(part, indices, tensors) for part in operands_of(expression)]
                return with_operands(expression, parts)

    def statement(
        self, statement: Statement, indices: Mapping[str, str], tensors: Mapping[str, str] | None = None
    ) -> Statement:
        """The statement over other loops, which ``indices`` names, too."""
        match statement:
            case Forall(variable=variable, body=body):
                return Forall(indices.get(variable, variable), self.statement(body, indices, tensors))
            case Where(consumer=consumer, producer=producer):
                producer_copy = self.statement(producer, indices, tensors)
                return Where(self.statement(consumer, indices, tensors), producer_copy)
            case Series(statements=statements):
                return replace(
                    statement, statements=tuple(self.statement(statement, indices, tensors) for statement in statements)
                )
            case Assign(target=target, operator=operator, expression=expression):
                written = self.expression(target, indices, tensors)
                assert isinstance(written, Access)
                return Assign(written, operator, self.expression(expression, indices, tensors))
            case _:
                raise TypeError(f"unexpected statement {statement!r}")

    def _coordinate(self, index: str, indices: Mapping[str, str]) -> str:
        """The coordinate in the place of ``index``."""
        if index in indices:
            return indices[index]
        if self.program is None or index not in self.computed:
            return index
        now = replace(self.program, computed=self.computed)
        changed = [v for v in coordinate_variables(index, now) if indices.get(v, v) != v]
        if not changed:
            return index
        formula = self.expression(self.computed[index], indices)
        lazy = index in self.lazy or any(indices[v] in self.lazy for v in changed)
        for name, other in self.computed.items():
            if other == formula and (name in self.lazy) == lazy:
                return name
        name = self.names.fresh(index)
        self.computed[name] = formula
        if lazy:
            self.lazy.add(name)
        return name
