"""The loop over one sparse operand alone, by its positions."""

from __future__ import annotations

from compiler.formats.levels.kinds import kind_of
from compiler.loop_ir import build
from compiler.loop_ir.nodes import INDEX, Assign, Declare, For, LoopKind, Merge, Reduction, Var, While
from compiler.lowering.environment.block import block
from compiler.lowering.nest.operand_iterators import OperandWalk
from compiler.lowering.nest.range_loops import enter, loop_kind, loop_origin, worker_allocations
from compiler.lowering.nest.sparse_loop import SparseLoop, merge_walk
from compiler.origin import Origin, Role


def over_positions(sparse: SparseLoop, walk: OperandWalk, reductions: tuple[Reduction, ...], checked: bool) -> None:
    """``for jA in segment``: a for-loop, so that it can run in parallel. ``checked``: some of its positions may
    hold nothing."""
    graph = sparse.scope.kernel.graph
    inner = enter(sparse.scope, sparse.loop, build.sub(Var(walk.name), walk.segment.lower))
    inner.set_position(walk.access, walk.level, Var(walk.name))
    kind = loop_kind(sparse.scope, sparse.loop)
    with sparse.scope.kernel.names.scope():
        inner.bind(sparse.variable, sparse.coordinate(inner, walk), Role.RECOVERY)
        level, coordinate = kind_of(walk.storage), inner.known[sparse.variable]
        for stored in level.stored(walk.storage, Var(walk.name), coordinate) if checked else ():
            inner.only_where(sparse.variable, stored, monotone=True)
        inner.recover()
        sparse.lower_body(inner, sparse.body)
    serial = loop_kind(sparse.scope, sparse.loop) is LoopKind.SERIAL
    unroll = graph.unroll.get(sparse.loop)
    origin = loop_origin(sparse.scope, sparse.loop)
    sparse.scope.emit(
        For(
            walk.name,
            walk.segment.lower,
            walk.segment.upper,
            block(inner.items, may_break=serial and unroll is None),
            Origin(origin.role, sparse.variable, walk.access.tensor, walk.level, origin.command),
            kind,
            unroll.factor if unroll is not None else None,
            reductions,
            private=worker_allocations(inner, kind),
            merge=Merge(
                sparse.variable,
                sparse.point(sparse.lattice[0]),
                (merge_walk(walk, walk.segment.upper),),
                sparse.point(sparse.lattice[0]),
            ),
        )
    )


def over_repeated_coordinates(sparse: SparseLoop, walk: OperandWalk) -> None:
    """One iteration for all positions in a row with equal coordinates: the levels below tell them apart."""
    names, origin = sparse.scope.kernel.names, sparse.origin(Role.BOUNDS, walk)
    sparse.scope.emit(Declare(walk.name, INDEX, walk.segment.lower, origin, mutable=True))
    end = sparse.scope.declare(names.fresh(f"{walk.name}_end"), walk.segment.upper, origin)
    inner = enter(sparse.scope, sparse.loop)
    with names.scope():
        inner.set_position(walk.access, walk.level, Var(walk.name))
        inner.bind(sparse.variable, sparse.coordinate(inner, walk), Role.RECOVERY)
        first = build.add(Var(walk.name), build.index(1))
        following = sparse.past_equal(inner, walk, first, end, inner.known[sparse.variable])
        branch = inner.inside()
        sparse.lower_in(branch, sparse.body)
        inner.items.extend(block(branch.items).statements)
    inner.emit(Assign(walk.name, following, origin))
    point = sparse.point(sparse.lattice[0])
    merge = Merge(sparse.variable, point, (merge_walk(walk, end),), point)
    sparse.scope.emit(While(build.compare("<", Var(walk.name), end), block(inner.items), origin, merge))
