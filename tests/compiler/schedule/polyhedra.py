"""Loops and accesses of a graph as sets and relations of integers, for the library isl: what the schedule does with
every pair of iterations, for all sizes at once. Shares no code with the compiler's own analysis of dependences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.relations.fuse import FuseRelation
from heddle.iteration_graph.relations.split import SplitRelation
from heddle.notation.nodes import (
    Access,
    Binary,
    Call,
    Expression,
    IndexValue,
    Literal,
    SizeValue,
    Unary,
    accesses,
    operands_of,
)

isl: Any = pytest.importorskip("islpy", reason="the tests' requirements have it")

OPERATORS = {"+": "+", "-": "-", "*": "*"}


class NotAffineError(Exception):
    """What isl has no words for."""


@dataclass(frozen=True)
class Instance:
    """An assignment with its place: ``time`` has numbers of statements and names of loops in turn, outermost first."""

    assign: Assign
    time: tuple[str, ...]

    @property
    def loops(self) -> tuple[str, ...]:
        return self.time[1::2]


def instances(graph: IterationGraph, statement: Statement, time: tuple[str, ...] = ()) -> Iterator[Instance]:
    """All assignments in the order in which they run. A fused loop is those that it was made of, one in the other."""
    for number, part in enumerate(_parts(statement)):
        match part:
            case Forall(variable=variable, body=body):
                outer, *inner = _fused_of(graph, variable)
                more = (word for loop in inner for word in ("0", loop))
                yield from instances(graph, body, (*time, str(number), outer, *more))
            case Assign():
                yield Instance(part, (*time, str(number)))
            case _:
                raise TypeError(f"unexpected statement {part!r}")


def _fused_of(graph: IterationGraph, variable: str) -> tuple[str, ...]:
    relation = graph.above.get(variable)
    if not isinstance(relation, FuseRelation):
        return (variable,)
    return (*_fused_of(graph, relation.outer), *_fused_of(graph, relation.inner))


def _parts(statement: Statement) -> list[Statement]:
    match statement:
        case Where(consumer=consumer, producer=producer):
            return [*_parts(producer), *_parts(consumer)]
        case Series(statements=statements, cases=()):
            return [one for part in statements for one in _parts(part)]
        case Series():
            raise NotAffineError("statements in turn")
        case _:
            return [statement]


@dataclass(frozen=True)
class Pair:
    """What ``writer`` computes and ``reader`` reads as ``read``."""

    writer: Instance
    reader: Instance
    read: Access

    @property
    def text(self) -> str:
        return f"{self.writer.assign.target.tensor} -> {self.reader.assign.target.tensor}"


class Model:
    """A graph for isl. ``sizes`` gives numbers to sizes that products would make more than affine."""

    def __init__(self, graph: IterationGraph, sizes: Mapping[str, int] | None = None) -> None:
        program = graph.signature.program
        assert program is not None
        self.graph, self.program = graph, program
        self.numbers = {**(sizes or {}), **program.fixed}
        self.instances = list(instances(graph, graph.statement))
        self.parallel = {part for loop in graph.parallel for part in _fused_of(graph, loop)}
        self.depth = max(len(one.time) for one in self.instances)
        self.names = {name: f"s{number}" for number, name in enumerate(program.sizes) if name not in self.numbers}
        self.parameters = ", ".join(self.names.values())
        self.known = " and ".join(f"{name} >= 1" for name in self.names.values()) or "true"

    # -- formulas

    def formula(self, expression: Expression, prefix: str) -> str:
        match expression:
            case Literal(value=value) if isinstance(value, int):
                return f"{value}" if value >= 0 else f"({value})"
            case IndexValue(variable=variable):
                return self.value(variable, prefix)
            case SizeValue(name=name):
                return str(self.numbers[name]) if name in self.numbers else self.names[name]
            case Call(function="int64", arguments=(inner,)):
                return self.formula(inner, prefix)
            case Call(function=("min" | "max") as function, arguments=arguments):
                return f"{function}({', '.join(self.formula(one, prefix) for one in arguments)})"
            case Unary(operator="-", operand=operand):
                return f"(-{self.formula(operand, prefix)})"
            case Binary(operator="//", left=left, right=right):
                return f"floor({self.formula(left, prefix)}/{self.formula(right, prefix)})"
            case Binary(operator="%", left=left, right=right):
                return f"({self.formula(left, prefix)} mod {self.formula(right, prefix)})"
            case Binary(operator=operator, left=left, right=right) if operator in OPERATORS:
                return f"({self.formula(left, prefix)} {operator} {self.formula(right, prefix)})"
            case _:
                raise NotAffineError(repr(expression))

    def value(self, variable: str, prefix: str) -> str:
        """An index variable by the loops that it was cut into."""
        relation = self.graph.below.get(variable)
        match relation:
            case None:
                return f"{prefix}{variable}"
            case FuseRelation(fused=fused) if self._is_whole(fused):
                return f"{prefix}{variable}"
            case SplitRelation(outer=outer, inner=inner, size=size):
                return f"({size}*{self.value(outer, prefix)} + {self.value(inner, prefix)})"
            case _:
                raise NotAffineError(relation.kind)

    def _is_whole(self, fused: str) -> bool:
        """Whether a fused loop runs as it is, or was fused again."""
        relation = self.graph.below.get(fused)
        return relation is None or (isinstance(relation, FuseRelation) and self._is_whole(relation.fused))

    def subscript(self, index: str, prefix: str) -> str | None:
        """A coordinate; None where no isl expression says it: then it may be any. One inside of a tile stands for that
        of the whole tensor."""
        while index in self.graph.above:
            (index,) = self.graph.above[index].parents
        if index not in self.program.computed:
            return self.value(index, prefix)
        formula = self.program.computed[index]
        if accesses(formula) or any(isinstance(one, Access) for one in operands_of(formula)):
            return None
        try:
            text = self.formula(formula, prefix)
            isl.Set(f"[{self.parameters}] -> {{ [{', '.join(self._names(formula, prefix))}] : {text} = 0 }}")
        except (NotAffineError, isl.Error):
            return None
        return text

    def _names(self, formula: Expression, prefix: str) -> list[str]:
        found: dict[str, None] = {}

        def loops(variable: str) -> None:
            relation = self.graph.below.get(variable)
            if relation is None or isinstance(relation, FuseRelation):
                found[f"{prefix}{variable}"] = None
                return
            for child in relation.children:
                loops(child)

        def visit(one: Expression) -> None:
            if isinstance(one, IndexValue):
                loops(one.variable)
            for part in operands_of(one):
                visit(part)

        visit(formula)
        return list(found)

    # -- sets and relations

    def domain(self, one: Instance, prefix: str) -> str:
        """The constraints of the loops around an assignment."""
        inside = {*one.loops}
        held: set[str] = set()
        words = ["true"]
        for root in self.graph.underived:
            leaves = self._leaves(root)
            if not leaves <= inside:
                continue
            held |= leaves
            value = self.value(root, prefix)
            words.append(f"0 <= {value} < {self.formula(self._extent(root), prefix)}")
        for relation in self.graph.relations:
            if isinstance(relation, SplitRelation) and self._leaves(relation.parent) <= inside:
                words.append(f"0 <= {self.value(relation.inner, prefix)} < {relation.size}")
        assert held == inside, f"nothing bounds {inside - held}"
        return " and ".join(words)

    def _extent(self, root: str) -> Expression:
        """How far a variable runs; a copy for a workspace as far as what it stands for."""
        while root not in self.program.extents:
            root = self.graph.copies[root]
        return self.program.extents[root]

    def _leaves(self, variable: str) -> set[str]:
        relation = self.graph.below.get(variable)
        if relation is None or isinstance(relation, FuseRelation):
            return {variable}
        return {leaf for child in relation.children for leaf in self._leaves(child)}

    def times(self, one: Instance, prefix: str) -> str:
        padded = (*one.time, *["0"] * (self.depth - len(one.time)))
        return ", ".join(word if word.isdigit() else f"{prefix}{word}" for word in padded)

    def relation(self, one: Instance, other: Instance, conditions: Sequence[str]) -> Any:
        """From when ``one`` runs to when ``other`` does, for all iterations under the conditions: variables of the
        first begin with ``a_``, of the second with ``b_``."""
        names = [*(f"a_{name}" for name in one.loops), *(f"b_{name}" for name in other.loops)]
        exists = f"exists {', '.join(names)} : " if names else ""
        moments = [[f"{letter}{place}" for place in range(self.depth)] for letter in ("x", "y")]
        told = [
            f"{moment} = {word.strip()}"
            for moments_of, which, prefix in zip(moments, (one, other), ("a_", "b_"), strict=True)
            for moment, word in zip(moments_of, self.times(which, prefix).split(","), strict=True)
        ]
        where = " and ".join(
            [self.known, self.domain(one, "a_"), self.domain(other, "b_"), *told, *(f"({c})" for c in conditions)]
        )
        text = f"[{self.parameters}] -> {{ [{', '.join(moments[0])}] -> [{', '.join(moments[1])}] : {exists}{where} }}"
        return isl.Map(text)

    def later(self) -> Any:
        """All pairs of which the second moment is later."""
        return self._lexicographic("lex_lt")

    def not_later(self) -> Any:
        return self._lexicographic("lex_ge")

    def _lexicographic(self, name: str) -> Any:
        empty = isl.Map(f"[{self.parameters}] -> {{ [{self._moment('x')}] -> [{self._moment('y')}] : false }}")
        return getattr(isl.Map, name)(empty.get_space().domain())

    def _moment(self, letter: str) -> str:
        return ", ".join(f"{letter}{place}" for place in range(self.depth))

    # -- what is asked

    def pairs(self) -> Iterator[Pair]:
        """All dependences between the statements of the program."""
        for writer in self.instances:
            if writer.assign.target.tensor not in self.graph.signature.temporaries:
                continue
            for reader in self.instances:
                for read in dict.fromkeys(_reads(self.graph, reader.assign)):
                    if read.tensor == writer.assign.target.tensor:
                        yield Pair(writer, reader, read)

    def same_element(self, pair: Pair) -> list[str]:
        found: list[str] = []
        for written, taken in zip(pair.writer.assign.target.indices, pair.read.indices, strict=True):
            left, right = self.subscript(written, "a_"), self.subscript(taken, "b_")
            if left is not None and right is not None:
                found.append(f"{left} = {right}")
        return found

    def broken(self) -> list[str]:
        """What the schedule of the graph does wrong, in words; nothing where every element is read after it was
        computed, before its memory gets another, and by whoever computed it where loops run at once."""
        said: list[str] = []
        for pair in self.pairs():
            flow = self.relation(pair.writer, pair.reader, self.same_element(pair))
            if not flow.intersect(self.not_later()).is_empty():
                said.append(f"{pair.text}: read before it is computed")
            for loop in pair.writer.loops:
                if loop in self.parallel and loop in pair.reader.loops and self._carried(flow, pair, loop):
                    said.append(f"{pair.text}: {loop} runs at once")
            if self._overwritten(pair, flow):
                said.append(f"{pair.text}: its memory gets another element before it is read")
        return said

    def _carried(self, flow: Any, pair: Pair, loop: str) -> bool:
        place = pair.writer.time.index(loop)
        if pair.reader.time[: place + 1] != pair.writer.time[: place + 1]:
            return False
        before = " and ".join([f"x{at} = y{at}" for at in range(place)] or ["true"])
        differs = f"{before} and (x{place} < y{place} or x{place} > y{place})"
        one = isl.Map(f"[{self.parameters}] -> {{ [{self._moment('x')}] -> [{self._moment('y')}] : {differs} }}")
        return not flow.intersect(one).is_empty()

    def _overwritten(self, pair: Pair, flow: Any) -> bool:
        """Whether something else is written to where an element lies, between its writing and its reading."""
        target = pair.writer.assign.target
        kept = self.graph.workspaces[target.tensor].dimensions
        places = range(len(target.indices)) if kept is None else kept
        whole = [(self.subscript(index, "a_"), self.subscript(index, "b_")) for index in target.indices]
        other = " or ".join(f"{one} < {two} or {one} > {two}" for one, two in whole)
        for again in self.instances:
            if again.assign.target.tensor != target.tensor or not whole:
                continue
            names = [target.indices[d] for d in places]
            same = [f"{self.value(name, 'a_')} = {self.value(name, 'b_')}" for name in names]
            overwrites = self.relation(pair.writer, again, [*same, other]).intersect(self.later())
            # Then the reader still waits for what was there.
            if not overwrites.apply_range(self.later()).intersect(flow).is_empty():
                return True
        return False

    def distances(self, pair: Pair, first: str, second: str) -> Any:
        """By how much the loop ``second`` of the reader is ahead of the loop ``first`` of the writer: a set."""
        names = [*(f"a_{name}" for name in pair.writer.loops), *(f"b_{name}" for name in pair.reader.loops)]
        where = " and ".join(
            [self.known, self.domain(pair.writer, "a_"), self.domain(pair.reader, "b_"), *self.same_element(pair)]
        )
        return isl.Set(
            f"[{self.parameters}] -> {{ [d] : exists {', '.join(names)} : d = b_{second} - a_{first} and {where} }}"
        )


def _reads(graph: IterationGraph, assign: Assign) -> list[Access]:
    """What an assignment reads, and what its coordinates are computed of."""
    program = graph.signature.program
    assert program is not None
    waiting, found = list(accesses(assign.expression)), list[Access]()
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += [
            more for index in one.indices if index in program.computed for more in accesses(program.computed[index])
        ]
    return found
