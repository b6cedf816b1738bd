"""One pass: ``assemble(A, Append)``. A first pass only bounds the number of coordinates from above, which is far
cheaper where a workspace sums them; each segment then notes where it ended, and the segments close up behind the loops.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from heddle.index_width import WIDE
from heddle.iteration_graph.analysis.assembly import Appended, Group
from heddle.iteration_graph.analysis.iterated import lattice_at, minimum_loops
from heddle.iteration_graph.graph.gpu_units import uses_gpu
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments, leaves, level_variables
from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Block,
    Declare,
    Expr,
    For,
    Scan,
    Stmt,
    Store,
    Var,
)
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.loop_context import Appending
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.output import RowMaking
from heddle.lowering.results.result_memory import ResultMemory, thread_loops
from heddle.lowering.results.two_phase_output import TwoPhaseOutput
from heddle.origin import Origin


def is_single_pass(graph: IterationGraph, appended: Appended) -> bool:
    """Whether ``assemble(A, Append)`` is wanted and can be done: one group of appended levels, and loops that visit the
    rows above it in order, so that what every worker appends is a stretch of the result."""
    if len(appended.groups) != 1 or not _is_wanted(graph, appended):
        return False
    path = next(path for path, assign in assignments(graph.statement) if assign.target == appended.target)
    names = level_variables(graph, appended.target)[: appended.groups[0].last]
    wanted = [leaf for name in names for leaf in leaves(graph, name)]
    if len(set(wanted)) < len(wanted) or [loop for loop in path if loop in wanted] != wanted:
        return False
    threads = thread_loops(graph, appended.target)
    return not threads or threads == [path[0]]


def _is_wanted(graph: IterationGraph, appended: Appended) -> bool:
    """Where a command says so; and, while no command has changed the loops, where the coordinates are those of a merge,
    which to count would cost as much as to compute them, while the lengths of the operands bound their number."""
    if graph.assemble is not None:
        return graph.assemble.strategy == "Append"
    last = level_variables(graph, appended.target)[appended.groups[0].last - 1]
    if uses_gpu(graph):
        return False
    return last in minimum_loops(graph) or (not graph.commands and len(lattice_at(graph, last)) > 1)


@dataclass(slots=True)
class SinglePassOutput(TwoPhaseOutput):
    """Segments are what each worker appends. ``ends`` holds for each group of levels (by its first) where the
    coordinates of each segment end, where the counts of rows do not say it."""

    ends: dict[int, Array] = field(default_factory=dict)

    @property
    def in_order(self) -> bool:
        return True

    @property
    def segments_are_rows(self) -> bool:
        return False

    def row_making(self, kind: KernelKind) -> RowMaking:
        return RowMaking.BOUNDED if kind is KernelKind.ASSEMBLE else RowMaking.IN_RESULT

    def memory(self, kernel: KernelContext, outer: LoopEnvironment) -> ResultMemory:
        return SinglePassMemory(
            kernel, self.appended, outer, self.segment_loop(kernel.graph), self.starts, ends=self.ends
        )

    def close_segment(self, environment: LoopEnvironment, segment: Expr, counters: dict[int, Var]) -> None:
        TwoPhaseOutput.close_segment(self, environment, segment, counters)
        if environment.context.counting:
            return
        for group in self.appended.groups:
            if group.first in self.ends:
                environment.emit(Store(self.ends[group.first], segment, counters[group.first], self.origin(group)))

    def uncounted_rows(self, environment: LoopEnvironment, appending: Appending) -> Group | None:
        """The rows above the only group are counted."""
        (group,) = self.appended.groups
        known = group.first > 1 and (self.appended.target, group.first - 1) in environment.positions
        counting = environment.context.counting
        return group if known and not counting and group.first not in appending.counted_rows else None


@dataclass(slots=True)
class SinglePassMemory(ResultMemory):
    """Memory for as many coordinates as there may be, and what closes it up."""

    ends: dict[int, Array] = field(kw_only=True)

    def prepare(self) -> None:
        ResultMemory.prepare(self)
        if not self._ends_are_read():
            return
        (group,) = self.appended.groups
        name = self.kernel.names.fresh(f"{self.kernel.result}{group.first}_end")
        ends = Array(name, WIDE, ArrayRole.POS, self.kernel.result, group.first)
        size = build.add(self.segments, build.index(1))
        self.outer.emit(Allocate(ends, size, self.origin(level=group.first), zero=True))
        self.ends[group.first] = ends

    def segments_without_threads(self) -> Expr:
        return build.index(1)

    def counts_apart(self, group: Group) -> bool:
        return True

    def counts_rows(self, group: Group) -> bool:
        return True

    def first_parents(self) -> Expr | None:
        return self.rows()

    def finish(self) -> None:
        """Moves what the segments appended together, then says how much it is."""
        (group,) = self.appended.groups
        kernel, origin = self.kernel, self.origin(level=group.first)
        starts, unit = self.starts[group.first], build.index(1)
        total: Expr = build.index(0)
        if self._ends_are_read():
            total = build.load(self.ends[group.first], build.index(0))
        if build.constant(self.segments) != 1:
            ends = self.ends[group.first]
            end = Var(kernel.names.fresh(f"{kernel.result}{group.first}_length"))
            self.outer.emit(Declare(end.name, INDEX, total, origin, mutable=True))
            total = end
            with kernel.names.scope():
                segment = Var(kernel.names.fresh("segment"))
                start = build.load(starts, segment)
                count = Var(kernel.names.fresh("count"))
                # A segment behind a guard that failed has no end.
                length = build.maximum(build.sub(build.load(ends, segment), start), build.index(0))
                body: list[Stmt] = [Declare(count.name, INDEX, length, origin)]
                for level in range(group.first, group.last + 1):
                    crd = kernel.storages[kernel.result, level].crd
                    assert crd is not None
                    body.append(self._move(crd, end, start, count, self.origin(level=level)))
                width = self.below(unit, group)
                first, last = build.mul(end, width), build.mul(start, width)
                values = kernel.values[kernel.result]
                body.append(self._move(values, first, last, build.mul(count, width), origin))
                body.append(Assign(end.name, count, origin, reduce="+"))
                self.outer.emit(For(segment.name, unit, self.segments, Block(tuple(body)), origin))
        pos, rows = self.pos(group.first), self.rows()
        if rows is None:
            self.outer.emit(Store(pos, unit, total, origin))
        else:
            self.outer.emit(Scan(pos, build.add(rows, unit), origin))

    def _ends_are_read(self) -> bool:
        """One segment below dense rows is complete with the counts of its rows."""
        return build.constant(self.segments) != 1 or self.rows() is None

    def _move(self, array: Array, target: Expr, source: Expr, count: Expr, origin: Origin) -> Stmt:
        """Elements move towards the front, so that going forward loses none."""
        with self.kernel.names.scope():
            step = Var(self.kernel.names.fresh("p"))
            moved = Store(array, build.add(target, step), build.load(array, build.add(source, step)), origin)
            return For(step.name, build.index(0), count, Block((moved,)), origin)
