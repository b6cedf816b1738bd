"""A compiled expression that can be called: operands by name in, a tensor out (DESIGN §4)."""

from __future__ import annotations

from typing import Protocol

from compiler.codegen import c
from compiler.diagnostics import CompileError, Diagnostic, InternalError, Location, Part
from compiler.loop_ir.dtypes import integer_range
from compiler.loop_ir.nodes import INDEX_OVERFLOW, OUT_OF_MEMORY, ArrayRole, Function
from compiler.loop_ir.source_text import SourceText
from compiler.notation.apart import rename_apart
from compiler.notation.parser import parse
from compiler.plan import Plan
from compiler.runtime.assembled import empty_result
from compiler.runtime.binding import Binding
from compiler.runtime.calling import BoundCall, compiled, interpreted
from compiler.runtime.tensor import Tensor
from compiler.signature import Signature


class Compiled(Protocol):
    """What a kernel needs of a compile's result; :class:`compiler.result.CompileResult` is one."""

    @property
    def plan(self) -> Plan: ...
    @property
    def signature(self) -> Signature | None: ...
    @property
    def function(self) -> Function | None: ...
    @property
    def source(self) -> SourceText | None: ...


class Kernel:
    """Callable: ``kernel(A=matrix, x=vector)`` returns the result as a :class:`Tensor`.

    Operands are NumPy arrays, SciPy sparse arrays, tensors, numbers, or ``(coordinates, values, shape)``. Tensors in
    the format that the kernel was compiled for are passed on as they are; everything else is packed on each call.
    """

    def __init__(self, result: Compiled) -> None:
        if result.function is None or result.signature is None:
            raise InternalError("A kernel needs a compile without errors")
        self.result = result
        self.signature = result.signature
        self.target = result.plan.target
        self._function = result.function
        declared = {name: spec.shape for name, spec in result.plan.tensors.items() if spec.shape is not None}
        self._binding = Binding(self.signature, rename_apart(parse(result.plan.expression)), declared)
        if self.target == "interpreter":
            self._execute = interpreted(self._function, self.signature.result, self.signature.accumulates)
        else:
            text = self.source if result.source is not None else c.generate(self._function).text
            names = [tensor.name for tensor in self.signature.operands]
            self._execute = compiled(self._function, text, names, self.signature.result)

    @property
    def source(self) -> str:
        """The generated text."""
        return self.result.source.text if self.result.source is not None else ""

    def __call__(self, **operands: object) -> Tensor:
        """Computes the result.

        Raises:
            CompileError: wrong names, shapes or types of operands, or a claim of the schedule that the data break
                (``runtime/refused``).
        """
        call = self.bind(**operands)
        call.run()
        return call.output

    def bind(self, **operands: object) -> BoundCall:
        """Checks and packs the operands and allocates the result once, for calls that are to be repeated or timed."""
        tensors = self._binding.packed(operands)
        shape = self._binding.result_shape(tensors)
        initial = tensors.pop(self.signature.result.name, None)
        output = empty_result(self._function, self.signature.result, shape, tensors)
        return BoundCall(tensors, output, self._execute(tensors, output), self.refusal, initial)

    def refusal(self, status: int) -> CompileError:
        """What the kernel's status says: a claim of the schedule that does not hold for these operands."""
        if status == OUT_OF_MEMORY:
            return CompileError(
                Diagnostic(
                    code="runtime/out-of-memory",
                    message="The kernel could not allocate its workspace: the machine has no memory left.",
                    hint="Use smaller operands, or a schedule with a smaller workspace.",
                )
            )
        if status == INDEX_OVERFLOW:
            return CompileError(self._overflow())
        for requirement in self._function.requirements:
            if requirement.code == status:
                command = requirement.origin.command
                location = None
                if command is not None:
                    text = self.result.plan.schedule[command]
                    location = Location(Part.SCHEDULE, 0, len(text), command=command)
                return CompileError(Diagnostic("runtime/refused", requirement.message, location))
        raise InternalError(f"The kernel returned the unknown status {status}")

    def _overflow(self) -> Diagnostic:
        result = self.signature.result
        dtypes = {
            parameter.dtype
            for parameter in self._function.parameters
            if parameter.allocated and parameter.array is not None and parameter.array.role is ArrayRole.POS
        }
        found = " or ".join(sorted(dtypes))
        return Diagnostic(
            code="runtime/index-overflow",
            message=f"The result {result.name} has more entries than its positions, which are {found}, can count.",
            location=Location(Part.INPUT, tensor=result.name),
            expected=f"a result with at most {' or '.join(_largest(dtype) for dtype in sorted(dtypes))} entries",
            hint=f"Use smaller operands, or compute {result.name} in parts.",
        )


def _largest(dtype: str) -> str:
    return f"{integer_range(dtype)[1]:,}"
