"""Calling a kernel: its arguments in the order of its parameters, and what it returns as a tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import Diagnostic, InternalError, OperandError
from heddle.loop_ir.nodes import Function, Parameter, ParameterKind
from heddle.runtime.kernels.offload.launch_record import Launched
from heddle.runtime.memory import result_buffers
from heddle.runtime.native import cache, library
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.result_tensors import VALUES, Slot, assemble_tensor
from heddle.runtime.tensors.tensor import SCALAR, Tensor
from heddle.signature import TensorSignature


class DeviceCall(Protocol):
    """A call on a device with a memory of its own."""

    def fetch(self) -> None:
        """Copies the result back."""
        ...

    def describe(self) -> str:
        """The device in words."""
        ...

    def launched(self) -> tuple[Launched, ...]:
        """The launches of the last call."""
        ...

    def seconds(self) -> float:
        """What the last call took on the device."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A kernel with its arguments in place. ``compute`` runs it and returns its status, 0 where all went well. ``take``
    then makes the result where the kernel obtained its memory; ``device`` is where the kernel runs when that has a
    memory of its own."""

    compute: Callable[[], int]
    take: Callable[[], Tensor] | None = None
    device: DeviceCall | None = None


if TYPE_CHECKING:
    from heddle.loop_ir.interpreter.interpreter import Interpretation

Values = NDArray[Any]
Executor = Callable[[Mapping[str, Tensor], Tensor], Prepared]
"""What runs a function on some target: from packed operands by name, and the result as it is before (zeros, or with no
entries yet), to a call that can be repeated."""


def make_compiled_executor(function: Function, text: str, operands: list[str], result: TensorSignature) -> Executor:
    """Calls of the C ``text``, compiled and cached."""
    path = cache.shared_library(text, cache.GENERATOR_VERSION)
    if not path.exists():  # Another process has just evicted it.
        path = cache.shared_library(text, cache.GENERATOR_VERSION)
    return make_loaded_executor(function, path, operands, result)


@dataclass(frozen=True, slots=True, eq=False)
class LoadedExecutor:
    """An executor of a compiled function. ``run`` calls it once, with the same operands and result as ``prepare``, and
    returns its status; ``vary`` makes a function of the values of a dense operand and of the result that does so with
    all else as it is. ``repeat`` makes one of the values of the result, which keeps no operand alive; it is None where
    an operand is a number that the caller may write. None where the kernel obtains memory itself."""

    prepare: Executor
    run: Callable[[Mapping[str, Tensor], Tensor], int] | None
    vary: Callable[[Mapping[str, Tensor], Tensor, str], Callable[[Values, Values], int]] | None
    repeat: Callable[[Mapping[str, Tensor], Tensor], Callable[[Values], int] | None] | None

    def __call__(self, tensors: Mapping[str, Tensor], empty: Tensor) -> Prepared:
        return self.prepare(tensors, empty)


def make_loaded_executor(
    function: Function, path: Path, operands: list[str], result: TensorSignature
) -> LoadedExecutor:
    """Calls of ``function`` in the compiled library at ``path``."""
    entry = library.load(path, function.name)
    # Arguments are marshalled tensor by tensor, each once; `order` then puts them into the order of the parameters.
    parameters = function.parameters
    result_parameters = [parameter for parameter in parameters if parameter.tensor not in operands]
    output = tuple(slot_of(parameter) for parameter in result_parameters if not parameter.allocated)
    allocated = tuple(slot_of(parameter) for parameter in result_parameters if parameter.allocated)
    slots = [
        (name, tuple(slot_of(parameter) for parameter in parameters if parameter.tensor == name)) for name in operands
    ]
    owners = [*operands, result.name]
    numbers = range(len(parameters))
    ranking = sorted(numbers, key=lambda place: (owners.index(parameters[place].tensor), parameters[place].allocated))
    order = [ranking.index(place) for place in numbers]
    in_order: Callable[[list[Any]], Iterable[Any]] = itemgetter(*order) if len(order) > 1 else tuple
    dtypes = {slot_of(parameter): parameter.dtype for parameter in result_parameters}

    def prepare(tensors: Mapping[str, Tensor], empty: Tensor) -> Prepared:
        owner_arguments: list[Any] = []
        scalars: list[tuple[int, Tensor]] = []
        for name, wanted in slots:
            if SCALAR in wanted and tensors[name].ownership is not Ownership.SNAPSHOT:
                scalars.append((order.index(len(owner_arguments) + wanted.index(SCALAR)), tensors[name]))
            owner_arguments += tensors[name].arguments(wanted)
        owner_arguments += empty.arguments(output)
        if not allocated:
            arguments = [owner_arguments[place] for place in order]
            if not scalars:
                return Prepared(lambda: entry(*arguments))

            def compute_anew() -> int:
                _read_again(scalars, arguments)
                return entry(*arguments)

            return Prepared(compute_anew)
        cells = result_buffers.ResultCells(allocated)
        owner_arguments += cells.arguments()
        arguments = [owner_arguments[place] for place in order]

        def compute() -> int:
            _read_again(scalars, arguments)
            status = entry(*arguments)
            if status:
                cells.discard()
            return status

        def take() -> Tensor:
            memory = cells.take()
            return assemble_tensor(
                empty.shape, result, lambda slot, count: result_buffers.array(memory[slot], count, dtypes[slot])
            )

        return Prepared(compute, take)

    def marshalled(tensors: Mapping[str, Tensor], empty: Tensor) -> Iterable[Any]:
        owner_arguments: list[Any] = []
        for name, wanted in slots:
            owner_arguments += tensors[name].arguments(wanted)
        owner_arguments += empty.arguments(output)
        return in_order(owner_arguments)

    def run(tensors: Mapping[str, Tensor], empty: Tensor) -> int:
        return entry(*marshalled(tensors, empty))

    point = library.pointer
    places = {parameter.tensor: place for place, parameter in enumerate(parameters) if slot_of(parameter) == VALUES}

    def vary(tensors: Mapping[str, Tensor], empty: Tensor, over: str) -> Callable[[Values, Values], int]:
        fixed = list(marshalled(tensors, empty))
        operand_place, result_place = places[over], places[result.name]

        def run_on(operand: Values, values: Values) -> int:
            arguments = fixed.copy()
            arguments[operand_place], arguments[result_place] = point(operand), point(values)
            return entry(*arguments)

        return run_on

    def repeat(tensors: Mapping[str, Tensor], empty: Tensor) -> Callable[[Values], int] | None:
        if any(SCALAR in wanted and tensors[name].ownership is not Ownership.SNAPSHOT for name, wanted in slots):
            return None
        fixed = [library.without_owner(argument) for argument in marshalled(tensors, empty)]
        result_place = places.get(result.name)
        if result_place is None:
            return None

        def run_into(values: Values) -> int:
            arguments = fixed.copy()
            arguments[result_place] = point(values)
            return entry(*arguments)

        return run_into

    return LoadedExecutor(prepare, None, None, None) if allocated else LoadedExecutor(prepare, run, vary, repeat)


def _read_again(scalars: list[tuple[int, Tensor]], arguments: list[Any]) -> None:
    """Puts the values that scalars have now into their places: C takes a copy of each."""
    for place, tensor in scalars:
        arguments[place] = library.scalar(tensor.item(), tensor.dtype)


def make_interpreted_executor(function: Function, result: TensorSignature, accumulates: bool = False) -> Executor:
    """Calls of the checked interpreter; ``accumulates``: the result holds values before."""
    from heddle.loop_ir.interpreter.faults import Fault, StepLimitExceeded
    from heddle.loop_ir.interpreter.interpreter import check_written, interpret

    initialised = outputs(function) if accumulates else frozenset()

    def prepare(tensors: Mapping[str, Tensor], empty: Tensor) -> Prepared:
        interpretations: list[Interpretation] = []

        def compute() -> int:
            arguments = plain_arguments(function, tensors, empty)
            try:
                run = interpret(function, arguments, initialised=initialised)
                check_written(function, run)
            except StepLimitExceeded as fault:
                raise _too_many_steps(fault) from None
            except Fault as fault:
                raise InternalError(f"The checked interpreter found a fault in the kernel: {fault}") from None
            interpretations[:] = [run]
            return run.status

        if not any(parameter.allocated for parameter in function.parameters):
            return Prepared(compute)
        return Prepared(compute, lambda: take_result(function, empty, result, interpretations[0]))

    return prepare


def outputs(function: Function) -> frozenset[str]:
    """The names of the parameters that the kernel writes."""
    return frozenset(parameter.name for parameter in function.parameters if parameter.output)


def take_result(function: Function, empty: Tensor, result: TensorSignature, run: Interpretation) -> Tensor:
    """The result whose arrays a run of the interpreter obtained.

    Raises
    ------
    InternalError
        an element that belongs to the result was never written.
    """
    names = {slot_of(parameter): parameter.name for parameter in function.parameters if parameter.allocated}

    def array(slot: Slot, count: int) -> NDArray[Any]:
        missing = next((index for index in run.unwritten.get(names[slot], ()) if index < count), None)
        if missing is not None:
            raise InternalError(f"The checked interpreter found that nothing writes {names[slot]}[{missing}]")
        return run.obtained[names[slot]][:count]

    return assemble_tensor(empty.shape, result, array)


def plain_arguments(function: Function, tensors: Mapping[str, Tensor], output: Tensor) -> dict[str, Any]:
    """The arguments for the interpreter: integers, numbers and arrays."""
    return {
        parameter.name: _plain_argument(parameter, tensors, output)
        for parameter in function.parameters
        if not parameter.allocated
    }


def _too_many_steps(fault: Exception) -> OperandError:
    return OperandError(
        Diagnostic(
            code="runtime/too-many-steps",
            message=f"These operands are too large for the interpreter: {fault}.",
            expected="small operands",
            hint="Use the target c, or smaller operands.",
        )
    )


def slot_of(parameter: Parameter) -> Slot:
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


def _plain_argument(parameter: Parameter, tensors: Mapping[str, Tensor], output: Tensor) -> Any:
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
