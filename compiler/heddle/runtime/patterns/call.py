"""What a kernel of patterns is made from, and a kernel with its arguments in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from heddle.diagnostics import Diagnostic, InternalError, OperandError
from heddle.loop_ir.nodes import OUT_OF_MEMORY, Function
from heddle.loop_ir.printing.source_text import SourceText
from heddle.patterns.program import Lowered
from heddle.plan import Plan
from heddle.runtime.kernels.calling import Prepared
from heddle.runtime.kernels.pickling import bound_here
from heddle.runtime.patterns.results import Result
from heddle.runtime.tensors.tensor import Tensor


class CompiledProgram(Protocol):
    """What a kernel needs of a compile's result."""

    @property
    def plan(self) -> Plan:
        """The Plan that was compiled."""
        ...

    @property
    def bound(self) -> Lowered | None:
        """The lowered program with its claims and memoised sums; None where the compile failed."""
        ...

    @property
    def function(self) -> Function | None:
        """Its loops; None where the compile failed."""
        ...

    @property
    def source(self) -> SourceText | None:
        """The text for the target; None where there is none."""
        ...


@dataclass(slots=True, eq=False)
class PatternCall:
    """A kernel with its arguments in place: ``run()`` computes ``output`` again each time, in the same memory, and
    returns it."""

    prepared: Prepared
    output: Result
    sizes: dict[str, int]
    memos: dict[str, NDArray[Any]]
    arguments: dict[str, Tensor]

    def __reduce__(self) -> tuple[object, ...]:
        raise bound_here("A bound call", "Send the kernel and the operands, and bind them there.")

    def run(self) -> Result:
        """Calls the kernel.

        Raises
        ------
        CompileError
            ``runtime/out-of-memory``.
        """
        self.compute()
        if self.prepared.device is not None:
            self.prepared.device.fetch()
        return self.output

    def compute(self) -> None:
        """The same, but leaves the result where it is computed: on its own device, until the next ``run``."""
        status = self.prepared.compute()
        if status == OUT_OF_MEMORY:
            raise OperandError(
                Diagnostic(
                    "runtime/out-of-memory", "The kernel could not allocate its workspace.", hint="Use less data."
                )
            )
        if status:
            raise InternalError(f"The kernel returned the unknown status {status}")
