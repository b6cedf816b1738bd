"""CUDA kernels on a GPU of this machine, through CuPy: compiled once per text, launched in order on one stream.

Operands on the GPU are used where they are (``runtime/tensors/interop/device_operands.py``), and the result is left
there with them; NumPy's and SciPy's are copied to the GPU, and the result is copied back. Everything is queued on
CuPy's current stream, behind what was queued for the same kernel on another one and what PyTorch has on its current
stream; a call ends when it is done. Memory is CuPy's plain memory of the GPU, never managed.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.codegen.device import cuda
from heddle.codegen.device.program import DeviceKernel, DeviceProgram
from heddle.diagnostics import CompileError, Diagnostic, InternalError
from heddle.loop_ir.nodes import Function
from heddle.runtime.devices import cubins, occupancy
from heddle.runtime.devices.cuda_failures import MAX_GROUPS, diagnose, explains_failures, too_many_blocks
from heddle.runtime.devices.occupancy import KernelFigures
from heddle.runtime.extras import Extra

INSTALL = f"{Extra.GPU12.install}, or heddle-sparse[gpu13] where its driver has CUDA 13"


def program_on_device(function: Function) -> tuple[DeviceProgram, CudaStream]:
    """The text of ``function``, compiled for this machine's GPU.

    Raises
    ------
    CompileError
        ``runtime/no-cuda``.
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

    Raises
    ------
    CompileError
        ``runtime/no-cuda``, with what is missing.
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
    cupy = gpu()
    try:
        return cupy.empty(room, dtype)[:count]
    except Exception as error:
        diagnostic = diagnose(cupy, error)
        if diagnostic is None:
            raise
        raise CompileError(diagnostic) from error


def missing() -> str | None:
    """Why CUDA kernels cannot run here; None where they can."""
    if importlib.util.find_spec("cupy") is None:
        return "CuPy is not installed"
    try:
        import cupy
    except Exception as error:  # a library that it links to, or its own complaint about the installation
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        return f"CuPy cannot be imported: {reason.rstrip('.')}"
    runtime = cupy.cuda.runtime
    try:
        count = runtime.getDeviceCount()
    except runtime.CUDARuntimeError as error:
        if "InsufficientDriver" in str(error):
            return _old_driver(runtime)
        return f"the driver answers {error}"
    return None if count else "the driver finds no GPU"


def describe_card(cupy: Any) -> str:
    """The current GPU with the CUDA versions of its driver and of CuPy, in one line for a person."""
    runtime = cupy.cuda.runtime
    name = runtime.getDeviceProperties(cupy.cuda.Device().id)["name"].decode()
    driver, built = _version(runtime.driverGetVersion()), _version(runtime.runtimeGetVersion())
    return f"{name}, driver for CUDA {driver}, CuPy {cupy.__version__} for CUDA {built}"


def _old_driver(runtime: Any) -> str:
    driver, built = runtime.driverGetVersion(), runtime.runtimeGetVersion()
    if driver == 0:
        return "there is no NVIDIA driver"
    return f"the driver has CUDA {_version(driver)}, which is too old for this CuPy, made for CUDA {_version(built)}"


def _version(number: int) -> str:
    """``12.4`` of 12040."""
    return f"{number // 1000}.{number % 1000 // 10}"


@dataclass(frozen=True, slots=True)
class CudaGraph:
    """The fills and launches of a run, which the driver starts as one; ``queued`` keeps their memory."""

    graph: Any
    queued: tuple[Callable[[], Any], ...]

    def launch(self) -> None:
        """Queues all of them on CuPy's current stream."""
        self.graph.launch()


class CudaStream:
    """CuPy's current stream with the kernels of one program. Memory is a CuPy array."""

    def __init__(self, cupy: Any, program: DeviceProgram) -> None:
        self.cupy = cupy
        self._programs: dict[str, DeviceProgram] = {}  # by their kernels
        self._kernels: dict[tuple[int, str], tuple[Any, bytes]] = {}  # by the number of a GPU and their name
        self._start: Any = None
        self._spans: list[tuple[Any, Any]] = []
        self._stream: Any = None
        self._queued: list[Callable[[], Any]] | None = None
        self._decides = False
        self.also(program)

    @explains_failures
    def also(self, program: DeviceProgram) -> None:
        if all(kernel.name in self._programs for kernel in program.kernels):
            return
        self._programs |= dict.fromkeys((kernel.name for kernel in program.kernels), program)
        for kernel in program.kernels:
            self._kernel(kernel.name)

    def _kernel(self, name: str) -> tuple[Any, bytes]:
        """The kernel on the current GPU, which is that of its operands, and its machine code."""
        device = self.cupy.cuda.Device()
        if (device.id, name) not in self._kernels:
            program = self._programs[name]
            code = cubins.machine_code(program.source.text, f"sm_{device.compute_capability}")
            module = self.cupy.cuda.function.Module()
            module.load(code)
            self._kernels |= {
                (device.id, kernel.name): (module.get_function(kernel.name), code) for kernel in program.kernels
            }
        return self._kernels[device.id, name]

    @explains_failures
    def begin(self) -> None:
        """What PyTorch has on its current stream may write to an operand between two runs."""
        self._follow()
        torch = sys.modules.get("torch")
        if torch is None or not torch.cuda.is_initialized():
            return
        address = torch.cuda.current_stream().cuda_stream
        if address != self._stream.ptr:
            self._wait_for(self.cupy.cuda.ExternalStream(address))

    def _follow(self) -> None:
        """Orders what comes next behind what was queued here on another stream: operands may still be on their way."""
        before, self._stream = self._stream, self.cupy.cuda.get_current_stream()
        if before is not None and before.ptr != self._stream.ptr:
            self._wait_for(before)

    def _wait_for(self, other: Any) -> None:
        event = self.cupy.cuda.Event(disable_timing=True)
        event.record(other)
        self._stream.wait_event(event)

    @explains_failures
    def allocate(self, count: int, dtype: str, zero: bool) -> Any:
        self._follow()
        memory = empty(count, dtype)
        if zero:
            memory.fill(0)
        return memory

    @explains_failures
    def upload(self, array: Any) -> Any:
        self._follow()
        if isinstance(array, self.cupy.ndarray):
            return array
        self._decides = True
        memory = self.allocate(array.size, array.dtype.name, False)
        memory.set(np.ascontiguousarray(array).reshape(-1))
        return memory

    @explains_failures
    def download(self, memory: Any, array: NDArray[Any]) -> None:
        """Fills ``array`` once everything before it is done."""
        array[...] = memory.get().reshape(array.shape)

    @explains_failures
    def read(self, memory: Any, place: int, dtype: str) -> int | float | bool:
        self._decides = True
        value: int | float | bool = memory[place].item()
        return value

    @explains_failures
    def scan(self, memory: Any, count: int, dtype: str) -> int:
        if count == 0:
            return 0
        self._decides = True
        self._start_clock()
        sums = self.cupy.cumsum(memory[:count], dtype="int64")
        memory[:count] = sums
        return int(sums[-1])

    @explains_failures
    def fill(self, memory: Any, count: int, value: float, dtype: str) -> None:
        if count > 0:
            self._queue(functools.partial(memory[:count].fill, value))

    @explains_failures
    def launch(self, kernel: DeviceKernel, groups: int, arguments: list[Any]) -> None:
        if groups > MAX_GROUPS:
            raise too_many_blocks(kernel.name, groups)
        function, _ = self._kernel(kernel.name)
        self._queue(functools.partial(function, (groups,), (kernel.threads,), tuple(arguments)))

    def _queue(self, work: Callable[[], Any]) -> None:
        self._start_clock()
        work()
        if self._queued is not None:
            self._queued.append(work)

    @explains_failures
    def graph(self, compute: Callable[[], Any]) -> CudaGraph | None:
        """The fills and launches of ``compute``, which runs once; None where the host decides something in between."""
        self._queued, self._decides = [], False
        try:
            compute()
        finally:
            queued, self._queued = self._queued, None
        if self._decides:
            return None
        with self.cupy.cuda.Stream(non_blocking=True) as stream:
            stream.begin_capture()
            for work in queued:
                work()
            return CudaGraph(stream.end_capture(), tuple(queued))

    def describe(self) -> str:
        return describe_card(self.cupy)

    def figures(self, kernel: DeviceKernel) -> tuple[KernelFigures, str]:
        _, code = self._kernel(kernel.name)
        for needs in occupancy.figures(code):
            if needs.name == kernel.name:
                return needs, f"sm_{self.cupy.cuda.Device().compute_capability}"
        raise InternalError(f"The machine code has no kernel {kernel.name}")

    @explains_failures
    def finish(self) -> None:
        if self._start is not None:
            self._spans.append((self._start, self._record()))
            self._start = None
            if len(self._spans) > 4096:  # nobody asks for them
                self._spans.clear()
        self.cupy.cuda.get_current_stream().synchronize()

    def elapsed_seconds(self) -> float:
        """Seconds that the GPU spent on the calls since this was last asked, by events: each from before its first fill
        or launch to behind its last one, with the gaps between them, as the calls of other libraries are timed."""
        self.finish()
        spans, self._spans = self._spans, []
        return float(sum(self.cupy.cuda.get_elapsed_time(start, end) for start, end in spans)) * 1e-3

    def _start_clock(self) -> None:
        if self._start is None:
            self._start = self._record()

    def _record(self) -> Any:
        event = self.cupy.cuda.Event()
        event.record()
        return event
