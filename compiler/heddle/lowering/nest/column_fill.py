"""Reductions into elements that inner loops tell apart: how often each is visited, and the fill of the others."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.iteration_graph.analysis.column_fill import ColumnFill, find_column_fill
from heddle.iteration_graph.analysis.repeated_fill import find_repeated_loops
from heddle.iteration_graph.graph.gpu_units import GPU_UNITS
from heddle.iteration_graph.graph.nodes import Forall
from heddle.iteration_graph.graph.provenance import assignments
from heddle.loop_ir import build
from heddle.loop_ir.nodes import INDEX, Array, ArrayRole, Const, Declare, Expr, Fill, For, If, Store, Var
from heddle.lowering.environment.allocation import allocate
from heddle.lowering.environment.loop_context import ColumnCounts, Repetition
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.store import assignments_to_memory
from heddle.lowering.environment.values.elements import extent
from heddle.lowering.nest.coordinate_recovery import recover_coordinates
from heddle.lowering.nest.range_loops import enter
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class ColumnVisits:
    """Counts the elements that the loop over ``variable`` visits, where that is the innermost one of the fill."""

    columns: ColumnCounts
    variable: str

    def note(self, environment: LoopEnvironment) -> None:
        """Emit that an element is visited here."""
        if self.variable == self.columns.fill.innermost:
            place = _place(environment, self.columns.fill)
            origin = Origin(Role.BOUNDS, self.variable, self.columns.fill.term.target.tensor)
            environment.emit(Store(self.columns.counts, place, build.index(1), origin, reduce="+"))


def lower_column_fill(environment: LoopEnvironment, statement: Forall, lower: LowerStatement) -> bool:
    """The loops of ``statement`` over what is stored, and the fill of all else behind them; False where they have to
    visit all coordinates, or do not reduce."""
    on_gpu = any(tag.unit in GPU_UNITS for _, tag in environment.context.nest.parallel)
    if environment.context.column_counts is not None or environment.context.counting or on_gpu:
        return False
    fill = find_column_fill(environment.kernel.graph, statement)
    if fill is None or environment.destination(fill.term.target.tensor) is not None:
        return False
    kernel, tensor = environment.kernel, fill.term.target.tensor
    counts = Array(kernel.names.fresh(f"{tensor}_count"), INDEX, ArrayRole.WORKSPACE, tensor)
    size: Expr = build.index(1)
    for column in fill.columns:
        size = build.mul(size, extent(environment, column))
    allocate(environment, counts, size, False)
    environment.emit(Fill(counts, size, Const(0, INDEX), Origin(Role.INIT, None, tensor)))
    kernel.partly_written.update(assign.target.tensor for assign in assignments_to_memory(environment, statement))
    inner = environment.at_same_point()
    columns = ColumnCounts(fill, counts)
    inner.context = replace(inner.context, writes_every_element_once=False, column_counts=columns)
    lower(inner, statement)
    _combine(environment, fill, counts, lower)
    return True


def _place(environment: LoopEnvironment, fill: ColumnFill) -> Expr:
    place: Expr = build.index(0)
    for column in fill.columns:
        place = build.add(build.mul(place, extent(environment, column)), environment.value(column))
    return place


def _combine(environment: LoopEnvironment, fill: ColumnFill, counts: Array, lower: LowerStatement) -> None:
    """Loops over the elements, with the fill where an element was visited less often than there are coordinates."""
    names, origin = environment.kernel.names, Origin(Role.REDUCTION, fill.reduced)
    with names.scope():
        nests = [environment]
        for column in fill.columns:
            inner = enter(nests[-1], column)
            inner.known[column] = Var(column)
            recover_coordinates(inner)
            nests.append(inner)
        innermost = nests[-1]
        innermost.restrict_writes(once=False)
        left = Var(names.fresh(f"{fill.reduced}_left"), INDEX)
        visited = build.load(counts, _place(innermost, fill))
        innermost.emit(Declare(left.name, INDEX, build.sub(environment.domain(fill.reduced).upper, visited), origin))
        factors: list[Expr] = [left, *(environment.domain(repeated).upper for repeated in fill.repeats)]
        combined = innermost.child()
        combined.note_repeats(find_repeated_loops(environment.kernel.graph, fill.statement))
        if not fill.once:
            repetition = Repetition(assignments(fill.statement)[-1][1].target.tensor, tuple(factors))
            combined.context = replace(combined.context, repetition=repetition)
        lower(combined, fill.statement)
        condition = build.both(*(build.compare(">", factor, build.index(0)) for factor in factors))
        innermost.emit(If(condition, combined.builder.block(), origin))
        for column, around, inner in reversed(list(zip(fill.columns, nests, nests[1:], strict=False))):
            bound = around.domain(column)
            around.emit(For(column, bound.lower, bound.upper, inner.builder.block(), Origin(Role.BOUNDS, column)))
