"""The memory of a result with appended coordinates: counts, prefix sums, arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

from heddle import index_width
from heddle.index_width import WIDE
from heddle.iteration_graph.algebra.constants import background
from heddle.iteration_graph.analysis.assembly import Appended, Group
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments
from heddle.iteration_graph.graph.rewrite import find_loop
from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX_OVERFLOW,
    Allocate,
    AllocateResult,
    Array,
    ArrayRole,
    Expr,
    Fill,
    LoopKind,
    Require,
    Scan,
    Store,
)
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.values.compute import typed_constant
from heddle.lowering.nest.operand_iterators import driving_positions
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


def thread_loops(graph: IterationGraph, target: Access) -> list[str]:
    """The loops over threads around the assignment to ``target``, outermost first."""
    tags = graph.parallel
    path = next(path for path, assign in assignments(graph.statement) if assign.target == target)
    return [loop for loop in path if loop in tags and tags[loop].unit is LoopKind.CPU_THREAD]


def positions_below(kernel: KernelContext, appended: Appended, total: Expr, group: Group) -> Expr:
    """The number of positions of the last dense level below ``total`` positions of a group (``total`` itself when there
    is no such level)."""
    level, levels = group.last + 1, len(appended.target.indices)
    following = {g.first for g in appended.groups}
    while level <= levels and level not in following:
        total = build.mul(total, kernel.storages[kernel.result, level].size)
        level += 1
    return total


@dataclass(slots=True)
class ResultMemory:
    """What is emitted into ``outer``, around the loops, for the arrays of the result. ``segment_loop`` is the loop over
    threads whose iterations are segments; without one, each dense row above the appended levels is a segment.
    ``starts`` of a group: how many of its coordinates lie in front of each segment."""

    kernel: KernelContext
    appended: Appended
    outer: LoopEnvironment
    segment_loop: str | None
    starts: dict[int, Array]
    segments: Expr = field(default_factory=lambda: build.index(1))
    totals: dict[int, Expr] = field(default_factory=dict)

    def origin(self, role: Role = Role.ASSEMBLY, level: int = 0) -> Origin:
        tag = self.kernel.graph.assemble
        return Origin(role, None, self.kernel.result, level or None, tag.command if tag is not None else None)

    def prepare(self) -> None:
        """Memory for the counts of every segment, all zero."""
        loop = self.segment_loop
        self.segments = self._iterations(loop) if loop is not None else self.segments_without_threads()
        size = build.add(self.segments, build.index(1))
        for group in self.appended.groups:
            origin = self.origin(level=group.first)
            array = self.pos(group.first)
            if self.counts_apart(group):
                array = Array(
                    self.kernel.names.fresh(f"{self.kernel.result}{group.first}_start"),
                    WIDE,
                    ArrayRole.POS,
                    self.kernel.result,
                    group.first,
                )
                self.outer.emit(Allocate(array, size, origin, zero=True))
            else:
                self.outer.emit(AllocateResult(array, size, origin))
                self.outer.emit(Fill(array, size, build.index(0), origin))
            self.starts[group.first] = array

    def segments_without_threads(self) -> Expr:
        """How many segments there are without a loop over threads: one for each dense row above the first group."""
        rows = self.rows()
        return rows if rows is not None else build.index(1)

    def counts_apart(self, group: Group) -> bool:
        """Whether counts need an array of their own: because they are not those of rows, or may exceed the width of
        positions until they are known to fit."""
        return group is not self.appended.groups[0] or self.segment_loop is not None or 1 == group.first < group.last

    def counts_rows(self, group: Group) -> bool:
        """Whether the coordinates of each dense row are counted while the result is filled."""
        return group.first > 1 and all(group.first - 1 != other.last for other in self.appended.groups)

    def first_parents(self) -> Expr | None:
        """How many parents the first group has, where ``pos`` has a place for each of them."""
        return None

    def _iterations(self, loop: str) -> Expr:
        """How often the loop over threads runs."""
        inner = LoopEnvironment(self.kernel)
        positions = driving_positions(inner, loop, find_loop(self.kernel.graph.statement, loop).body)
        domain = positions if positions is not None else inner.domain(loop)
        self.outer.builder.extend(inner.builder.items)
        name = self.kernel.names.fresh(f"{loop}_count")
        trips = build.maximum(build.sub(domain.upper, domain.lower), build.index(0))
        return self.outer.declare(name, trips, self.origin())

    def between(self) -> None:
        """Counts -> starts, and memory for all that is stored."""
        size = build.add(self.segments, build.index(1))
        for group in self.appended.groups:
            self.outer.emit(Scan(self.starts[group.first], size, self.origin(level=group.first)))
        parents = self.first_parents()
        for group in self.appended.groups:
            origin = self.origin(level=group.first)
            starts = self.starts[group.first]
            name = self.kernel.names.fresh(f"{self.kernel.result}{group.first}_entries")
            total = self.outer.declare(name, build.load(starts, self.segments), origin)
            self.totals[group.first] = total
            if starts is not self.pos(group.first):
                self._require_narrow(total, origin)
            pos = self.pos(group.first)
            if starts is not pos:
                self._allocate_pos(pos, parents, total, group)
            for level in range(group.first, group.last + 1):
                crd = self.kernel.storages[self.kernel.result, level].crd
                assert crd is not None
                self.outer.emit(AllocateResult(crd, total, self.origin(level=level)))
            parents = self.below(total, group)
        self.outer.emit(
            AllocateResult(self.kernel.values[self.kernel.result], self.size_of_values(), self.origin(Role.INIT))
        )

    def _require_narrow(self, total: Expr, origin: Origin) -> None:
        """Positions that do not fit end the kernel, before anything that counts them is stored."""
        if self.kernel.result not in self.kernel.wide:
            fits = build.compare("<=", total, build.index(index_width.LARGEST_NARROW))
            text = f"{self.kernel.result} has more entries than its positions can count"
            self.outer.emit(Require(fits, INDEX_OVERFLOW, text, origin))

    def _allocate_pos(self, pos: Array, parents: Expr | None, total: Expr, group: Group) -> None:
        origin, zero, unit = self.origin(level=group.first), build.index(0), build.index(1)
        if parents is None:
            self.outer.emit(AllocateResult(pos, build.index(2), origin))
            self.outer.emit(Store(pos, zero, zero, origin))
            self.outer.emit(Store(pos, unit, total, origin))
            return
        size = build.add(parents, unit)
        self.outer.emit(AllocateResult(pos, size, origin))
        if self.counts_rows(group):
            self.outer.emit(Fill(pos, size, zero, origin))
        else:
            self.outer.emit(Store(pos, zero, zero, origin))

    def finish(self) -> None:
        """Segments that lie below appended dense rows were counted: their prefix sum is their ``pos``."""
        parents: Expr | None = None
        for group in self.appended.groups:
            if parents is not None and self.counts_rows(group):
                size = build.add(parents, build.index(1))
                self.outer.emit(Scan(self.pos(group.first), size, self.origin(level=group.first)))
            parents = self.below(self.totals[group.first], group)

    def rows(self) -> Expr | None:
        """The number of dense rows above the first group; None where it is the outermost level."""
        first = self.appended.groups[0].first
        if first == 1:
            return None
        rows: Expr = build.index(1)
        for level in range(1, first):
            rows = build.mul(rows, self.kernel.storages[self.kernel.result, level].size)
        return rows

    def zeros(self) -> Fill:
        """What the result holds where nothing is computed, in all of its values."""
        result = self.kernel.graph.signature.result
        start = typed_constant(background(self.appended.target).value, result.dtype)
        return Fill(self.kernel.values[result.name], self.size_of_values(), start, self.origin(Role.INIT))

    def size_of_values(self) -> Expr:
        last = self.appended.groups[-1]
        return self.below(self.totals[last.first], last)

    def below(self, total: Expr, group: Group) -> Expr:
        return positions_below(self.kernel, self.appended, total, group)

    def pos(self, level: int) -> Array:
        """Where the positions of ``level`` begin, for each parent."""
        pos = self.kernel.storages[self.kernel.result, level].pos
        assert pos is not None
        return pos


@dataclass(slots=True)
class ComputeOnlyMemory(ResultMemory):
    """The arrays of a result whose coordinates are given."""

    def prepare(self) -> None:
        """``pos`` of every group says where its segments start, and how many coordinates there are."""
        parents = self.segments_without_threads()
        for group in self.appended.groups:
            self.starts[group.first] = pos = self.pos(group.first)
            self.totals[group.first] = build.load(pos, parents)
            parents = self.below(self.totals[group.first], group)
