"""OpenCL kernels on a device of this machine: built once per text, launched in order on one queue."""

from __future__ import annotations

import functools
import os
import tempfile
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.codegen.device import opencl
from heddle.codegen.device.program import DeviceKernel, DeviceProgram, WarpForm
from heddle.diagnostics import CompileError, Diagnostic, InternalError
from heddle.loop_ir.nodes import Function
from heddle.runtime.devices.arguments import Arguments
from heddle.runtime.devices.opencl_devices import OpenClDevice, choose
from heddle.runtime.native.cache_folder import cache_root

_FORMS = {True: WarpForm.SUB_GROUPS, False: WarpForm.LOCAL_MEMORY}


def program_for(
    function: Function, device: OpenClDevice, form: WarpForm | None = None, short: bool | None = None
) -> DeviceProgram:
    """The text for ``device``, with the form of a warp that it can run; ``short`` as for
    :func:`heddle.codegen.device.opencl.generate`.

    Raises
    ------
    CompileError
        ``runtime/opencl-sub-groups``, ``runtime/opencl-device``.
    """
    try:
        program = opencl.generate(function, form or _FORMS[device.sub_groups], short)
    except opencl.DivergentWarpsError:
        raise _no_sub_groups(
            device,
            "this schedule needs them: its warps diverge in a block that also waits as a whole",
            "put the shared workspace inside the warp",
        ) from None
    except opencl.WaitingCasesError:
        raise _no_sub_groups(
            device,
            "runtimes without them lose their place where threads wait in a loop of one of several parts that a launch "
            "has joined",
            "leave out concat, so that each part has a launch of its own",
        ) from None
    for kernel in program.kernels:
        if kernel.threads > device.work_group:
            raise _too_small(device, "threads in a group", kernel.threads, device.work_group)
    return program


def _no_sub_groups(device: OpenClDevice, why: str, otherwise: str) -> CompileError:
    return CompileError(
        Diagnostic(
            code="runtime/opencl-sub-groups",
            message=f"{device.name} has no sub-groups, and {why}.",
            expected="a device with cl_khr_subgroup_shuffle and cl_intel_required_subgroup_size",
            actual=device.describe(),
            hint=f"Install Intel's runtime with: pip install intel-opencl-rt intel-cmplr-lib-rt. Or {otherwise}.",
        )
    )


def _too_small(device: OpenClDevice, what: str, actual: int, most: int) -> CompileError:
    return CompileError(
        Diagnostic(
            code="runtime/opencl-device",
            message=f"The schedule asks for {actual} {what}; {device.name} has at most {most}.",
            expected=f"at most {most} {what}",
            actual=str(actual),
            hint="Split by a smaller factor.",
        )
    )


def _cache_folder() -> str:
    """Where PyOpenCL keeps what it built: next to other kernels, or for a while where that folder may only be read."""
    folder = cache_root() / "opencl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return tempfile.gettempdir()
    return str(folder) if os.access(folder, os.W_OK) else tempfile.gettempdir()


def build_options(device: OpenClDevice, text: str, standard: str) -> list[str]:
    """What the runtime of ``device`` is told when it builds ``text``; the tests ask for quicker builds here."""
    return [f"-cl-std={standard}", "-w"]


def _type(cl_kernel: Any, kernel: DeviceKernel) -> Any:
    """``cl_kernel`` with the types of its arguments, without which PyOpenCL tries several for each at every launch:
    1.5 µs an argument, of which a launch for many parts has five a part. It passes complex numbers in ways of its
    own."""
    dtypes = [None if argument.array is not None else argument.dtype for argument in kernel.arguments]
    types = [None if name is None else np.dtype("uint8" if name == "bool" else name) for name in dtypes]
    if not any(type_ is not None and type_.kind == "c" for type_ in types):
        cl_kernel.set_arg_types(types)
    return cl_kernel


class OpenClQueue:
    """A device with its context and queue. Memory is a ``pyopencl.Buffer``."""

    def __init__(self, device: OpenClDevice) -> None:
        os.environ.setdefault("POCL_CACHE_DIR", str(cache_root() / "pocl"))
        import pyopencl as cl

        self.device = device
        self._cl = cl
        self._context = cl.Context([device.handle])
        profiling = cl.command_queue_properties.PROFILING_ENABLE
        self._queue = cl.CommandQueue(self._context, properties=profiling)
        self._programs: dict[str, Any] = {}
        self._passed: dict[Any, weakref.ref[Arguments]] = {}  # by kernel: the arguments that it was passed last
        self.events: list[Any] = []

    def build(self, program: DeviceProgram) -> dict[str, Any]:
        """The kernels of ``program`` by name.

        Raises
        ------
        InternalError
            the runtime refuses the text; generated text must always compile.
        """
        text = program.source.text
        if text not in self._programs:
            standard = "CL3.0" if program.form is WarpForm.SUB_GROUPS and self.device.sub_groups else "CL1.2"
            try:
                with warnings.catch_warnings():
                    # What a runtime remarks on a text that compiles is nothing to the person who runs it.
                    warnings.simplefilter("ignore", self._cl.CompilerWarning)
                    options = build_options(self.device, text, standard)
                    built = self._cl.Program(self._context, text).build(options=options, cache_dir=_cache_folder())
            except self._cl.Error as error:
                place = self.device.describe()
                raise InternalError(f"The generated OpenCL does not compile for {place}:\n{error}"[:4000]) from None
            self._programs[text] = {
                kernel.name: _type(self._cl.Kernel(built, kernel.name), kernel) for kernel in program.kernels
            }
        kernels: dict[str, Any] = self._programs[text]
        return kernels

    def allocate(self, count: int, dtype: str, zero: bool) -> Any:
        # Whole words, so that narrow elements can be exchanged atomically; a buffer of no bytes is not allowed.
        size = max(8, -(-count * np.dtype(dtype).itemsize // 8) * 8)
        memory = self._cl.Buffer(self._context, self._cl.mem_flags.READ_WRITE, size)
        if zero:
            self.fill(memory, count, 0, dtype)
        return memory

    def upload(self, array: NDArray[Any]) -> Any:
        memory = self.allocate(array.size, array.dtype.name, False)
        if array.size:
            self._cl.enqueue_copy(self._queue, memory, np.ascontiguousarray(array))
        return memory

    def download(self, memory: Any, array: NDArray[Any]) -> None:
        """Fills ``array`` once everything before it is done."""
        if array.size:
            self._cl.enqueue_copy(self._queue, array, memory)
        self.finish()

    def read(self, memory: Any, place: int, dtype: str) -> int | float | bool:
        cell = np.empty(1, dtype)
        self._cl.enqueue_copy(self._queue, cell, memory, src_offset=place * cell.itemsize)
        value: int | float | bool = cell.item()
        return value

    def scan(self, memory: Any, count: int, dtype: str) -> int:
        """On the host: there are far fewer counts than entries."""
        counts = np.empty(count, dtype)
        self._cl.enqueue_copy(self._queue, counts, memory)
        sums = np.cumsum(counts, dtype=np.int64)
        self._cl.enqueue_copy(self._queue, memory, sums.astype(dtype))
        return int(sums[-1]) if count else 0

    def fill(self, memory: Any, count: int, value: float, dtype: str) -> None:
        if count > 0:
            pattern = np.dtype(dtype).type(value)
            size = count * pattern.dtype.itemsize
            self.events.append(self._cl.enqueue_fill_buffer(self._queue, memory, pattern, 0, size))

    def launcher(self, program: DeviceProgram) -> Launcher:
        return Launcher(self, self.build(program))

    def enqueue(self, kernel: Any, groups: int, threads: int, arguments: Arguments) -> None:
        last = self._passed.get(kernel)
        if last is None or last() is not arguments:
            kernel.set_args(*arguments)
            self._passed[kernel] = weakref.ref(arguments)
        event = self._cl.enqueue_nd_range_kernel(self._queue, kernel, (groups * threads,), (threads,))
        if len(self.events) > 4096:  # nobody asks for them
            self.events.clear()
        self.events.append(event)

    def finish(self) -> None:
        self._queue.finish()

    def elapsed_seconds(self) -> float:
        """Seconds that the device spent on fills and launches since the last call."""
        self.finish()
        events, self.events = self.events, []
        return float(sum(event.profile.end - event.profile.start for event in events)) * 1e-9


class Launcher:
    """A queue with the kernels of one program."""

    __slots__ = ("_kernels", "queue")

    def __init__(self, queue: OpenClQueue, kernels: dict[str, Any]) -> None:
        self.queue = queue
        self._kernels = dict(kernels)

    def also(self, program: DeviceProgram) -> None:
        if any(kernel.name not in self._kernels for kernel in program.kernels):
            self._kernels |= self.queue.build(program)

    def begin(self) -> None:
        """A device has one queue here, and nobody else writes to its buffers."""

    def allocate(self, count: int, dtype: str, zero: bool) -> Any:
        return self.queue.allocate(count, dtype, zero)

    def fill(self, memory: Any, count: int, value: float, dtype: str) -> None:
        self.queue.fill(memory, count, value, dtype)

    def read(self, memory: Any, place: int, dtype: str) -> int | float | bool:
        return self.queue.read(memory, place, dtype)

    def scan(self, memory: Any, count: int, dtype: str) -> int:
        return self.queue.scan(memory, count, dtype)

    def upload(self, array: NDArray[Any]) -> Any:
        return self.queue.upload(array)

    def download(self, memory: Any, array: NDArray[Any]) -> None:
        self.queue.download(memory, array)

    def finish(self) -> None:
        self.queue.finish()

    def describe(self) -> str:
        return self.queue.device.describe()

    def figures(self, kernel: DeviceKernel) -> None:
        """OpenCL does not tell the registers of a kernel."""

    def graph(self, compute: Callable[[], Any]) -> None:
        """OpenCL has no graphs."""

    def elapsed_seconds(self) -> float:
        return self.queue.elapsed_seconds()

    def launch(self, kernel: DeviceKernel, groups: int, arguments: Arguments) -> None:
        self.queue.enqueue(self._kernels[kernel.name], groups, kernel.threads, arguments)


@functools.cache
def queue_of(device: OpenClDevice) -> OpenClQueue:
    """One queue for each device in a process."""
    return OpenClQueue(device)


def default_queue() -> OpenClQueue:
    """The queue of the device that kernels run on.

    Raises
    ------
    CompileError
        ``runtime/no-opencl``.
    """
    return queue_of(choose())
