"""Results whose positions are known: dense ones, and those with the coordinates of an operand."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.algebra.constants import background
from heddle.iteration_graph.analysis.assembly import Shared
from heddle.iteration_graph.graph.provenance import assignments
from heddle.loop_ir.nodes import Fill, SharedPattern, Stmt
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.loop_context import LoopContext
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.output import Output
from heddle.lowering.environment.positions import positions
from heddle.lowering.environment.values.compute import typed_constant
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class DenseOutput(Output):
    """Every element has its position: one pass over the loops, which stores into arrays that are there."""

    def lower(self, kernel: KernelContext, lower: LowerStatement) -> list[Stmt]:
        # What accumulates adds to every value that is there: no store is the first to its place.
        accumulates = kernel.graph.signature.accumulates
        environment = LoopEnvironment(kernel, LoopContext(writes_every_element_once=not accumulates))
        lower(environment, kernel.graph.statement)
        body = list(environment.builder.block().statements)
        if kernel.result in kernel.partly_written and not accumulates:
            body.insert(0, self._zeros(kernel))
        return body

    def _zeros(self, kernel: KernelContext) -> Fill:
        """What the result holds where nothing is computed, in all of its values."""
        result, levels = kernel.graph.signature.result, []
        for level in range(1, len(result.format.levels) + 1):
            owner = self.owner(level)
            levels.append(kernel.storages[owner.tensor if owner is not None else result.name, level])
        written = next(a for _, a in assignments(kernel.graph.statement) if a.target.tensor == result.name)
        start = typed_constant(background(written.target).value, result.dtype)
        return Fill(kernel.values[result.name], positions(levels), start, Origin(Role.INIT, tensor=result.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedOutput(DenseOutput):
    """The result stores exactly what an operand stores, at the same positions."""

    shared: Shared

    @property
    def pattern(self) -> SharedPattern | None:
        return SharedPattern(self.shared.access.tensor, self.shared.levels)

    def owner(self, level: int) -> Access | None:
        return self.shared.access if level <= self.shared.levels else None
