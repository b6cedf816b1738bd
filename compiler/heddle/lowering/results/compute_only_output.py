"""Values only: the coordinates of the result are given, and one pass over the loops fills in values in their order."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.analysis.assembly import Group
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, ArrayRole, Expr, Stmt, Var
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.loop_context import Appending
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.output import RowMaking
from heddle.lowering.results.appended_output import AppendedOutput
from heddle.lowering.results.result_memory import ComputeOnlyMemory, positions_below


@dataclass(slots=True)
class ComputeOnlyOutput(AppendedOutput):
    """Each segment starts where the arrays of the result say."""

    @property
    def stores_coordinates(self) -> bool:
        return False

    def writes(self, array: Array) -> bool:
        return array.role is ArrayRole.VALS

    def row_making(self, kind: KernelKind) -> RowMaking:
        return RowMaking.GATHERED

    def lower(self, kernel: KernelContext, lower: LowerStatement) -> list[Stmt]:
        loop = self.segment_loop(kernel.graph)
        if loop is not None:
            raise Refusal(
                "runtime/stationary",
                f"the loop {loop} over threads appends to the outermost level of {kernel.result}, whose arrays do "
                f"not record what each thread appended. Store {kernel.result} with dense rows, or run {loop} on one "
                "thread.",
                expected="a loop that one thread runs, or dense rows",
                actual=loop,
            )
        outer = LoopEnvironment(kernel)
        memory = ComputeOnlyMemory(kernel, self.appended, outer, None, self.starts)
        memory.prepare()
        fill = self.pass_over_loops(kernel, lower, KernelKind.COMPUTE)
        if kernel.result in kernel.partly_written:
            outer.emit(memory.zeros())
        outer.emit(fill)
        return list(outer.builder.block().statements)

    def segment_starts(self, environment: LoopEnvironment, segment: Expr) -> dict[int, Expr]:
        """A group's first coordinate says where the segment of the next group starts."""
        starts: dict[int, Expr] = {}
        for group in self.appended.groups:
            start = build.load(self.starts[group.first], segment)
            starts[group.first] = start
            segment = positions_below(environment.kernel, self.appended, start, group)
        return starts

    def close_segment(self, environment: LoopEnvironment, segment: Expr, counters: dict[int, Var]) -> None:
        return None

    def uncounted_rows(self, environment: LoopEnvironment, appending: Appending) -> Group | None:
        return None
