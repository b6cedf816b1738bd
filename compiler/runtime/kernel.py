"""A compiled expression that can be called: operands by name in, a tensor out (DESIGN §4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from compiler.codegen import c
from compiler.diagnostics import CompileError, Diagnostic, InternalError, Location, Part, nearest
from compiler.formats.format import Format
from compiler.loop_ir.nodes import OUT_OF_MEMORY, Function, Parameter, ParameterKind
from compiler.loop_ir.source_text import SourceText
from compiler.notation.nodes import Access, accesses
from compiler.notation.parser import parse
from compiler.plan import Plan
from compiler.runtime import buffers, cache, library
from compiler.runtime.operands import as_operand
from compiler.runtime.pack import pack
from compiler.runtime.shapes import Shape, order_mismatch, result_shape, spell, variable_sizes
from compiler.runtime.tensor import LevelArrays, Tensor
from compiler.signature import Signature, TensorSignature

# How many shapes and formats of operands a kernel remembers as checked.
_REMEMBERED = 64


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
        self._assignment = parse(result.plan.expression)
        self._result = self.signature.result
        self._dense_result = self._result.format.is_dense
        self._operands = {tensor.name: tensor for tensor in self.signature.operands}
        self._declared = {name: spec.shape for name, spec in result.plan.tensors.items() if spec.shape is not None}
        self._shapes: dict[tuple[Shape, ...], Shape] = {}
        self._fitting: dict[tuple[str, int], Format] = {}
        self._execute = self._compiled() if self.target != "interpreter" else self._interpreted()

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
        tensors = self._packed(operands)
        shape = self._result_shape(tensors)
        output = self._allocate(shape)
        return BoundCall(tensors, output, *self._execute(tensors, output), self.refusal)

    # ------------------------------------------------------------------------------------------------- operands

    def _packed(self, operands: Mapping[str, object]) -> dict[str, Tensor]:
        if operands.keys() != self._operands.keys():
            self._check_names(operands)
        packed: dict[str, Tensor] = {}
        for name, signature in self._operands.items():
            operand = operands[name]
            if isinstance(operand, Tensor) and self._fits(operand, signature):
                packed[name] = operand
            else:
                packed[name] = self._pack(operand, signature)
        return packed

    def _fits(self, tensor: Tensor, signature: TensorSignature) -> bool:
        """Whether type and format are the signature's; formats found equal are known again by their identity."""
        format = tensor.format
        if tensor.dtype != signature.dtype:
            return False
        if format is signature.format or self._fitting.get((signature.name, id(format))) is format:
            return True
        if format != signature.format:
            return False
        if len(self._fitting) >= _REMEMBERED:
            self._fitting.clear()
        self._fitting[signature.name, id(format)] = format
        return True

    def _pack(self, operand: object, signature: TensorSignature) -> Tensor:
        name = signature.name
        known = as_operand(operand, name)
        if len(known.shape) != signature.order:
            raise order_mismatch(self._access(name), tuple(known.shape))
        if isinstance(known, Tensor) and known.format != signature.format:
            from compiler.formats.printer import format_text

            wanted, found = format_text(signature.format), format_text(known.format)
            raise CompileError(
                Diagnostic(
                    code="runtime/format-mismatch",
                    message=f"{name} is packed as {found}, but this kernel was compiled for {wanted}.",
                    location=Location(Part.INPUT, tensor=name),
                    expected=wanted,
                    found=found,
                    hint=f'Convert it once with convert({name}, "{wanted}"), or compile with '
                    f'formats={{"{name}": "{found}"}}.',
                )
            )
        return pack(known, signature.format, dtype=signature.dtype, name=name)

    def _access(self, name: str) -> Access:
        return next(access for access in accesses(self._assignment.expression) if access.tensor == name)

    def _check_names(self, operands: Mapping[str, object]) -> None:
        expected = ", ".join(self._operands) or "no operands"
        result = self._result.name
        for name in operands:
            if name in self._operands:
                continue
            reason = "is the result and is not passed" if name == result else "is not an operand of this kernel"
            raise CompileError(
                Diagnostic(
                    code="runtime/unknown-operand",
                    message=f"{name} {reason}; {spell(self._assignment.target)} takes {expected}.",
                    location=Location(Part.INPUT, tensor=name),
                    expected=expected,
                    found=name,
                    candidates=nearest(name, tuple(self._operands)),
                )
            )
        missing = [name for name in self._operands if name not in operands]
        raise CompileError(
            *(
                Diagnostic(
                    code="runtime/missing-operand",
                    message=f"{spell(self._access(name))} is missing; the kernel takes {expected}.",
                    location=Location(Part.INPUT, tensor=name),
                    expected=expected,
                    found=", ".join(operands) or "nothing",
                    hint=f"Pass it by name: kernel({name}=...).",
                )
                for name in missing
            )
        )

    def _result_shape(self, tensors: Mapping[str, Tensor]) -> Shape:
        key = tuple(tensor.shape for tensor in tensors.values())
        shape = self._shapes.get(key)
        if shape is None:
            shapes = {name: tensor.shape for name, tensor in tensors.items()}
            shape = result_shape(self._assignment, variable_sizes(self._assignment, shapes, self._declared))
            if len(self._shapes) >= _REMEMBERED:
                self._shapes.clear()
            self._shapes[key] = shape
        return shape

    def _allocate(self, shape: Shape) -> Tensor:
        if not self._dense_result:
            raise InternalError("The runtime cannot allocate a sparse result yet")
        signature = self._result
        values = buffers.empty(buffers.elements(shape), signature.dtype)
        return Tensor(shape, signature.format, signature.dtype, (LevelArrays(),) * len(shape), values)

    # ------------------------------------------------------------------------------------------------ execution

    def _compiled(self) -> Executor:
        text = self.source if self.result.source is not None else c.generate(self._function).text
        path = cache.shared_library(text, cache.GENERATOR_VERSION)
        if not path.exists():  # Another process has just evicted it.
            path = cache.shared_library(text, cache.GENERATOR_VERSION)
        entry = library.load(path, self._function.name)
        # Arguments are marshalled tensor by tensor, each once; `order` then puts them into the order of the parameters.
        parameters = self._function.parameters
        output = tuple(_slot(parameter) for parameter in parameters if parameter.tensor not in self._operands)
        slots = [
            (name, tuple(_slot(parameter) for parameter in parameters if parameter.tensor == name))
            for name in self._operands
        ]
        owners = [*self._operands, self._result.name]
        found = sorted(range(len(parameters)), key=lambda place: owners.index(parameters[place].tensor))
        order = [found.index(place) for place in range(len(parameters))]

        def prepare(tensors: Mapping[str, Tensor], result: Tensor) -> tuple[Callable[..., int], list[Any]]:
            made: list[Any] = []
            for name, wanted in slots:
                made += tensors[name].arguments(wanted)
            made += result.arguments(output)
            return entry, [made[place] for place in order]

        return prepare

    def _interpreted(self) -> Executor:
        from compiler.loop_ir.faults import Fault, StepLimitExceeded
        from compiler.loop_ir.interpreter import interpret

        function = self._function

        def prepare(tensors: Mapping[str, Tensor], output: Tensor) -> tuple[Callable[..., int], list[Any]]:
            arguments = {
                parameter.name: plain_argument(parameter, tensors, output) for parameter in function.parameters
            }

            def run() -> int:
                try:
                    return interpret(function, arguments).status
                except StepLimitExceeded as fault:
                    raise _too_many_steps(fault) from None
                except Fault as fault:
                    raise InternalError(f"The checked interpreter found a fault in the kernel: {fault}") from None

            return run, []

        return prepare

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
        for requirement in self._function.requirements:
            if requirement.code == status:
                command = requirement.origin.command
                location = None
                if command is not None:
                    text = self.result.plan.schedule[command]
                    location = Location(Part.SCHEDULE, 0, len(text), command=command)
                return CompileError(Diagnostic("runtime/refused", requirement.message, location))
        raise InternalError(f"The kernel returned the unknown status {status}")


Executor = Callable[[Mapping[str, Tensor], Tensor], tuple[Callable[..., int], list[Any]]]


class BoundCall:
    """A kernel with its arguments marshalled: ``run()`` computes ``output`` anew each time, in the same memory."""

    __slots__ = ("_arguments", "_entry", "_refusal", "operands", "output")

    def __init__(
        self,
        operands: Mapping[str, Tensor],
        output: Tensor,
        entry: Callable[..., int],
        arguments: list[Any],
        refusal: Callable[[int], CompileError],
    ) -> None:
        self.operands = operands  # Kept alive: the arguments point into their memory.
        self.output = output
        self._entry = entry
        self._arguments = arguments
        self._refusal = refusal

    def run(self) -> None:
        """Calls the kernel.

        Raises:
            CompileError: ``runtime/refused`` or ``runtime/out-of-memory``.
        """
        status = self._entry(*self._arguments)
        if status:
            raise self._refusal(status)


def _too_many_steps(fault: Exception) -> CompileError:
    return CompileError(
        Diagnostic(
            code="runtime/too-many-steps",
            message=f"These operands are too large for the interpreter: {fault}.",
            expected="small operands",
            hint="Use the target c, or smaller operands.",
        )
    )


def _slot(parameter: Parameter) -> tuple[str, int]:
    """Which of its tensor's arguments a parameter takes, see :meth:`Tensor.arguments`."""
    match parameter.kind:
        case ParameterKind.ARRAY:
            assert parameter.array is not None
            return parameter.array.role.value, parameter.array.level
        case ParameterKind.DIMENSION:
            assert parameter.dimension is not None
            return "dimension", parameter.dimension
        case ParameterKind.SCALAR:
            return "scalar", 0
        case _:
            raise InternalError(f"Unknown kind of parameter {parameter.kind}")


def plain_argument(parameter: Parameter, tensors: Mapping[str, Tensor], output: Tensor) -> Any:
    """One argument for the interpreter: an integer, a number or an array."""
    tensor = tensors.get(parameter.tensor, output)
    match parameter.kind:
        case ParameterKind.ARRAY:
            assert parameter.array is not None
            return tensor.arrays()[parameter.array.role.value, parameter.array.level]
        case ParameterKind.DIMENSION:
            assert parameter.dimension is not None
            return tensor.shape[parameter.dimension]
        case ParameterKind.SCALAR:
            return np.dtype(parameter.dtype).type(tensor.item())
        case _:
            raise InternalError(f"Unknown kind of parameter {parameter.kind}")
