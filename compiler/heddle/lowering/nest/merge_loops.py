"""Loops that merge several operands at one variable, one for each point of its lattice (docs/sources.toml T45, T46)."""

from __future__ import annotations

from dataclasses import replace

from heddle.formats.levels.level import Range
from heddle.iteration_graph.algebra.absent_operands import remove_absent
from heddle.iteration_graph.algebra.lattice import Point, below, iterators
from heddle.iteration_graph.analysis.repeated_fill import find_repeated_loops
from heddle.iteration_graph.checks.merging import GALLOP
from heddle.loop_ir import build
from heddle.loop_ir.nodes import INDEX, Assign, Block, Case, Cast, Declare, Expr, If, Merge, Stmt, Var, While
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.store import leave_out, note_absent
from heddle.lowering.nest.gallop import Runner, gallop
from heddle.lowering.nest.operand_iterators import OperandIterator
from heddle.lowering.nest.range_loops import enter
from heddle.lowering.nest.sparse_loop import SparseLoop, traced_walk
from heddle.notation.nodes import Access
from heddle.origin import Role


def over_lattice(sparse: SparseLoop, operands: dict[Access, OperandIterator], domain: Range) -> None:
    """One while-loop per lattice point, each with a case for every point below it."""
    names = sparse.environment.kernel.names
    ends: dict[Access, Expr] = {}
    for access, iterator in operands.items():
        origin = sparse.origin(Role.BOUNDS, iterator)
        sparse.environment.emit(Declare(iterator.name, INDEX, iterator.segment.lower, origin, mutable=True))
        ends[access] = sparse.environment.declare(names.fresh(f"{iterator.name}_end"), iterator.segment.upper, origin)
    counter = any(point.full for point in sparse.lattice)
    if counter:
        sparse.environment.emit(Declare(sparse.variable, INDEX, domain.lower, sparse.origin(Role.BOUNDS), mutable=True))
    for point in sparse.lattice:
        active = [operands[access] for access in sorted(point.iterators, key=str)]
        conditions = [build.compare("<", Var(iterator.name), ends[iterator.access]) for iterator in active]
        if point.full:
            conditions.append(build.compare("<", Var(sparse.variable), domain.upper))
        with names.scope():
            loop_body = _loop_body(sparse, point, active, ends)
        merge = Merge(
            sparse.variable,
            sparse.point(point),
            tuple(traced_walk(iterator, ends[iterator.access]) for iterator in active),
            _find_untested_point(sparse, point),
        )
        sparse.environment.emit(While(build.both(*conditions), loop_body, sparse.origin(Role.BOUNDS), merge))


def _loop_body(sparse: SparseLoop, point: Point, active: list[OperandIterator], ends: dict[Access, Expr]) -> Block:
    inner = enter(sparse.environment, sparse.loop)
    coordinates: dict[Access, Expr] = {}
    for iterator in active:
        inner.set_position(iterator.access, iterator.level, Var(iterator.name))
        crd = sparse.coordinate(inner, iterator)
        if len(active) == 1 and not point.full:
            coordinates[iterator.access] = crd
            continue
        name = sparse.environment.kernel.names.fresh(f"{iterator.name}_crd")
        coordinates[iterator.access] = inner.declare(name, crd, sparse.origin(Role.RECOVERY, iterator))
    if point.full:
        inner.bind(sparse.variable, Var(sparse.variable), Role.RECOVERY)
    else:
        smallest = list(coordinates.values())
        value, tag = smallest[0], sparse.environment.kernel.graph.merge.get(sparse.loop)
        gallops = tag is not None and tag.strategy == GALLOP
        for other in smallest[1:]:
            value = build.maximum(value, other) if gallops else build.minimum(value, other)
        inner.bind(sparse.variable, value, Role.RECOVERY)
        if gallops:
            return _gallop(sparse, inner, active, coordinates, ends)
    here = inner.known[sparse.variable]
    matches = {access: build.compare("==", crd, here) for access, crd in coordinates.items()}
    single = len(active) == 1 and not point.full
    following = {
        iterator.access: sparse.past_equal(inner, iterator, Var(iterator.name), ends[iterator.access], here)
        for iterator in active
        if iterator.storage.repeats
    }
    steps = {
        iterator.access: Assign(iterator.name, build.index(1), sparse.origin(Role.BOUNDS, iterator), reduce="+")
        for iterator in active
        if iterator.access not in following
    }
    decided = not single and _is_decided(sparse, point)
    _cases(sparse, inner, point, matches, single, steps if decided else {})
    for iterator in active:
        if iterator.access in following:
            inner.emit(Assign(iterator.name, following[iterator.access], sparse.origin(Role.BOUNDS, iterator)))
        elif single:
            inner.emit(steps[iterator.access])
        elif not decided:
            inner.emit(replace(steps[iterator.access], value=Cast(matches[iterator.access], INDEX)))
    if point.full:
        inner.emit(Assign(sparse.variable, build.index(1), sparse.origin(Role.BOUNDS), reduce="+"))
    return inner.builder.block()


def _gallop(
    sparse: SparseLoop,
    inner: LoopEnvironment,
    active: list[OperandIterator],
    coordinates: dict[Access, Expr],
    ends: dict[Access, Expr],
) -> Block:
    """The body where all operands meet, and jumps where they do not."""
    names, command = sparse.environment.kernel.names, sparse.environment.kernel.graph.merge[sparse.loop].command
    runners = []
    for iterator in active:
        assert iterator.storage.crd is not None
        origin = replace(sparse.origin(Role.SEARCH, iterator), command=command)
        runners.append(
            Runner(iterator.name, ends[iterator.access], iterator.storage.crd, coordinates[iterator.access], origin)
        )
    branch = inner.child()
    with names.scope():
        sparse.lower_in(branch, sparse.body)
    origin = replace(sparse.origin(Role.GUARD), command=command)
    label = Case(sparse.variable, sparse.point(sparse.lattice[0]))
    inner.emit(gallop(names, runners, branch.builder.block(), inner.known[sparse.variable], origin, label))
    return inner.builder.block()


def _is_decided(sparse: SparseLoop, point: Point) -> bool:
    """Whether each case says of every operand if it is there: every set of operands that may meet is a case. Their
    steps then stand in the cases, where a processor need not wait for the comparison to know the next position."""
    sets = {case.iterators for case in below(sparse.lattice, point)}
    return len(sets | {frozenset()}) == 1 << len(point.iterators)


def _cases(
    sparse: SparseLoop,
    inner: LoopEnvironment,
    point: Point,
    matches: dict[Access, Expr],
    single: bool,
    steps: dict[Access, Assign],
) -> None:
    """The chain of cases, largest point first; the last needs no test when it must hold. ``steps`` of the operands
    that are there end each case."""
    everything = frozenset(iterators(sparse.lattice))
    cases: list[tuple[Expr, Block, Case]] = []
    for case in below(sparse.lattice, point):
        met = sorted(case.iterators, key=str)
        certain = single or sparse.point(case) == _find_untested_point(sparse, point)
        condition = build.TRUE if certain else build.both(*(matches[access] for access in met))
        rest = remove_absent(sparse.body, everything - case.iterators)
        branch = inner.child()
        for absent in point.iterators - case.iterators:
            del branch.positions[absent, sparse.level(absent)]
        with sparse.environment.kernel.names.scope():
            if rest is None:
                leave_out(branch, sparse.body)
                sparse.note_visit(branch)
            else:
                note_absent(branch, sparse.body, rest)
                if everything != case.iterators:
                    branch.note_repeats(find_repeated_loops(branch.kernel.graph, rest))
                sparse.lower_in(branch, rest)
        done = branch.builder.block().statements + tuple(steps[access] for access in met if access in steps)
        cases.append((condition, Block(done), Case(sparse.variable, sparse.point(case))))
    chain: Stmt | None = None
    for condition, case_body, label in reversed(cases):
        if condition == build.TRUE:
            chain = case_body
        else:
            chain = If(condition, case_body, sparse.origin(Role.GUARD), chain, label)
    match chain:
        case Block(statements=only):
            inner.builder.extend(only)
        case None:
            pass
        case _:
            inner.emit(chain)


def _find_untested_point(sparse: SparseLoop, point: Point) -> tuple[str, ...] | None:
    """The point below ``point`` that needs no test: none of its operands has to be at the coordinate, or all other
    cases are excluded and some operand is there."""
    if not point.full and _is_decided(sparse, point):
        return sparse.point(below(sparse.lattice, point)[-1])
    return next((sparse.point(case) for case in below(sparse.lattice, point) if not case.iterators), None)
