"""Sparse results whose coordinates the loops append (docs/sources.toml T34): what happens inside the loops.

A segment is what one iteration around it has alone: the coordinates under one dense row, or those of one iteration of a
parallel loop over the outermost level. So segments are made in parallel. Where they start, ``two_phase_output.py``,
``single_pass_output.py`` and ``compute_only_output.py`` say, each in its way.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

from heddle.iteration_graph.analysis.assembly import Appended, Group
from heddle.iteration_graph.graph.nodes import IterationGraph, Statement
from heddle.iteration_graph.graph.provenance import assignments, level_variables
from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Array,
    Assign,
    Block,
    Declare,
    Expr,
    If,
    LoopKind,
    Stmt,
    Store,
    Var,
)
from heddle.lowering.environment.block_builder import Guard
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.loop_context import Appending, LoopContext
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.output import Output
from heddle.lowering.results.result_memory import thread_loops
from heddle.origin import Origin, Role


@dataclass(slots=True)
class AppendedOutput(Output):
    """What all results with appended coordinates have in common. ``starts`` holds for each group of levels (by its
    first) where the coordinates of each segment start."""

    appended: Appended = field()
    starts: dict[int, Array] = field(default_factory=dict)

    @property
    def segments_are_rows(self) -> bool:
        """Whether each row of the dense levels above the appended ones is a segment."""
        return self.appended.groups[0].first > 1

    @property
    def stores_coordinates(self) -> bool:
        return True

    def segment_loop(self, graph: IterationGraph) -> str | None:
        """The loop over threads that cuts the outermost level into segments, if there is one."""
        if self.segments_are_rows:
            return None
        return next(iter(thread_loops(graph, self.appended.target)), None)

    def pass_over_loops(self, kernel: KernelContext, lower: LowerStatement, kind: KernelKind) -> Block:
        """All loops: they count coordinates, fill what was counted, or compute values alone."""
        environment = LoopEnvironment(kernel, LoopContext(kind=kind))
        with kernel.names.scope():
            lower(environment, kernel.graph.statement)
        return environment.builder.block()

    # ------------------------------------------------------------------------------------------------ segments

    def open_segment(self, environment: LoopEnvironment, statement: Statement, lower: LowerStatement) -> bool:
        """Counters that start where the segment does; behind ``statement`` they say how far it came."""
        if environment.context.appending is not None or not self._has_segment_at(environment, statement):
            return False
        target, names = self.appended.target, environment.kernel.names
        segment = self._segment_number(environment)
        starts, counters = self.segment_starts(environment, segment), {}
        for group in self.appended.groups:
            variable = level_variables(environment.kernel.graph, target)[group.last - 1]
            counter = Var(names.fresh(f"{variable}{target.tensor}"))
            environment.emit(Declare(counter.name, INDEX, starts[group.first], self.origin(group), mutable=True))
            counters[group.first] = counter
        environment.context = replace(environment.context, appending=Appending(counters))
        lower(environment, statement)
        environment.context = replace(environment.context, appending=None)
        self.close_segment(environment, segment, counters)
        return True

    def _has_segment_at(self, environment: LoopEnvironment, statement: Statement) -> bool:
        """Whether this place owns a segment: its row is known, or no loop over threads is left to enter."""
        target, tags = self.appended.target, environment.kernel.graph.parallel
        path = next((path for path, assign in assignments(statement) if assign.target == target), None)
        if path is None:
            return False
        if self.segments_are_rows:
            return (target, self.appended.groups[0].first - 1) in environment.positions
        return not any(loop in tags and tags[loop].unit is LoopKind.CPU_THREAD for loop in path)

    def _segment_number(self, environment: LoopEnvironment) -> Expr:
        if self.segments_are_rows:
            return environment.position(self.appended.target, self.appended.groups[0].first - 1)
        cut = self.segment_loop(environment.kernel.graph) is not None
        iteration = environment.context.worker.iteration if cut and environment.context.worker is not None else None
        return iteration if iteration is not None else build.index(0)

    def segment_starts(self, environment: LoopEnvironment, segment: Expr) -> dict[int, Expr]:
        """Where the counter of each group (by its first level) starts."""
        if environment.context.counting:
            return {group.first: build.index(0) for group in self.appended.groups}
        return {group.first: build.load(self.starts[group.first], segment) for group in self.appended.groups}

    def close_segment(self, environment: LoopEnvironment, segment: Expr, counters: dict[int, Var]) -> None:
        """Note how many coordinates the segment got, where they are counted."""
        if not environment.context.counting:
            return
        for group in self.appended.groups:
            after = build.add(segment, build.index(1))
            environment.emit(Store(self.starts[group.first], after, counters[group.first], self.origin(group)))

    # --------------------------------------------------------------------------------------------- coordinates

    def append(self, environment: LoopEnvironment, statement: Statement, lower: LowerStatement) -> bool:
        tensor = self.appended.target.tensor
        assigned = any(assign.target.tensor == tensor for _, assign in assignments(statement))
        if environment.context.appending is None or not assigned:
            return False
        if (rows := self.uncounted_rows(environment, environment.context.appending)) is not None:
            self._lower_counted_row(environment, environment.context.appending, statement, rows, lower)
            return True
        if (group := self._pending_group(environment)) is not None:
            self._lower_appended(environment, environment.context.appending, statement, group, lower)
            return True
        return False

    def _pending_group(self, environment: LoopEnvironment) -> Group | None:
        """The next group of levels, when all its coordinates are known here."""
        target = self.appended.target
        names = level_variables(environment.kernel.graph, target)
        for group in self.appended.groups:
            if (target, group.last) in environment.positions:
                continue
            above = group.first == 1 or (target, group.first - 1) in environment.positions
            known = all(names[level - 1] in environment.known for level in range(group.first, group.last + 1))
            return group if above and known else None
        return None

    def _lower_appended(
        self,
        environment: LoopEnvironment,
        appending: Appending,
        statement: Statement,
        group: Group,
        lower: LowerStatement,
    ) -> None:
        """Go on below the position that the coordinates get, then append them if anything was computed there."""
        kernel, counter, groups = environment.kernel, appending.counters[group.first], self.appended.groups
        origin = self.origin(group)
        for level in range(group.first, group.last + 1):
            environment.set_position(self.appended.target, level, counter)
        number = groups.index(group)
        child = groups[number + 1] if number + 1 < len(groups) else None
        append = self._append(environment, appending, group, child)
        inner = environment.child()
        if child is not None:
            child_counter = appending.counters[child.first]
            begin = kernel.names.fresh(f"{child_counter.name}_begin")
            environment.emit(Declare(begin, INDEX, child_counter, origin))
            lower(inner, statement)
            environment.builder.extend(inner.builder.items)
            environment.emit(If(build.compare("<", Var(begin), child_counter), append, origin))
            return
        var = Var(kernel.names.fresh(f"{kernel.result}_found"), BOOL)
        present = replace(appending, presence=var)
        inner.context = replace(inner.context, appending=present, writes_every_element_once=True)
        lower(inner, statement)
        marks = [item for item in inner.builder.items if isinstance(item, Assign) and item.name == var.name]
        if marks:  # a value is computed in any case
            items = inner.builder.items
            environment.builder.extend(item if isinstance(item, Guard) else _remove_marks(item, var) for item in items)
            environment.builder.extend(append.statements)
            return
        environment.emit(Declare(var.name, BOOL, build.FALSE, origin, mutable=True))
        environment.builder.extend(inner.builder.items)
        environment.emit(If(var, append, origin))

    def _append(self, environment: LoopEnvironment, appending: Appending, group: Group, child: Group | None) -> Block:
        """Store the coordinates at the counter, end the child's segment there, and step."""
        kernel, tensor, counter = environment.kernel, self.appended.target.tensor, appending.counters[group.first]
        statements: list[Stmt] = []
        names = level_variables(kernel.graph, self.appended.target)
        if self.stores_coordinates and not environment.context.counting:
            for level in range(group.first, group.last + 1):
                crd = kernel.storages[tensor, level].crd
                assert crd is not None
                origin = Origin(Role.ASSEMBLY, names[level - 1], tensor, level)
                statements.append(
                    Store(crd, counter, environment.known[names[level - 1]], origin, path=(counter.name,))
                )
            if child is not None and child.first == group.last + 1:
                pos = kernel.storages[tensor, child.first].pos
                assert pos is not None
                after = build.add(counter, build.index(1))
                statements.append(Store(pos, after, appending.counters[child.first], self.origin(child)))
        statements.append(Assign(counter.name, build.index(1), self.origin(group), reduce="+"))
        return Block(tuple(statements))

    def uncounted_rows(self, environment: LoopEnvironment, appending: Appending) -> Group | None:
        """The next group, when its dense row below an appended coordinate is known here and not yet counted."""
        if environment.context.counting:
            return None
        groups = self.appended.groups
        for before, group in pairwise(groups):
            dense = before.last + 1 < group.first and group.first not in appending.counted_rows
            if dense and (self.appended.target, group.first - 1) in environment.positions:
                return group
        return None

    def _lower_counted_row(
        self,
        environment: LoopEnvironment,
        appending: Appending,
        statement: Statement,
        group: Group,
        lower: LowerStatement,
    ) -> None:
        """A segment below an appended dense row: note how many coordinates it gets."""
        kernel, target, counter = environment.kernel, self.appended.target, appending.counters[group.first]
        origin = self.origin(group)
        begin = kernel.names.fresh(f"{counter.name}_begin")
        environment.emit(Declare(begin, INDEX, counter, origin))
        counted = replace(appending, counted_rows=appending.counted_rows | {group.first})
        environment.context = replace(environment.context, appending=counted)
        lower(environment, statement)
        pos = kernel.storages[target.tensor, group.first].pos
        assert pos is not None
        row = build.add(environment.position(target, group.first - 1), build.index(1))
        # A row without an entry may lie below a coordinate that is not appended at all: its count has no place.
        count = Block((Store(pos, row, build.sub(counter, Var(begin)), origin),))
        environment.emit(If(build.compare("<", Var(begin), counter), count, origin))

    def origin(self, group: Group) -> Origin:
        return Origin(Role.ASSEMBLY, None, self.appended.target.tensor, group.first)


def _remove_marks(statement: Stmt, var: Var) -> Stmt:
    """Without the assignments that note that a value was found."""
    return Block(()) if isinstance(statement, Assign) and statement.name == var.name else statement
