"""A merge of many operands as one loop over the smallest coordinate at which any of them stands.

Every operand keeps its cursor. An iteration takes the minimum of their coordinates, and the positions of each operand
there run from its cursor to where the next iteration finds it: none where it is not there. Levels below are then empty,
and terms that read it are left out where they are computed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.provenance import assignments
from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Assign,
    Block,
    Cast,
    Declare,
    Expr,
    If,
    Merge,
    Select,
    Var,
    While,
)
from heddle.lowering.environment.values.present_terms import find_condition, is_met_by_any
from heddle.lowering.nest.operand_iterators import OperandIterator
from heddle.lowering.nest.range_loops import enter
from heddle.lowering.nest.sparse_loop import SparseLoop, traced_walk
from heddle.notation.nodes import Access
from heddle.origin import Role


def over_minimum(sparse: SparseLoop, operands: dict[Access, OperandIterator], domain: Range) -> None:
    """The loop over the union of ``operands``, over all of ``domain`` where every coordinate counts."""
    (point,), environment = sparse.lattice, sparse.environment
    names = environment.kernel.names
    ends: dict[Access, Expr] = {}
    for access, iterator in operands.items():
        origin = sparse.origin(Role.BOUNDS, iterator)
        environment.emit(Declare(iterator.name, INDEX, iterator.segment.lower, origin, mutable=True))
        ends[access] = environment.declare(names.fresh(f"{iterator.name}_end"), iterator.segment.upper, origin)
    last = environment.declare_bound(f"{sparse.variable}_end", domain.upper, sparse.variable)
    if point.full:
        environment.emit(Declare(sparse.variable, INDEX, domain.lower, sparse.origin(Role.BOUNDS), mutable=True))
        more = build.compare("<", Var(sparse.variable), last)
    else:
        left = [build.compare("<", Var(iterator.name), ends[iterator.access]) for iterator in operands.values()]
        more = reduce(build.either, left)
    with names.scope():
        body = _body(sparse, operands, ends, last)
    walks = tuple(traced_walk(iterator, ends[iterator.access]) for iterator in operands.values())
    merge = Merge(sparse.variable, sparse.point(point), walks, sparse.point(point))
    environment.emit(While(more, body, sparse.origin(Role.BOUNDS), merge))


def _body(sparse: SparseLoop, operands: dict[Access, OperandIterator], ends: dict[Access, Expr], last: Expr) -> Block:
    (point,), names = sparse.lattice, sparse.environment.kernel.names
    inner = enter(sparse.environment, sparse.loop)
    coordinates: dict[Access, Expr] = {}
    for access, iterator in operands.items():
        inner.set_position(access, iterator.level, Var(iterator.name))
        stands = build.compare("<", Var(iterator.name), ends[access])
        value = Select(stands, sparse.coordinate(inner, iterator), last)
        name = names.fresh(f"{iterator.name}_crd")
        coordinates[access] = inner.declare(name, value, sparse.origin(Role.RECOVERY, iterator))
    if not point.full:
        first, *others = coordinates.values()
        origin = sparse.origin(Role.RECOVERY)
        inner.emit(Declare(sparse.variable, INDEX, first, origin, mutable=True))
        for other in others:
            inner.emit(Assign(sparse.variable, other, origin, reduce="min"))
    inner.bind(sparse.variable, Var(sparse.variable), Role.RECOVERY)
    here = inner.known[sparse.variable]
    present: dict[Access, Expr] = {}
    following: dict[Access, Expr] = {}
    for access, iterator in operands.items():
        origin = sparse.origin(Role.GUARD, iterator)
        flag = Var(names.fresh(f"at_{iterator.name}"), BOOL)
        inner.emit(Declare(flag.name, BOOL, build.compare("==", coordinates[access], here), origin))
        present[access] = flag
        if iterator.storage.repeats:
            following[access] = sparse.past_equal(inner, iterator, Var(iterator.name), ends[access], here)
        else:
            origin = sparse.origin(Role.BOUNDS, iterator)
            name = names.fresh(f"{iterator.name}_next")
            following[access] = inner.declare(name, build.add(Var(iterator.name), Cast(flag, INDEX)), origin)
            inner.set_position(access, iterator.level, Var(iterator.name), following[access])
    branch = inner.child()
    branch.context = replace(branch.context, present={**inner.context.present, **present})
    with names.scope():
        sparse.lower_in(branch, sparse.body)
    needed = _build_condition(sparse, present)
    if needed == build.TRUE:
        inner.builder.extend(branch.builder.block().statements)
    else:
        inner.emit(If(needed, branch.builder.block(), sparse.origin(Role.GUARD)))
    for access, iterator in operands.items():
        inner.emit(Assign(iterator.name, following[access], sparse.origin(Role.BOUNDS, iterator)))
    if point.full:
        inner.emit(Assign(sparse.variable, build.index(1), sparse.origin(Role.BOUNDS), reduce="+"))
    return inner.builder.block()


def _build_condition(sparse: SparseLoop, present: dict[Access, Expr]) -> Expr:
    """Where some term has all of its operands: what is only in a part of a product is not visited by a merge."""
    computed = [assign.expression for _, assign in assignments(sparse.body)]
    if sparse.lattice[0].full or len(computed) > 1 or is_met_by_any(computed[0], present):
        return build.TRUE
    return find_condition(computed[0], present)
