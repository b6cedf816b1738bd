"""Loops that merge several operands at one variable, one for each point of its lattice (docs/sources.md T45, T46)."""

from __future__ import annotations

from dataclasses import replace

from compiler.formats.levels.level import Range
from compiler.iteration_graph.algebra.absent_operands import without
from compiler.iteration_graph.algebra.lattice import Point, below, iterators
from compiler.iteration_graph.checks.merging import GALLOP
from compiler.loop_ir import build
from compiler.loop_ir.nodes import INDEX, Assign, Block, Case, Cast, Declare, Expr, If, Merge, Stmt, Var, While
from compiler.lowering.environment.block import block
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.store import leave_out
from compiler.lowering.nest.gallop import Runner, gallop
from compiler.lowering.nest.operand_iterators import OperandWalk
from compiler.lowering.nest.range_loops import enter
from compiler.lowering.nest.sparse_loop import SparseLoop, merge_walk
from compiler.notation.nodes import Access
from compiler.origin import Role


def over_lattice(sparse: SparseLoop, walks: dict[Access, OperandWalk], domain: Range) -> None:
    """One while-loop per lattice point, each with a case for every point below it."""
    names = sparse.scope.kernel.names
    ends: dict[Access, Expr] = {}
    for access, walk in walks.items():
        origin = sparse.origin(Role.BOUNDS, walk)
        sparse.scope.emit(Declare(walk.name, INDEX, walk.segment.lower, origin, mutable=True))
        ends[access] = sparse.scope.declare(names.fresh(f"{walk.name}_end"), walk.segment.upper, origin)
    counter = any(point.full for point in sparse.lattice)
    if counter:
        sparse.scope.emit(Declare(sparse.variable, INDEX, domain.lower, sparse.origin(Role.BOUNDS), mutable=True))
    for point in sparse.lattice:
        active = [walks[access] for access in sorted(point.iterators, key=str)]
        conditions = [build.compare("<", Var(walk.name), ends[walk.access]) for walk in active]
        if point.full:
            conditions.append(build.compare("<", Var(sparse.variable), domain.upper))
        with names.scope():
            loop_body = _loop_body(sparse, point, active, ends)
        merge = Merge(
            sparse.variable,
            sparse.point(point),
            tuple(merge_walk(walk, ends[walk.access]) for walk in active),
            _untested(sparse, point),
        )
        sparse.scope.emit(While(build.both(*conditions), loop_body, sparse.origin(Role.BOUNDS), merge))


def _loop_body(sparse: SparseLoop, point: Point, active: list[OperandWalk], ends: dict[Access, Expr]) -> Block:
    inner = enter(sparse.scope, sparse.loop)
    coordinates: dict[Access, Expr] = {}
    for walk in active:
        inner.set_position(walk.access, walk.level, Var(walk.name))
        crd = sparse.coordinate(inner, walk)
        if len(active) == 1 and not point.full:
            coordinates[walk.access] = crd
            continue
        name = sparse.scope.kernel.names.fresh(f"{walk.name}_crd")
        coordinates[walk.access] = inner.declare(name, crd, sparse.origin(Role.RECOVERY, walk))
    if point.full:
        inner.bind(sparse.variable, Var(sparse.variable), Role.RECOVERY)
    else:
        smallest = list(coordinates.values())
        value, tag = smallest[0], sparse.scope.kernel.graph.merge.get(sparse.loop)
        gallops = tag is not None and tag.strategy == GALLOP
        for other in smallest[1:]:
            value = build.maximum(value, other) if gallops else build.minimum(value, other)
        inner.bind(sparse.variable, value, Role.RECOVERY)
        if gallops:
            return _gallop(sparse, inner, active, coordinates, ends)
    here = inner.known[sparse.variable]
    matches = {access: build.compare("==", crd, here) for access, crd in coordinates.items()}
    lone = len(active) == 1 and not point.full
    following = {
        walk.access: sparse.past_equal(inner, walk, Var(walk.name), ends[walk.access], here)
        for walk in active
        if walk.storage.repeats
    }
    steps = {
        walk.access: Assign(walk.name, build.index(1), sparse.origin(Role.BOUNDS, walk), reduce="+")
        for walk in active
        if walk.access not in following
    }
    decided = not lone and _decided(sparse, point)
    _cases(sparse, inner, point, matches, lone, steps if decided else {})
    for walk in active:
        if walk.access in following:
            inner.emit(Assign(walk.name, following[walk.access], sparse.origin(Role.BOUNDS, walk)))
        elif lone:
            inner.emit(steps[walk.access])
        elif not decided:
            inner.emit(replace(steps[walk.access], value=Cast(matches[walk.access], INDEX)))
    if point.full:
        inner.emit(Assign(sparse.variable, build.index(1), sparse.origin(Role.BOUNDS), reduce="+"))
    return block(inner.items)


def _gallop(
    sparse: SparseLoop,
    inner: LoopEnvironment,
    active: list[OperandWalk],
    coordinates: dict[Access, Expr],
    ends: dict[Access, Expr],
) -> Block:
    """The body where all operands meet, and jumps where they do not."""
    names, command = sparse.scope.kernel.names, sparse.scope.kernel.graph.merge[sparse.loop].command
    runners = []
    for walk in active:
        assert walk.storage.crd is not None
        origin = replace(sparse.origin(Role.SEARCH, walk), command=command)
        runners.append(Runner(walk.name, ends[walk.access], walk.storage.crd, coordinates[walk.access], origin))
    branch = inner.inside()
    with names.scope():
        sparse.lower_in(branch, sparse.body)
    origin = replace(sparse.origin(Role.GUARD), command=command)
    label = Case(sparse.variable, sparse.point(sparse.lattice[0]))
    inner.emit(gallop(names, runners, block(branch.items), inner.known[sparse.variable], origin, label))
    return block(inner.items)


def _decided(sparse: SparseLoop, point: Point) -> bool:
    """Whether each case says of every operand if it is there: every set of operands that may meet is a case. Their
    steps then stand in the cases, where a processor need not wait for the comparison to know the next position."""
    sets = {case.iterators for case in below(sparse.lattice, point)}
    return len(sets | {frozenset()}) == 1 << len(point.iterators)


def _cases(
    sparse: SparseLoop,
    inner: LoopEnvironment,
    point: Point,
    matches: dict[Access, Expr],
    lone: bool,
    steps: dict[Access, Assign],
) -> None:
    """The chain of cases, largest point first; the last needs no test when it must hold. ``steps`` of the operands
    that are there end each case."""
    everything = frozenset(iterators(sparse.lattice))
    cases: list[tuple[Expr, Block, Case]] = []
    for case in below(sparse.lattice, point):
        met = sorted(case.iterators, key=str)
        certain = lone or sparse.point(case) == _untested(sparse, point)
        condition = build.TRUE if certain else build.both(*(matches[access] for access in met))
        rest = without(sparse.body, everything - case.iterators)
        branch = inner.inside()
        for absent in point.iterators - case.iterators:
            del branch.positions[absent, sparse.level(absent)]
        with sparse.scope.kernel.names.scope():
            if rest is None:
                leave_out(branch, sparse.body)
            else:
                sparse.lower_in(branch, rest)
        done = block(branch.items).statements + tuple(steps[access] for access in met if access in steps)
        cases.append((condition, Block(done), Case(sparse.variable, sparse.point(case))))
    chain: Stmt | None = None
    for condition, case_body, label in reversed(cases):
        if condition == build.TRUE:
            chain = case_body
        else:
            chain = If(condition, case_body, sparse.origin(Role.GUARD), chain, label)
    match chain:
        case Block(statements=only):
            inner.items.extend(only)
        case None:
            pass
        case _:
            inner.emit(chain)


def _untested(sparse: SparseLoop, point: Point) -> tuple[str, ...] | None:
    """The point below ``point`` that needs no test: none of its operands has to be at the coordinate, or all other
    cases are excluded and some operand is there."""
    if not point.full and _decided(sparse, point):
        return sparse.point(below(sparse.lattice, point)[-1])
    return next((sparse.point(case) for case in below(sparse.lattice, point) if not case.iterators), None)
