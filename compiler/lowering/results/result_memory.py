"""The memory of an assembled result: counts, prefix sums, arrays.

Inserted, a result gets exactly what a first pass counted. Appended in one pass, the first pass only bounds the number
of coordinates from above, which is far cheaper where a workspace sums them; each segment then notes where it ended,
and the segments close up behind the loops.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler import index_width
from compiler.index_width import WIDE
from compiler.iteration_graph.algebra.constants import background
from compiler.iteration_graph.analysis.assembly import Appended, Group
from compiler.iteration_graph.graph.nodes import IterationGraph
from compiler.iteration_graph.graph.provenance import assignments, leaves, level_variables
from compiler.iteration_graph.graph.rewrite import find_loop
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
    INDEX,
    INDEX_OVERFLOW,
    Allocate,
    AllocateResult,
    Array,
    ArrayRole,
    Assign,
    Block,
    Declare,
    Expr,
    Fill,
    For,
    LoopKind,
    Require,
    Scan,
    Stmt,
    Store,
    Var,
)
from compiler.lowering.environment.compute import typed_constant
from compiler.lowering.environment.kernel import Kernel
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.nest.operand_iterators import walk_of
from compiler.origin import Origin, Role


def in_one_pass(graph: IterationGraph, plan: Appended) -> bool:
    """Whether ``assemble(A, Append)`` can be done: one group of appended levels, and loops that visit the rows above it
    in order, so that what every worker appends is a stretch of the result."""
    if graph.assemble is None or graph.assemble.strategy != "Append" or len(plan.groups) != 1:
        return False
    path = next(path for path, assign in assignments(graph.statement) if assign.target == plan.target)
    names = level_variables(graph, plan.target)[: plan.groups[0].last]
    wanted = [leaf for name in names for leaf in leaves(graph, name)]
    if len(set(wanted)) < len(wanted) or [loop for loop in path if loop in wanted] != wanted:
        return False
    threads = _threads(graph, path)
    return not threads or threads == [path[0]]


def _threads(graph: IterationGraph, path: tuple[str, ...]) -> list[str]:
    tags = graph.parallel
    return [loop for loop in path if loop in tags and tags[loop].unit is LoopKind.CPU_THREAD]


def segment_loop(kernel: Kernel) -> str | None:
    """The loop over threads that cuts the outermost level into segments, if there is one."""
    assert isinstance(kernel.assembly, Appended)
    if kernel.assembly.groups[0].first > 1 and not kernel.one_pass:
        return None
    target = kernel.assembly.target
    path = next(path for path, assign in assignments(kernel.graph.statement) if assign.target == target)
    threads = _threads(kernel.graph, path)
    return threads[0] if threads else None


def below(kernel: Kernel, plan: Appended, total: Expr, group: Group) -> Expr:
    """The number of positions of the last dense level below ``total`` positions of a group (``total`` itself when there
    is no such level)."""
    level, levels = group.last + 1, len(plan.target.indices)
    following = {g.first for g in plan.groups}
    while level <= levels and level not in following:
        total = build.mul(total, kernel.storages[kernel.result, level].size)
        level += 1
    return total


@dataclass(slots=True)
class ResultMemory:
    """``starts`` of a group: how many of its coordinates lie in front of each segment."""

    kernel: Kernel
    plan: Appended
    outer: LoopEnvironment
    segments: Expr = field(default_factory=lambda: build.index(1))
    totals: dict[int, Expr] = field(default_factory=dict)

    def origin(self, role: Role = Role.ASSEMBLY, level: int = 0) -> Origin:
        tag = self.kernel.graph.assemble
        return Origin(role, None, self.kernel.result, level or None, tag.command if tag is not None else None)

    def prepare(self) -> None:
        """Memory for the counts of every segment, all zero."""
        loop, first = segment_loop(self.kernel), self.plan.groups[0]
        if loop is not None:
            self.segments = self._iterations(loop)
        elif not self.kernel.one_pass:
            for level in range(1, first.first):
                self.segments = build.mul(self.segments, self._size(level))
        size = build.add(self.segments, build.index(1))
        for group in self.plan.groups:
            origin = self.origin(level=group.first)
            array = self._pos(group.first)
            # A count that may exceed the positions' own width is kept apart until it is known to fit.
            if group is not first or loop is not None or 1 == group.first < group.last or self.kernel.one_pass:
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
            self.kernel.starts[group.first] = array
            if self.kernel.one_pass and self._ends_are_read():
                name = self.kernel.names.fresh(f"{self.kernel.result}{group.first}_end")
                ends = Array(name, WIDE, ArrayRole.POS, self.kernel.result, group.first)
                self.outer.emit(Allocate(ends, size, origin, zero=True))
                self.kernel.ends[group.first] = ends

    def _iterations(self, loop: str) -> Expr:
        """How often the loop over threads runs."""
        inner = LoopEnvironment(self.kernel)
        walk = walk_of(inner, loop, find_loop(self.kernel.graph.statement, loop).body)
        domain = walk if walk is not None else inner.domain(loop)
        self.outer.items += inner.items
        name = self.kernel.names.fresh(f"{loop}_count")
        trips = build.maximum(build.sub(domain.upper, domain.lower), build.index(0))
        return self.outer.declare(name, trips, self.origin())

    def between(self) -> None:
        """Counts -> starts, and memory for all that is stored."""
        size = build.add(self.segments, build.index(1))
        for group in self.plan.groups:
            self.outer.emit(Scan(self.kernel.starts[group.first], size, self.origin(level=group.first)))
        parents = self._rows() if self.kernel.one_pass else None
        for group in self.plan.groups:
            origin = self.origin(level=group.first)
            starts = self.kernel.starts[group.first]
            name = self.kernel.names.fresh(f"{self.kernel.result}{group.first}_entries")
            total = self.outer.declare(name, build.load(starts, self.segments), origin)
            self.totals[group.first] = total
            if starts is not self._pos(group.first):
                self._require_narrow(total, origin)
            pos = self._pos(group.first)
            if starts is not pos:
                self._allocate_pos(pos, parents, total, group)
            for level in range(group.first, group.last + 1):
                crd = self.kernel.storages[self.kernel.result, level].crd
                assert crd is not None
                self.outer.emit(AllocateResult(crd, total, self.origin(level=level)))
            parents = self._below(total, group)
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
        origin, zero, one = self.origin(level=group.first), build.index(0), build.index(1)
        if parents is None:
            self.outer.emit(AllocateResult(pos, build.index(2), origin))
            self.outer.emit(Store(pos, zero, zero, origin))
            self.outer.emit(Store(pos, one, total, origin))
            return
        size = build.add(parents, one)
        self.outer.emit(AllocateResult(pos, size, origin))
        if self._counted(group) or self.kernel.one_pass:
            self.outer.emit(Fill(pos, size, zero, origin))
        else:
            self.outer.emit(Store(pos, zero, zero, origin))

    def finish(self) -> None:
        """Segments that lie below appended dense rows were counted: their prefix sum is their ``pos``."""
        if self.kernel.one_pass:
            self._close_up(self.plan.groups[0])
            return
        parents: Expr | None = None
        for group in self.plan.groups:
            if parents is not None and self._counted(group):
                size = build.add(parents, build.index(1))
                self.outer.emit(Scan(self._pos(group.first), size, self.origin(level=group.first)))
            parents = self._below(self.totals[group.first], group)

    def _rows(self) -> Expr | None:
        """The number of dense rows above the first group; None where it is the outermost level."""
        first, rows = self.plan.groups[0].first, build.index(1)
        if first == 1:
            return None
        sizes: Expr = rows
        for level in range(1, first):
            sizes = build.mul(sizes, self._size(level))
        return sizes

    def _ends_are_read(self) -> bool:
        """One segment below dense rows is complete with the counts of its rows."""
        return build.constant(self.segments) != 1 or self._rows() is None

    def _close_up(self, group: Group) -> None:
        """Moves what the segments appended together, then says how much it is."""
        kernel, origin = self.kernel, self.origin(level=group.first)
        starts, one = kernel.starts[group.first], build.index(1)
        total: Expr = build.index(0)
        if self._ends_are_read():
            total = build.load(kernel.ends[group.first], build.index(0))
        if build.constant(self.segments) != 1:
            ends = kernel.ends[group.first]
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
                    body.append(self._moved(crd, end, start, count, self.origin(level=level)))
                width = self._below(one, group)
                first, last = build.mul(end, width), build.mul(start, width)
                values = kernel.values[kernel.result]
                body.append(self._moved(values, first, last, build.mul(count, width), origin))
                body.append(Assign(end.name, count, origin, reduce="+"))
                self.outer.emit(For(segment.name, one, self.segments, Block(tuple(body)), origin))
        pos, rows = self._pos(group.first), self._rows()
        if rows is None:
            self.outer.emit(Store(pos, one, total, origin))
        else:
            self.outer.emit(Scan(pos, build.add(rows, one), origin))

    def _moved(self, array: Array, target: Expr, source: Expr, count: Expr, origin: Origin) -> Stmt:
        """Elements move towards the front, so that going forward loses none."""
        with self.kernel.names.scope():
            step = Var(self.kernel.names.fresh("p"))
            moved = Store(array, build.add(target, step), build.load(array, build.add(source, step)), origin)
            return For(step.name, build.index(0), count, Block((moved,)), origin)

    def take_given(self) -> None:
        """The coordinates are there: ``pos`` of every group says where its segments start, and how many there are."""
        parents: Expr = build.index(1)
        for level in range(1, self.plan.groups[0].first):
            parents = build.mul(parents, self._size(level))
        for group in self.plan.groups:
            self.kernel.starts[group.first] = pos = self._pos(group.first)
            self.totals[group.first] = build.load(pos, parents)
            parents = self._below(self.totals[group.first], group)

    def zeros(self) -> Fill:
        """What the result holds where nothing is computed, in all of its values."""
        result = self.kernel.graph.signature.result
        start = typed_constant(background(self.plan.target).value, result.dtype)
        return Fill(self.kernel.values[result.name], self.size_of_values(), start, self.origin(Role.INIT))

    def size_of_values(self) -> Expr:
        last = self.plan.groups[-1]
        return self._below(self.totals[last.first], last)

    def _below(self, total: Expr, group: Group) -> Expr:
        return below(self.kernel, self.plan, total, group)

    def _counted(self, group: Group) -> bool:
        return group.first > 1 and all(group.first - 1 != other.last for other in self.plan.groups)

    def _size(self, level: int) -> Expr:
        return self.kernel.storages[self.kernel.result, level].size

    def _pos(self, level: int) -> Array:
        pos = self.kernel.storages[self.kernel.result, level].pos
        assert pos is not None
        return pos
