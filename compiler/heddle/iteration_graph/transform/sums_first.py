"""Sums inside an element, computed before the loops over elements: what two statements would say.

``∀i (r(i) = t + s where ∀j s += A(j,i) * x(j))`` visits rows of ``A`` for each column. With the sums first it becomes
``(∀i r(i) = t + w(i)) where (∀j ∀iw w(iw) += A(j,iw) * x(j))``, whose loops follow the storage order. A sum that does
not change in the inner loops moves out of these: ``∀d ((∀w C(d,w) = B(d,w) / sqrt(s)) where ∀k s += B(d,k))``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from heddle.diagnostics import CompileError
from heddle.formats.parser import parse_format
from heddle.iteration_graph.build.start_order import Nest, start_order
from heddle.iteration_graph.build.sum_distribution import variables_of
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import all_loops, assignments
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.sequence import computed_by
from heddle.iteration_graph.transform.precompute import precompute
from heddle.iteration_graph.transform.producer_variables import Precomputed, nest
from heddle.names import Names
from heddle.notation.nodes import Access, Assignment, accesses, index_variables
from heddle.signature import TensorSignature


@dataclass(frozen=True, slots=True)
class _InnerSum:
    """The number that ``where`` adds up inside the loops ``chain``, of which it needs ``needed``."""

    chain: tuple[str, ...]
    where: Where
    sums: tuple[str, ...]
    assign: Assign
    needed: tuple[str, ...]


def sums_apart_from_elements(graph: IterationGraph) -> Iterator[IterationGraph]:
    """Graphs with one sum before the loops over elements, then with all of them, where no tensor becomes larger than
    the result."""
    inner_sums = [inner_sum for inner_sum in _inner_sums(graph, graph.statement, ()) if _is_small(graph, inner_sum)]
    for inner_sum in inner_sums:
        hoisted = _hoisted(graph, inner_sum)
        if hoisted is not None:
            yield hoisted
    if len(inner_sums) < 2:
        return
    whole: IterationGraph | None = graph
    for inner_sum in inner_sums:
        whole = whole and _hoisted(whole, inner_sum)
    if whole is not None:
        yield whole


def with_sums_outward(graph: IterationGraph) -> IterationGraph:
    """``graph``, which no command has changed, with each sum outside the loops that it does not need, and before those
    that visit memory in another order than it would."""
    if graph.relations or graph.signature.program is not None or graph.signature.version < 2:
        return graph
    moved = graph.with_statement(_outward(graph, graph.statement, ()))
    for inner_sum in list(_inner_sums(moved, moved.statement, ())):
        hoisted = _hoisted(moved, inner_sum) if inner_sum.needed and _walks_across(moved, inner_sum) else None
        moved = moved if hoisted is None else hoisted
    return moved if moved.statement != graph.statement else graph


def _inner_sums(graph: IterationGraph, statement: Statement, chain: tuple[str, ...]) -> Iterator[_InnerSum]:
    match statement:
        case Forall(variable=variable, body=body):
            yield from _inner_sums(graph, body, (*chain, variable))
        case Where(consumer=consumer, producer=producer):
            inner_sum = _inner_sum(graph, statement, chain)
            if inner_sum is not None and chain:
                yield inner_sum
            yield from _inner_sums(graph, consumer, chain)
            yield from _inner_sums(graph, producer, chain)
        case Series(statements=statements):
            for part in statements:
                yield from _inner_sums(graph, part, chain)
        case Assign():
            return
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _inner_sum(graph: IterationGraph, where: Where, chain: tuple[str, ...]) -> _InnerSum | None:
    sums: list[str] = []
    inner = where.producer
    while isinstance(inner, Forall):
        sums.append(inner.variable)
        inner = inner.body
    if not isinstance(inner, Assign) or not sums or inner.target.indices or inner.operator == "=":
        return None
    number = graph.workspaces.get(inner.target.tensor)
    if number is None or number.name in graph.signature.temporaries:
        return None
    if any(access.tensor in graph.workspaces and not access.indices for access in accesses(inner.expression)):
        return None  # it reads a number of its own place
    used = variables_of(inner.expression)
    return _InnerSum(chain, where, tuple(sums), inner, tuple(loop for loop in chain if loop in used))


def _is_small(graph: IterationGraph, inner_sum: _InnerSum) -> bool:
    """Whether an array for all elements of the sum takes no more memory than what the statement computes."""
    target = _target(inner_sum.where.consumer)
    tensor = graph.signature.tensors.get(target.tensor) or graph.signature.temporaries.get(target.tensor)
    if tensor is None or not inner_sum.needed:
        return False
    return len(inner_sum.needed) < len(target.indices) or (
        len(inner_sum.needed) == len(target.indices) and tensor.format.is_dense
    )


def _target(statement: Statement) -> Access:
    *_, name = computed_by(statement)
    return next(assign.target for _, assign in assignments(statement) if assign.target.tensor == name)


def _hoisted(graph: IterationGraph, inner_sum: _InnerSum) -> IterationGraph | None:
    """The graph with the sum in front of all loops, its own in the order in which they walk memory; None where no order
    follows the tensors that it reads."""
    taken = {
        *all_loops(graph),
        *graph.underived,
        *graph.workspaces,
        *graph.signature.tensors,
        *graph.signature.temporaries,
    }
    names = Names(taken)
    copies = tuple(names.fresh(f"{loop}w") for loop in inner_sum.needed)
    wanted = Precomputed(inner_sum.assign.expression, inner_sum.needed, copies, names.fresh("w"))
    try:
        changed = precompute(graph, wanted)
    except Refusal:
        return None
    assign = next((a for _, a in assignments(changed.statement) if a.target.tensor == wanted.name), None)
    if assign is None:
        return None
    loops = (*assign.target.indices, *inner_sum.sums)
    order = _order(changed, assign, loops)
    if order is None:
        return None
    return changed.with_statement(_moved_out(_reordered(changed.statement, wanted.name, loops, order), wanted.name))


def _moved_out(statement: Statement, name: str) -> Statement:
    """``statement`` with what computes the tensor ``name`` outside the loops that it does not depend on."""
    match statement:
        case Forall(variable=variable, body=body):
            inner = _moved_out(body, name)
            if isinstance(inner, Where) and _target(inner.producer).tensor == name:
                read = {v for _, assign in assignments(inner.producer) for v in variables_of(assign.expression)}
                if variable not in read:
                    return Where(_moved_out(Forall(variable, inner.consumer), name), inner.producer)
            return Forall(variable, inner)
        case Where(consumer=consumer, producer=producer):
            return Where(_moved_out(consumer, name), _moved_out(producer, name))
        case Series(statements=statements):
            return replace(statement, statements=tuple(_moved_out(part, name) for part in statements))
        case Assign():
            return statement
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _order(graph: IterationGraph, assign: Assign, loops: tuple[str, ...]) -> tuple[str, ...] | None:
    target, signature = assign.target, graph.signature
    dense = TensorSignature(
        target.tensor,
        target.indices,
        parse_format("dense", len(target.indices), target.tensor),
        target.dtype or "float64",
    )
    signature = replace(signature, temporaries={**signature.temporaries, target.tensor: dense})
    read = [access for access in dict.fromkeys(accesses(assign.expression)) if access.tensor in signature.tensors]
    walked = tuple(a for a in accesses(assign.expression) if a.tensor in signature.tensors)
    if set(loops) != {*target.indices, *index_variables(Assignment(target, "=", assign.expression))}:
        return None
    try:
        return start_order(signature, target, read, [Nest(loops, walked)], list(loops), {}).loops
    except CompileError:
        return None


def _reordered(statement: Statement, name: str, loops: tuple[str, ...], order: tuple[str, ...]) -> Statement:
    """``statement`` with the nest that computes the tensor ``name`` in another order."""
    match statement:
        case Forall(variable=variable, body=body):
            chain: list[str] = []
            core: Statement = statement
            while isinstance(core, Forall):
                chain.append(core.variable)
                core = core.body
            if isinstance(core, Assign) and core.target.tensor == name and tuple(chain[-len(loops) :]) == loops:
                return nest([*chain[: -len(loops)], *order], core)
            return Forall(variable, _reordered(body, name, loops, order))
        case Where(consumer=consumer, producer=producer):
            return Where(_reordered(consumer, name, loops, order), _reordered(producer, name, loops, order))
        case Series(statements=statements):
            return replace(statement, statements=tuple(_reordered(part, name, loops, order) for part in statements))
        case Assign():
            return statement
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _walks_across(graph: IterationGraph, inner_sum: _InnerSum) -> bool:
    """Whether the sum is wanted everywhere, and walks memory in another order than the loops around it."""
    operands = {access.tensor for _, a in assignments(inner_sum.where.consumer) for access in accesses(a.expression)}
    known = [graph.signature.tensors[name] for name in operands if name in graph.signature.tensors]
    dense = _is_small(graph, inner_sum) and all(tensor.format.is_dense for tensor in known)
    if not dense or inner_sum.chain != inner_sum.needed or isinstance(inner_sum.where.consumer, Where):
        return False
    loops = (*inner_sum.needed, *inner_sum.sums)
    placed = replace(inner_sum.assign, target=replace(inner_sum.assign.target, indices=inner_sum.needed))
    order = _order(graph, placed, loops)
    return order is not None and order[-1] not in inner_sum.sums


def _outward(graph: IterationGraph, statement: Statement, chain: tuple[str, ...]) -> Statement:
    """``statement`` with sums outside the loops that they do not need."""
    match statement:
        case Forall(variable=variable, body=body):
            inner = _outward(graph, body, (*chain, variable))
            if not isinstance(inner, Where):
                return Forall(variable, inner)
            inner_sum = _inner_sum(graph, inner, (*chain, variable))
            if inner_sum is None or variable in inner_sum.needed:
                return Forall(variable, inner)
            return Where(_outward(graph, Forall(variable, inner.consumer), chain), inner.producer)
        case Where(consumer=consumer, producer=producer):
            return Where(_outward(graph, consumer, chain), _outward(graph, producer, chain))
        case Series(statements=statements):
            return replace(statement, statements=tuple(_outward(graph, part, chain) for part in statements))
        case Assign():
            return statement
        case _:
            raise TypeError(f"unexpected statement {statement!r}")
