"""A sum of many sums in several passes over the result: a processor cannot fetch many operands ahead at once.

``∀i y(i) = t + … + t8 where ∀j t += …`` becomes ``∀i y(i) += t + … + t4 where …`` and then ``∀i2 y(i2) += t5 + … + t8
where …``. No command finds the passes: they are made behind a schedule that has none, for a dense result.
"""

from __future__ import annotations

from dataclasses import replace

from heddle.iteration_graph.algebra.terms import signed_terms
from heddle.iteration_graph.build.sum_distribution import add_terms
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import all_loops
from heddle.names import Names
from heddle.notation.nodes import Access, Expression, accesses
from heddle.notation.rename import rename_variables

MOST_AT_ONCE = 5
"""Sums side by side in one pass, on average; up to one more stay together."""

_Term = tuple[bool, Expression]


def in_passes(graph: IterationGraph) -> IterationGraph:
    """``graph``, whose loops no command has changed, in passes where it sums up many sums for each element."""
    loops, core = _peel_loops(graph.statement)
    assign, producers = _numbers(graph, core)
    if not loops or assign is None or set(loops) != {*assign.target.indices} or not _divides(graph, assign):
        return graph
    batches = _batches(signed_terms(assign.expression), producers)
    if len(batches) < 2:
        return graph
    names = Names({*all_loops(graph), *graph.underived, *graph.workspaces, *graph.signature.tensors})
    passes: list[Statement] = []
    copies: dict[str, str] = {}
    for place, batch in enumerate(batches):
        renaming = {loop: names.fresh(loop) for loop in loops} if place > 0 else {}
        copies |= {copy: graph.copies.get(loop, loop) for loop, copy in renaming.items()}
        passes.append(_build_pass(assign, batch, producers, loops, renaming))
    underived = (*graph.underived, *copies)
    return replace(graph, statement=Series(tuple(passes)), copies={**graph.copies, **copies}, underived=underived)


def _peel_loops(statement: Statement) -> tuple[list[str], Statement]:
    loops: list[str] = []
    while isinstance(statement, Forall):
        loops.append(statement.variable)
        statement = statement.body
    return loops, statement


def _numbers(graph: IterationGraph, core: Statement) -> tuple[Assign | None, dict[str, Statement]]:
    """The assignment behind ``where``, and the producers of the numbers that it reads; None where they are more than
    that."""
    producers: dict[str, Statement] = {}
    while isinstance(core, Where):
        inner = _peel_loops(core.producer)[1]
        if not isinstance(inner, Assign) or inner.target.indices:
            return None, {}
        if any(access.tensor in graph.workspaces for access in accesses(inner.expression)):
            return None, {}
        producers[inner.target.tensor] = core.producer
        core = core.consumer
    return core if isinstance(core, Assign) else None, producers


def _divides(graph: IterationGraph, assign: Assign) -> bool:
    """Whether terms of the assignment may be added to the result one after the other."""
    dense = graph.signature.result.format.is_dense and assign.target.tensor == graph.signature.result.name
    plain = not graph.relations and graph.signature.program is None and graph.signature.sum is None
    return dense and plain and assign.operator in ("=", "+=") and len({*assign.target.indices}) > 0


def _batches(terms: list[_Term], producers: dict[str, Statement]) -> list[list[_Term]]:
    """The terms of each pass, about equally many numbers in each; none where a number is read by several terms."""
    reads = [[access.tensor for access in accesses(term) if access.tensor in producers] for _, term in terms]
    read = [name for names in reads for name in names]
    count = -(-len(read) // MOST_AT_ONCE)
    if len(read) <= MOST_AT_ONCE + 1 or len(set(read)) < len(read):
        return []
    batches: list[list[_Term]] = []
    seen = 0
    for term, names in zip(terms, reads, strict=True):
        if names and seen * count >= len(read) * len(batches):
            batches.append([])
        seen += len(names)
        if not batches:
            batches.append([])
        batches[-1].append(term)
    return batches


def _build_pass(
    assign: Assign, batch: list[_Term], producers: dict[str, Statement], loops: list[str], renaming: dict[str, str]
) -> Statement:
    expression = add_terms(batch)
    read = {access.tensor for access in accesses(expression)}
    target = _rename(assign.target, renaming)
    statement: Statement = Assign(target, "+=", rename_variables(expression, renaming))
    for name in reversed(producers):
        if name in read:
            statement = Where(statement, _in_other_loops(producers[name], renaming))
    for loop in reversed(loops):
        statement = Forall(renaming.get(loop, loop), statement)
    return statement


def _in_other_loops(statement: Statement, renaming: dict[str, str]) -> Statement:
    match statement:
        case Forall(variable=variable, body=body):
            return Forall(variable, _in_other_loops(body, renaming))
        case Assign(target=target, operator=operator, expression=expression):
            return Assign(target, operator, rename_variables(expression, renaming))
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _rename(access: Access, renaming: dict[str, str]) -> Access:
    return replace(access, indices=tuple(renaming.get(index, index) for index in access.indices))
