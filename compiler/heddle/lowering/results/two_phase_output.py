"""Count and fill: the loops run twice. The first pass counts the coordinates of each segment, a prefix sum turns the
counts into starts, the second pass fills arrays that are exactly as long as they must be."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir.nodes import Stmt
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.output import RowMaking
from heddle.lowering.results.appended_output import AppendedOutput
from heddle.lowering.results.result_memory import ResultMemory


@dataclass(slots=True)
class TwoPhaseOutput(AppendedOutput):
    """The first pass counts what the second one fills."""

    @property
    def allocates(self) -> bool:
        return True

    @property
    def counts(self) -> bool:
        return True

    def row_making(self, kind: KernelKind) -> RowMaking:
        return RowMaking.LISTED if kind is KernelKind.ASSEMBLE else RowMaking.IN_RESULT

    def memory(self, kernel: KernelContext, outer: LoopEnvironment) -> ResultMemory:
        """What the loops fill, to be emitted into ``outer``."""
        return ResultMemory(kernel, self.appended, outer, self.segment_loop(kernel.graph), self.starts)

    def lower(self, kernel: KernelContext, lower: LowerStatement) -> list[Stmt]:
        outer = LoopEnvironment(kernel)
        memory = self.memory(kernel, outer)
        memory.prepare()
        outer.emit(self.pass_over_loops(kernel, lower, KernelKind.ASSEMBLE))
        memory.between()
        fill = self.pass_over_loops(kernel, lower, KernelKind.EVALUATE)
        if kernel.result in kernel.partly_written:
            outer.emit(memory.zeros())
        outer.emit(fill)
        memory.finish()
        return list(outer.builder.block().statements)
