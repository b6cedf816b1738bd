"""Calls of a kernel on its own device: operands go there once, launches run in order, the result comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from heddle.codegen.device.program import DeviceKernel, DeviceProgram
from heddle.loop_ir.nodes import ArrayRole, Function, ParameterKind
from heddle.runtime.devices.occupancy import KernelFigures
from heddle.runtime.kernels.calling import Executor, Prepared, plain_arguments, slot_of
from heddle.runtime.kernels.offload.host_call import Call, Device, Scalar, Started
from heddle.runtime.kernels.offload.host_program import Step, host_program
from heddle.runtime.kernels.offload.index_choice import operand_facts
from heddle.runtime.kernels.offload.launch_record import Launched, record_launches
from heddle.runtime.memory import buffers
from heddle.runtime.storage.device_arrays import HostReads, is_resident
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.result_tensors import Slot, assemble_tensor
from heddle.runtime.tensors.tensor import Tensor
from heddle.signature import TensorSignature


class Queue(Device, Protocol):
    """A device with the kernels of one program; see :class:`heddle.runtime.devices.opencl.Launcher`."""

    def begin(self) -> None:
        """Called before each run: orders it behind what others have queued for its operands."""
        ...

    def upload(self, array: NDArray[Any]) -> Any:
        """Memory of the device with a copy of ``array``, of any shape, in C order."""
        ...

    def download(self, memory: Any, array: NDArray[Any]) -> None:
        """Fills ``array``, whose dtype and size are those of the memory, when everything before is done."""
        ...

    def finish(self) -> None:
        """Waits until everything is done."""
        ...

    def elapsed_seconds(self) -> float:
        """Seconds that the device spent on the fills and launches of the calls since this was last asked."""
        ...

    def describe(self) -> str:
        """The device in words, for messages and results."""
        ...

    def figures(self, kernel: DeviceKernel) -> tuple[KernelFigures, str] | None:
        """What the device's compiler made of ``kernel``, and the architecture; None where it does not tell."""
        ...

    def graph(self, compute: Callable[[], Any]) -> Graph | None:
        """The fills and launches of ``compute``, which runs once; None where the device has no graphs, or the host
        decides something in between."""
        ...


class Graph(Protocol):
    """Fills and launches that a device starts as one."""

    def launch(self) -> None:
        """Queues all of them once more."""
        ...


class OffloadedCall:
    """One call, again and again. ``started`` has the launches of the last one."""

    def __init__(
        self,
        program: DeviceProgram,
        host: Step,
        queue: Queue,
        tensors: Mapping[str, Tensor],
        output: Tensor,
        accumulates: bool,
    ) -> None:
        self._queue, self._accumulates, self._output = queue, accumulates, output
        self._resident = any(tensor.resident for tensor in tensors.values())
        self._host = host
        arguments = plain_arguments(program.function, tensors, output)
        self._arrays = {name: value for name, value in arguments.items() if getattr(value, "ndim", 0) > 0}
        # Plain numbers: what is computed of them is reported as JSON.
        self._scalars = {
            name: value.item() if isinstance(value, np.generic | np.ndarray) else value
            for name, value in arguments.items()
            if name not in self._arrays
        }
        parameters = program.function.parameters
        self._results = [parameter.name for parameter in parameters if parameter.output and not parameter.allocated]
        self._assembled = {slot_of(parameter): parameter for parameter in parameters if parameter.allocated}
        self._written = _may_be_written(program.function, tensors, self._arrays)
        scalars = {
            parameter.name: parameter.tensor for parameter in parameters if parameter.kind is ParameterKind.SCALAR
        }
        self._numbers = {
            name: tensors[tensor]
            for name, tensor in scalars.items()
            if tensor in tensors and tensors[tensor].ownership is not Ownership.SNAPSHOT
        }
        self._memory = {
            name: queue.allocate(array.size, array.dtype.name, False)
            if name in self._results and not accumulates and not is_resident(array)
            else queue.upload(array)
            for name, array in self._arrays.items()
            if name not in self._written
        }
        self._operands = {
            name: HostReads(array) if is_resident(array) else array
            for name, array in self._arrays.items()
            if name not in self._results
        }
        sizes = {name: int(array.size) for name, array in self._arrays.items()}
        self._facts = operand_facts(program.function, tensors, output, self._operands, sizes)
        self.started: list[Started] = []
        self._settled: dict[str, Scalar] = {}

    def compute(self) -> int:
        """Runs on the device and waits; the result stays there. Returns the status."""
        self._queue.begin()
        memory = dict(self._memory)
        if self._written:
            memory |= {name: self._queue.upload(array) for name, array in self._written.items()}
        if self._written or self._numbers:
            self._settled.clear()
            self._scalars |= {name: tensor.item() for name, tensor in self._numbers.items()}
        if self._accumulates:
            memory |= {name: self._queue.upload(self._arrays[name]) for name in self._results}
            self._memory = {name: memory[name] for name in self._memory}
        facts = self._facts.copy()
        call = Call(self._queue, dict(self._scalars), self._operands, memory, facts, settled=self._settled)
        status = self._host(call)
        self.started = call.started
        self._memory |= {
            parameter.name: call.memory[parameter.name]
            for parameter in self._assembled.values()
            if parameter.name in call.memory
        }
        self._queue.finish()
        return status

    def fetch(self) -> None:
        """Brings the result back, except for one that belongs on the device."""
        for name in self._results:
            if not is_resident(self._arrays[name]):
                self._queue.download(self._memory[name], self._arrays[name])

    def take(self, signature: TensorSignature) -> Tensor:
        """The result whose memory the last call obtained: on the device where operands are, else a copy of it."""

        def take_slot(slot: Slot, count: int) -> Any:
            parameter = self._assembled[slot]
            memory = self._memory[parameter.name]
            if self._resident:
                return memory[:count]
            host_array = buffers.empty(count, parameter.dtype)
            self._queue.download(memory, host_array)
            return host_array

        return assemble_tensor(self._output.shape, signature, take_slot)

    def describe(self) -> str:
        """The device, in one line for a person."""
        return self._queue.describe()

    def launched(self) -> tuple[Launched, ...]:
        """The launches of the last call."""
        return record_launches(self.started, self._queue.figures)

    def graph(self) -> Graph | None:
        """The fills and launches of a run as one graph, to be started again and again with the same operands; None
        where the device has no graphs, or the host decides something in the middle of a run, as for sparse results."""
        return self._queue.graph(self.compute)

    def seconds(self) -> float:
        """What the device itself spent since the last call of this."""
        return self._queue.elapsed_seconds()


def _may_be_written(
    function: Function, tensors: Mapping[str, Tensor], arrays: Mapping[str, NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """The values of operands on the host that somebody may write between two runs, by parameter."""
    return {
        parameter.name: arrays[parameter.name]
        for parameter in function.parameters
        if parameter.array is not None
        and parameter.array.role is ArrayRole.VALS
        and parameter.name in arrays
        and parameter.tensor in tensors
        and not parameter.output
        and tensors[parameter.tensor].ownership is not Ownership.SNAPSHOT
        and not is_resident(arrays[parameter.name])
    }


def make_offloaded_executor(
    program: DeviceProgram,
    wide: Callable[[], DeviceProgram],
    queue: Queue,
    accumulates: bool,
    result: TensorSignature,
) -> Executor:
    """Calls on ``queue``; ``accumulates``: the result holds values before. ``wide`` makes the text of ``program`` for
    launches whose indices need 64 bits."""
    allocated = any(parameter.allocated for parameter in program.function.parameters)

    def prepare(tensors: Mapping[str, Tensor], empty: Tensor) -> Prepared:
        call = OffloadedCall(program, host_program(program, wide), queue, tensors, empty, accumulates)
        return Prepared(call.compute, (lambda: call.take(result)) if allocated else None, call)

    return prepare
