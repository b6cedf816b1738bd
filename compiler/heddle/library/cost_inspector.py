"""What a kernel of :func:`heddle.compile` is told about its calls: warnings, and an explanation on request."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

from heddle.diagnostics import Diagnostic
from heddle.library.costs.call_costs import CallCosts, call_costs, may_cost_more
from heddle.library.operand_kinds import kind_of
from heddle.library.transposed import transposed_kernel
from heddle.logs import LOGGER
from heddle.result import CompileResult
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.performance_warnings import spell_count, warn_performance
from heddle.runtime.tensors.tensor import Tensor
from heddle.tuning.search.automatic import AutomaticKernel

_REMEMBERED = 64
AnyKernel = TypeVar("AnyKernel")


class CostInspector:
    """Looks at the operands of calls of ``kernel``: once for those of the same shapes and magnitudes."""

    def __init__(self, kernel: Kernel[Any]) -> None:
        self._kernel = kernel
        self._looks = may_cost_more(kernel.result)
        self._known: dict[Hashable, tuple[Diagnostic, ...]] = {}

    def look(self, operands: Mapping[str, Tensor]) -> None:
        """Warns about a call with these operands."""
        if not self._looks:
            return
        key = tuple((tensor.shape, tensor.vals.size.bit_length()) for tensor in operands.values())
        diagnostics = self._known.get(key)
        if diagnostics is None:
            diagnostics = self._estimate(operands)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = diagnostics
        for diagnostic in diagnostics:
            warn_performance(diagnostic)

    def explain(self, operands: Mapping[str, Tensor]) -> str:
        """Steps, bytes and reasons of a call with these operands; of a comprehension, whose loops run over ranges of
        its own, no steps."""
        lines = [repr(self._kernel)]
        costs = self._costs(operands) if self._in_notation else None
        if costs is not None:
            entries = spell_count(costs.entries)
            lines.append(f"Loop steps: about {spell_count(costs.steps)}, for {entries} entries and elements.")
        read = sum(tensor.nbytes for tensor in operands.values())
        lines += [f"Operands: {spell_count(read)} bytes.", *self._list_choices()]
        if costs is not None:
            lines += [f"{diagnostic.message} {diagnostic.hint or ''}".strip() for diagnostic in costs.diagnostics]
        return "\n".join(lines)

    def describe(self) -> str:
        """What is known of every call: the schedule and its reasons."""
        names = [name for name in self._kernel.signature.tensors if name != self._kernel.signature.result.name]
        passed = ", ".join(f"{name}={name}" for name in names)
        counts = "Steps and bytes" if self._in_notation else "Bytes"
        more = f"{counts} depend on the operands: kernel.explain({passed}) has them."
        return "\n".join([repr(self._kernel), *self._list_choices(), more])

    def _list_choices(self) -> list[str]:
        if not isinstance(self._kernel, AutomaticKernel):
            return []
        suggestion = self._kernel.suggestion
        return [f"Schedule: {'; '.join(suggestion.schedule) or 'no commands'}.", *suggestion.reasons]

    @property
    def _in_notation(self) -> bool:
        assignment = self._kernel.result.assignment
        return assignment is not None and assignment.program is None

    def transpose(self, over: str) -> Kernel[Any] | None:
        """The kernel of the transpose as a map of the operand ``over``."""
        return transposed_kernel(self._kernel, over)

    def _estimate(self, operands: Mapping[str, Tensor]) -> tuple[Diagnostic, ...]:
        """What is said about a call; nothing where the estimate has a fault, on which no call may depend."""
        try:
            return self._costs(operands).diagnostics
        except Exception:
            LOGGER.exception("the costs of a call of %s cannot be estimated", self._kernel.result.plan.expression)
            return ()

    def _costs(self, operands: Mapping[str, Tensor]) -> CallCosts:
        result: CompileResult = self._kernel.result
        result_name = self._kernel.signature.result.name
        kinds = {name: kind_of(tensor, name) for name, tensor in operands.items() if name != result_name}
        threads = self._kernel.machine.threads if isinstance(self._kernel, AutomaticKernel) else 1
        return call_costs(result, kinds, threads)


def attach_inspector(kernel: AnyKernel) -> AnyKernel:
    """``kernel``, which can be explained, and warns about its calls where its program is in index notation."""
    if isinstance(kernel, Kernel) and kernel.result.graphs:
        kernel.inspector = CostInspector(kernel)
    return kernel
