"""The loop over one sparse operand alone, by its positions."""

from __future__ import annotations

from heddle.formats.levels.kinds import kind_of
from heddle.loop_ir import build
from heddle.loop_ir.nodes import INDEX, Assign, Declare, For, LoopKind, Merge, Reduction, Var, While
from heddle.lowering.environment.block_builder import block
from heddle.lowering.nest.operand_iterators import OperandIterator
from heddle.lowering.nest.range_loops import enter, loop_kind, loop_origin, worker_allocations
from heddle.lowering.nest.sparse_loop import SparseLoop, traced_walk
from heddle.origin import Origin, Role


def over_positions(
    sparse: SparseLoop, iterator: OperandIterator, reductions: tuple[Reduction, ...], checked: bool
) -> None:
    """``for jA in segment``: a for-loop, so that it can run in parallel. ``checked``: some of its positions may
    hold nothing."""
    graph = sparse.environment.kernel.graph
    inner = enter(sparse.environment, sparse.loop, build.sub(Var(iterator.name), iterator.segment.lower))
    inner.set_position(iterator.access, iterator.level, Var(iterator.name))
    kind = loop_kind(sparse.environment, sparse.loop)
    with sparse.environment.kernel.names.scope():
        inner.bind(sparse.variable, sparse.coordinate(inner, iterator), Role.RECOVERY)
        level, coordinate = kind_of(iterator.storage), inner.known[sparse.variable]
        for stored in level.stored_conditions(iterator.storage, Var(iterator.name), coordinate) if checked else ():
            inner.only_where(sparse.variable, stored, monotone=True)
        sparse.lower_in(inner, sparse.body)
    serial = loop_kind(sparse.environment, sparse.loop) is LoopKind.SERIAL
    unroll = graph.unroll.get(sparse.loop)
    origin = loop_origin(sparse.environment, sparse.loop)
    sparse.environment.emit(
        For(
            iterator.name,
            iterator.segment.lower,
            iterator.segment.upper,
            block(inner.builder.items, may_break=serial and unroll is None),
            Origin(origin.role, sparse.variable, iterator.access.tensor, iterator.level, origin.command),
            kind,
            unroll.factor if unroll is not None else None,
            reductions,
            private=worker_allocations(inner, kind),
            merge=Merge(
                sparse.variable,
                sparse.point(sparse.lattice[0]),
                (traced_walk(iterator, iterator.segment.upper),),
                sparse.point(sparse.lattice[0]),
            ),
        )
    )


def over_repeated_coordinates(sparse: SparseLoop, iterator: OperandIterator) -> None:
    """One iteration for all positions in a row with equal coordinates: the levels below tell them apart."""
    names, origin = sparse.environment.kernel.names, sparse.origin(Role.BOUNDS, iterator)
    sparse.environment.emit(Declare(iterator.name, INDEX, iterator.segment.lower, origin, mutable=True))
    end = sparse.environment.declare(names.fresh(f"{iterator.name}_end"), iterator.segment.upper, origin)
    inner = enter(sparse.environment, sparse.loop)
    with names.scope():
        inner.set_position(iterator.access, iterator.level, Var(iterator.name))
        inner.bind(sparse.variable, sparse.coordinate(inner, iterator), Role.RECOVERY)
        first = build.add(Var(iterator.name), build.index(1))
        following = sparse.past_equal(inner, iterator, first, end, inner.known[sparse.variable])
        branch = inner.child()
        sparse.lower_in(branch, sparse.body)
        inner.builder.extend(branch.builder.block().statements)
    inner.emit(Assign(iterator.name, following, origin))
    point = sparse.point(sparse.lattice[0])
    merge = Merge(sparse.variable, point, (traced_walk(iterator, end),), point)
    sparse.environment.emit(While(build.compare("<", Var(iterator.name), end), inner.builder.block(), origin, merge))
