"""Calls of a kernel on a device of its own: operands go there once, launches run in order, the result comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

from compiler.codegen.device_program import DeviceKernel, DeviceProgram
from compiler.loop_ir.nodes import Function
from compiler.runtime.calling import Executor, Prepared, plain_arguments
from compiler.runtime.host_program import Call, Device, host_program
from compiler.runtime.resident import HostReads, is_resident
from compiler.runtime.tensor import Tensor


class Queue(Device, Protocol):
    """A device with the kernels of one program; see :class:`compiler.runtime.opencl.Launcher`."""

    def upload(self, array: NDArray[Any]) -> Any: ...

    def download(self, memory: Any, array: NDArray[Any]) -> None: ...

    def finish(self) -> None: ...

    def elapsed(self) -> float: ...

    def describe(self) -> str: ...


class OffloadedCall:
    """One call, again and again. ``geometry`` has the groups of each launch of the last one."""

    def __init__(
        self, program: DeviceProgram, queue: Queue, tensors: Mapping[str, Tensor], output: Tensor, accumulates: bool
    ) -> None:
        self._queue, self._accumulates = queue, accumulates
        self._host = host_program(program)
        arguments = plain_arguments(program.function, tensors, output)
        self._arrays = {name: value for name, value in arguments.items() if getattr(value, "ndim", 0) > 0}
        self._scalars = {name: value for name, value in arguments.items() if name not in self._arrays}
        self._results = [one.name for one in program.function.parameters if one.output]
        self._memory = {
            name: queue.allocate(array.size, array.dtype.name, False)
            if name in self._results and not accumulates and not is_resident(array)
            else queue.upload(array)
            for name, array in self._arrays.items()
        }
        self._operands = {
            name: HostReads(array) if is_resident(array) else array
            for name, array in self._arrays.items()
            if name not in self._results
        }
        self.geometry: list[tuple[DeviceKernel, int]] = []

    def compute(self) -> int:
        """Runs on the device and waits; the result stays there. Returns the status."""
        memory = dict(self._memory)
        if self._accumulates:
            memory |= {name: self._queue.upload(self._arrays[name]) for name in self._results}
            self._memory = memory
        call = Call(self._queue, dict(self._scalars), self._operands, dict(memory))
        status = self._host(call)
        self.geometry = call.geometry
        self._queue.finish()
        return status

    def fetch(self) -> None:
        """Brings the result back, but for one that belongs on the device."""
        for name in self._results:
            if not is_resident(self._arrays[name]):
                self._queue.download(self._memory[name], self._arrays[name])

    def describe(self) -> str:
        """The device, in one line for a person."""
        return self._queue.describe()

    def seconds(self) -> float:
        """What the device itself spent since the last call of this."""
        return self._queue.elapsed()


def program_on_device(function: Function, target: str) -> tuple[DeviceProgram, Queue]:
    """The text of ``function`` for this machine's device of ``target``, built there.

    Raises:
        CompileError: ``runtime/no-opencl``, ``runtime/no-cuda``, or a device that cannot run it.
    """
    if target == "opencl":
        from compiler.runtime import opencl

        device = opencl.default_queue()
        program = opencl.program_for(function, device.device)
        return program, device.launcher(program)
    from compiler.runtime import cuda

    return cuda.program_on_device(function)


def offloaded(program: DeviceProgram, queue: Queue, accumulates: bool) -> Executor:
    """Calls on ``queue``; ``accumulates``: the result holds values before."""

    def prepare(tensors: Mapping[str, Tensor], empty: Tensor) -> Prepared:
        call = OffloadedCall(program, queue, tensors, empty, accumulates)
        return Prepared(call.compute, device=call)

    return prepare
