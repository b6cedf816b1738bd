"""Assembling a sparse result (docs/sources.md T34).

The loops run twice. The first pass counts the coordinates of each segment, a prefix sum turns the counts into starts,
the second pass fills. A segment is what one iteration around it owns alone: the coordinates under one dense row, or
those of one iteration of a parallel loop over the outermost level. So both passes run in parallel. How the memory of
the result comes about, also in one pass, is in ``result_memory.py``.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.iteration_graph.analysis.assembly import Appended, Group
from compiler.iteration_graph.graph.nodes import Statement
from compiler.iteration_graph.graph.provenance import assignments, level_variables
from compiler.iteration_graph.graph.refusal import Refusal
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
    BOOL,
    INDEX,
    Assign,
    Block,
    Declare,
    If,
    LoopKind,
    Stmt,
    Store,
    Var,
)
from compiler.lowering.environment.block import block
from compiler.lowering.environment.kernel import Kernel
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.loop_state import Guard
from compiler.lowering.results.result_memory import ResultMemory, below, in_one_pass, segment_loop
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role

Lower = Callable[[LoopEnvironment, Statement], None]


def lower_assembled(kernel: Kernel, plan: Appended, lower: Lower) -> list[Stmt]:
    """The whole body: count, prefix sums, memory for the result, fill."""
    outer = LoopEnvironment(kernel)
    kernel.one_pass = in_one_pass(kernel.graph, plan)
    assembly = ResultMemory(kernel, plan, outer)
    assembly.prepare()
    count = _pass(kernel, True, lower)
    outer.items += [count]
    assembly.between()
    fill = _pass(kernel, False, lower)
    if kernel.needs_zero:
        outer.emit(assembly.zeros())
    outer.emit(fill)
    assembly.finish()
    return [*kernel.allocations, *kernel.preparation, *block(outer.items).statements]


def lower_values(kernel: Kernel, plan: Appended, lower: Lower) -> list[Stmt]:
    """The pass that fills alone, for a result whose coordinates are given: each segment starts where its ``pos`` says.

    Raises:
        Refusal: ``runtime/stationary`` where ``pos`` does not say where the segments of threads start.
    """
    outer = LoopEnvironment(kernel)
    loop = segment_loop(kernel)
    if loop is not None:
        raise Refusal(
            "runtime/stationary",
            f"the loop {loop} over threads appends to the outermost level of {kernel.result}, whose arrays do not say "
            f"what each thread appended. Store {kernel.result} with dense rows, or run {loop} on one thread.",
            expected="a loop that one thread runs, or dense rows",
            found=loop,
        )
    assembly = ResultMemory(kernel, plan, outer)
    assembly.take_given()
    fill = _pass(kernel, False, lower)
    if kernel.needs_zero:
        outer.emit(assembly.zeros())
    outer.emit(fill)
    return [*kernel.allocations, *kernel.preparation, *block(outer.items).statements]


def _pass(kernel: Kernel, counting: bool, lower: Lower) -> Block:
    scope = LoopEnvironment(kernel, counting=counting)
    with kernel.names.scope():
        lower(scope, kernel.graph.statement)
    return block(scope.items)


# ----------------------------------------------------------------------------------------------- inside the loops


def opens(scope: LoopEnvironment, statement: Statement) -> bool:
    """Whether this place owns a segment: its row is known and no loop over threads is left to enter."""
    plan = scope.kernel.assembly
    if not isinstance(plan, Appended) or scope.counters is not None:
        return False
    path = next((path for path, assign in assignments(statement) if assign.target == plan.target), None)
    if path is None:
        return False
    first = plan.groups[0].first
    if first > 1 and not scope.kernel.one_pass:
        return (plan.target, first - 1) in scope.positions
    tags = scope.kernel.graph.parallel
    return not any(loop in tags and tags[loop].unit is LoopKind.CPU_THREAD for loop in path)


def lower_segment(scope: LoopEnvironment, statement: Statement, lower: Lower) -> None:
    """Counters that start where the segment does; after counting, how far they came."""
    kernel, plan = scope.kernel, scope.kernel.assembly
    assert isinstance(plan, Appended)
    if plan.groups[0].first > 1 and not kernel.one_pass:
        key = scope.position(plan.target, plan.groups[0].first - 1)
    else:
        key = scope.iteration if segment_loop(kernel) is not None and scope.iteration is not None else build.index(0)
    counters: dict[int, Var] = {}
    for group in plan.groups:
        name = kernel.names.fresh(f"{_position_name(scope, plan.target, group.last)}")
        start = build.index(0) if scope.counting else build.load(kernel.starts[group.first], key)
        if kernel.given:
            key = below(kernel, plan, start, group)
        origin = Origin(Role.ASSEMBLY, None, kernel.result, group.first)
        scope.emit(Declare(name, INDEX, start, origin, mutable=True))
        counters[group.first] = Var(name)
    scope.counters = counters
    lower(scope, statement)
    scope.counters = None
    if scope.counting:
        for group in plan.groups:
            origin = Origin(Role.ASSEMBLY, None, kernel.result, group.first)
            after = build.add(key, build.index(1))
            starts = kernel.starts[group.first]
            scope.emit(Store(starts, after, counters[group.first], origin))
    for group in plan.groups:
        if not scope.counting and group.first in kernel.ends:
            origin = Origin(Role.ASSEMBLY, None, kernel.result, group.first)
            scope.emit(Store(kernel.ends[group.first], key, counters[group.first], origin))


def _position_name(scope: LoopEnvironment, target: Access, level: int) -> str:
    return f"{level_variables(scope.kernel.graph, target)[level - 1]}{target.tensor}"


def pending_group(scope: LoopEnvironment, plan: Appended) -> Group | None:
    """The next group of levels, when all its coordinates are known here."""
    names = level_variables(scope.kernel.graph, plan.target)
    for group in plan.groups:
        if (plan.target, group.last) in scope.positions:
            continue
        above = group.first == 1 or (plan.target, group.first - 1) in scope.positions
        known = all(names[level - 1] in scope.known for level in range(group.first, group.last + 1))
        return group if above and known else None
    return None


def lower_appended(scope: LoopEnvironment, statement: Statement, group: Group, lower: Lower) -> None:
    """Go on below the position that the coordinates get, then append them if anything was computed there."""
    kernel, plan = scope.kernel, scope.kernel.assembly
    assert isinstance(plan, Appended)
    assert scope.counters is not None
    counter = scope.counters[group.first]
    origin = Origin(Role.ASSEMBLY, None, kernel.result, group.first)
    for level in range(group.first, group.last + 1):
        scope.set_position(plan.target, level, counter)
    number = plan.groups.index(group)
    child = plan.groups[number + 1] if number + 1 < len(plan.groups) else None
    append = _append(scope, plan, group, child, counter)
    inner = scope.inside()
    if child is not None:
        begin = kernel.names.fresh(f"{scope.counters[child.first].name}_begin")
        scope.emit(Declare(begin, INDEX, scope.counters[child.first], origin))
        lower(inner, statement)
        scope.items += inner.items
        grown = build.compare("<", Var(begin), scope.counters[child.first])
        scope.emit(If(grown, append, origin))
        return
    found = Var(kernel.names.fresh(f"{kernel.result}_found"), BOOL)
    inner.found, inner.covers = found, True
    lower(inner, statement)
    marks = [item for item in inner.items if isinstance(item, Assign) and item.name == found.name]
    if marks:  # a value is computed in any case
        scope.items += [item if isinstance(item, Guard) else _unmarked(item, found) for item in inner.items]
        scope.items += append.statements
        return
    scope.emit(Declare(found.name, BOOL, build.FALSE, origin, mutable=True))
    scope.items += inner.items
    scope.emit(If(found, append, origin))


def _unmarked(statement: Stmt, found: Var) -> Stmt:
    """Without the assignments that note that a value was found."""
    return Block(()) if isinstance(statement, Assign) and statement.name == found.name else statement


def _append(scope: LoopEnvironment, plan: Appended, group: Group, child: Group | None, counter: Var) -> Block:
    """Store the coordinates at the counter, end the child's segment there, and step."""
    kernel = scope.kernel
    statements: list[Stmt] = []
    names = level_variables(kernel.graph, plan.target)
    if not scope.counting and not kernel.given:
        for level in range(group.first, group.last + 1):
            storage = kernel.storages[plan.target.tensor, level]
            assert storage.crd is not None
            origin = Origin(Role.ASSEMBLY, names[level - 1], plan.target.tensor, level)
            coordinate = scope.known[names[level - 1]]
            statements.append(Store(storage.crd, counter, coordinate, origin, path=(counter.name,)))
        if child is not None and child.first == group.last + 1:
            assert scope.counters is not None
            pos = kernel.storages[plan.target.tensor, child.first].pos
            assert pos is not None
            origin = Origin(Role.ASSEMBLY, None, plan.target.tensor, child.first)
            after = build.add(counter, build.index(1))
            statements.append(Store(pos, after, scope.counters[child.first], origin))
    origin = Origin(Role.ASSEMBLY, None, plan.target.tensor, group.first)
    statements.append(Assign(counter.name, build.index(1), origin, reduce="+"))
    return Block(tuple(statements))


def lower_counted_rows(scope: LoopEnvironment, statement: Statement, group: Group, lower: Lower) -> None:
    """A segment below an appended dense row: note how many coordinates it gets."""
    kernel, plan = scope.kernel, scope.kernel.assembly
    assert isinstance(plan, Appended)
    assert scope.counters is not None
    counter = scope.counters[group.first]
    origin = Origin(Role.ASSEMBLY, None, kernel.result, group.first)
    begin = kernel.names.fresh(f"{counter.name}_begin")
    scope.emit(Declare(begin, INDEX, counter, origin))
    scope.counted_rows = scope.counted_rows | {group.first}
    lower(scope, statement)
    pos = kernel.storages[plan.target.tensor, group.first].pos
    assert pos is not None
    row = build.add(scope.position(plan.target, group.first - 1), build.index(1))
    # A row without an entry may lie below a coordinate that is not appended at all: there is no place for its count.
    count = Block((Store(pos, row, build.sub(counter, Var(begin)), origin),))
    scope.emit(If(build.compare("<", Var(begin), counter), count, origin))


def counted_rows(scope: LoopEnvironment) -> Group | None:
    """The next group, when its dense row below an appended coordinate is known here and not yet counted. In one pass
    the rows above the first group are counted, too."""
    plan = scope.kernel.assembly
    if not isinstance(plan, Appended) or scope.counters is None:
        return None
    if scope.counting or scope.kernel.given:
        return None
    first = plan.groups[0]
    above = scope.kernel.one_pass and (plan.target, first.first - 1) in scope.positions
    if first.first > 1 and above and first.first not in scope.counted_rows:
        return first
    for before, group in zip(plan.groups, plan.groups[1:], strict=False):
        dense = before.last + 1 < group.first
        if dense and group.first not in scope.counted_rows and (plan.target, group.first - 1) in scope.positions:
            return group
    return None
