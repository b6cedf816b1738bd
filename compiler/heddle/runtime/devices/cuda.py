"""CUDA kernels on a GPU of this machine, through CuPy: compiled once per text, launched in order on one stream.

Operands on the GPU are used where they are (``runtime/tensors/device_operands.py``), and the result is left there with
them; NumPy's and SciPy's are copied to the GPU, and the result is copied back. Everything is queued on CuPy's current
stream, and a call ends when it is done.
"""

from __future__ import annotations

import functools
import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.codegen.device import cuda
from heddle.codegen.device.program import DeviceKernel, DeviceProgram
from heddle.diagnostics import CompileError, Diagnostic, InternalError
from heddle.loop_ir.nodes import Function
from heddle.runtime.devices.occupancy import KernelFigures
from heddle.runtime.extras import Extra

INSTALL = f"{Extra.GPU12.install}, or heddle-sparse[gpu13] where its driver has CUDA 13"


def program_on_device(function: Function) -> tuple[DeviceProgram, CudaStream]:
    """The text of ``function``, compiled for this machine's GPU.

    Raises:
        CompileError: ``runtime/no-cuda``.
    """
    module = gpu()
    program = cuda.generate(function)
    return program, CudaStream(module, program)


def wide_program(function: Function) -> DeviceProgram:
    """The text of ``function`` with indices of 64 bits."""
    return cuda.generate(function, short=False)


@functools.cache
def gpu() -> Any:
    """CuPy, on a machine with a GPU.

    Raises:
        CompileError: ``runtime/no-cuda``, with what is missing.
    """
    problem = missing()
    if problem is None:
        import cupy

        return cupy
    raise CompileError(
        Diagnostic(
            code="runtime/no-cuda",
            message=f"There is no GPU to run CUDA kernels on: {problem}.",
            expected="CuPy, and an NVIDIA GPU with its driver",
            actual=problem,
            hint=f"Use the target opencl, which runs the same schedule on a CPU, or interpreter. On a machine with a "
            f"GPU: {INSTALL}.",
        )
    )


def empty(count: int, dtype: str) -> Any:
    """Memory on the GPU for ``count`` elements: whole words, so that narrow elements can be exchanged atomically."""
    size = np.dtype(dtype).itemsize
    room = -(-max(1, count) * size // 8) * 8 // size
    return gpu().empty(room, dtype)[:count]


def missing() -> str | None:
    """Why CUDA kernels cannot run here; None where they can."""
    if importlib.util.find_spec("cupy") is None:
        return "CuPy is not installed"
    import cupy

    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"the driver answers {error}"
    return None if count else "the driver finds no GPU"


class CudaStream:
    """CuPy's current stream with the kernels of one program. Memory is a CuPy array."""

    def __init__(self, cupy: Any, program: DeviceProgram) -> None:
        self._cupy = cupy
        self._kernels: dict[str, Any] = {}
        self._events: list[tuple[Any, Any]] = []
        self.also(program)

    def also(self, program: DeviceProgram) -> None:
        if all(kernel.name in self._kernels for kernel in program.kernels):
            return
        try:
            module = self._cupy.RawModule(code=program.source.text, options=("--std=c++14",))
            self._kernels |= {kernel.name: module.get_function(kernel.name) for kernel in program.kernels}
        except self._cupy.cuda.compiler.CompileException as error:
            raise InternalError(f"The generated CUDA does not compile:\n{error}"[:4000]) from None

    def allocate(self, count: int, dtype: str, zero: bool) -> Any:
        memory = empty(count, dtype)
        if zero:
            memory.fill(0)
        return memory

    def upload(self, array: Any) -> Any:
        if isinstance(array, self._cupy.ndarray):
            return array
        memory = self.allocate(array.size, array.dtype.name, False)
        memory.set(np.ascontiguousarray(array).reshape(-1))
        return memory

    def download(self, memory: Any, array: NDArray[Any]) -> None:
        """Fills ``array`` once everything before it is done."""
        array[...] = memory.get().reshape(array.shape)

    def read(self, memory: Any, place: int, dtype: str) -> int | float | bool:
        value: int | float | bool = memory[place].item()
        return value

    def scan(self, memory: Any, count: int, dtype: str) -> int:
        if count == 0:
            return 0
        with self._time():
            sums = self._cupy.cumsum(memory[:count], dtype="int64")
            memory[:count] = sums
        return int(sums[-1])

    def fill(self, memory: Any, count: int, value: float, dtype: str) -> None:
        if count > 0:
            with self._time():
                memory[:count].fill(value)

    def launch(self, kernel: DeviceKernel, groups: int, arguments: list[Any]) -> None:
        with self._time():
            self._kernels[kernel.name]((groups,), (kernel.threads,), tuple(arguments))

    def describe(self) -> str:
        properties = self._cupy.cuda.runtime.getDeviceProperties(self._cupy.cuda.Device().id)
        return str(properties["name"].decode())

    def figures(self, kernel: DeviceKernel) -> tuple[KernelFigures, str]:
        function = self._kernels[kernel.name]
        needs = KernelFigures(kernel.name, function.num_regs, function.shared_size_bytes, function.local_size_bytes)
        return needs, f"sm_{self._cupy.cuda.Device().compute_capability}"

    def finish(self) -> None:
        self._cupy.cuda.get_current_stream().synchronize()

    def elapsed_seconds(self) -> float:
        """Seconds that the GPU spent on fills and launches since the last call, by events."""
        self.finish()
        events, self._events = self._events, []
        return float(sum(self._cupy.cuda.get_elapsed_time(start, end) for start, end in events)) * 1e-3

    def _time(self) -> _Timed:
        return _Timed(self._cupy, self._events)


class _Timed:
    """Records an event before what is inside and one after it."""

    __slots__ = ("_cupy", "_events", "_start")

    def __init__(self, cupy: Any, events: list[tuple[Any, Any]]) -> None:
        self._cupy, self._events = cupy, events

    def __enter__(self) -> None:
        self._start = self._cupy.cuda.Event()
        self._start.record()

    def __exit__(self, *_: object) -> None:
        end = self._cupy.cuda.Event()
        end.record()
        self._events.append((self._start, end))
        if len(self._events) > 4096:  # nobody asks for them
            self._events.clear()
