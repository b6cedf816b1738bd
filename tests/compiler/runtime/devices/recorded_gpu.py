"""A stand-in for CuPy that keeps "device" memory apart from the host's and records what is asked of it. It computes no
kernel: results are checked on a real GPU by ``tests/gpu``. What is checked here is which memory goes where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from heddle.runtime.devices import cubins, cuda, occupancy


@dataclass(frozen=True, slots=True)
class Launch:
    kernel: str
    groups: int
    threads: int
    arguments: tuple[Any, ...]
    stream: str


@dataclass(slots=True)
class Recorded:
    """``to_device`` and ``to_host`` are the bytes of each copy; ``ordered``: a stream, and which waited for it."""

    to_device: list[int] = field(default_factory=list)
    to_host: list[int] = field(default_factory=list)
    launches: list[Launch] = field(default_factory=list)
    waited: list[str] = field(default_factory=list)
    ordered: list[tuple[str, str]] = field(default_factory=list)


class DeviceArray:
    """What the code uses of ``cupy.ndarray``; NumPy can neither read nor convert it."""

    __array_ufunc__ = None

    def __init__(self, gpu: RecordedGpu, memory: np.ndarray) -> None:
        self._gpu, self._memory = gpu, memory
        self.shape, self.dtype, self.size = memory.shape, memory.dtype, memory.size
        self.ndim, self.nbytes, self.flags = memory.ndim, memory.nbytes, memory.flags

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        place = (self.address, False)
        return {"shape": self.shape, "typestr": self.dtype.str, "data": place, "strides": None, "version": 3}

    @property
    def address(self) -> int:
        return int(self._memory.__array_interface__["data"][0])

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.address)

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")

    def _made(self, memory: Any) -> DeviceArray:
        return DeviceArray(self._gpu, np.asarray(memory))

    def get(self) -> np.ndarray:
        self._gpu.recorded.to_host.append(self.nbytes)
        return self._memory.copy()

    def item(self) -> Any:
        return self.get().item()

    def set(self, array: np.ndarray) -> None:
        assert isinstance(array, np.ndarray)
        self._gpu.recorded.to_device.append(array.nbytes)
        self._memory[...] = array

    def copy(self) -> DeviceArray:
        return self._made(self._memory.copy())

    def fill(self, value: float) -> None:
        if self._gpu.captured is not None:
            self._gpu.captured.append(lambda: self._memory.fill(value))
            return
        self._memory.fill(value)

    def reshape(self, shape: Any) -> DeviceArray:
        return self._made(self._memory.reshape(shape))

    def transpose(self, order: Any) -> DeviceArray:
        return self._made(self._memory.transpose(order))

    def astype(self, dtype: str, copy: bool = True) -> DeviceArray:
        return self if self.dtype == dtype and not copy else self._made(self._memory.astype(dtype))

    def all(self) -> DeviceArray:
        return self._made(self._memory.all())

    def __bool__(self) -> bool:
        return bool(self._memory)

    def __int__(self) -> int:
        return int(self._memory)

    def __getitem__(self, key: Any) -> DeviceArray:
        return self._made(self._memory[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        assert not isinstance(value, np.ndarray)
        self._memory[getattr(key, "_memory", key)] = getattr(value, "_memory", value)

    def __lt__(self, other: Any) -> DeviceArray:
        return self._made(self._memory < getattr(other, "_memory", other))

    def __gt__(self, other: Any) -> DeviceArray:
        return self._made(self._memory > getattr(other, "_memory", other))

    def __ge__(self, other: Any) -> DeviceArray:
        return self._made(self._memory >= getattr(other, "_memory", other))

    def __eq__(self, other: object) -> DeviceArray:  # type: ignore[override]
        return self._made(self._memory == getattr(other, "_memory", other))

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: DeviceArray) -> DeviceArray:
        return self._made(self._memory & other._memory)

    def __or__(self, other: DeviceArray) -> DeviceArray:
        return self._made(self._memory | other._memory)


class OutOfMemoryError(MemoryError):
    """CuPy's."""


class CUDARuntimeError(RuntimeError):
    """CuPy's, of the runtime."""


class CUDADriverError(RuntimeError):
    """CuPy's, of the driver."""


class RecordedGpu:
    """The module: ``asarray``, ``empty``, modules of machine code, streams and events. Every event is a millisecond
    after the one before it. ``use`` makes it this machine's GPU; its machine code is the text."""

    ndarray = DeviceArray

    def __init__(self) -> None:
        self.recorded, self.stream, self._time = Recorded(), "default", 0.0
        self.captured: list[Callable[[], None]] | None = None
        self.cuda = SimpleNamespace(
            memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
            runtime=SimpleNamespace(CUDARuntimeError=CUDARuntimeError),
            driver=SimpleNamespace(CUDADriverError=CUDADriverError),
            function=SimpleNamespace(Module=lambda: _Module(self)),
            Stream=self._on_a_stream,
            get_current_stream=lambda: _Stream(self, self.stream),
            ExternalStream=lambda address: _Stream(self, f"at {address}", address),
            Device=lambda: SimpleNamespace(id=0, compute_capability="90"),
            Event=lambda disable_timing=False: _Event(self),
            get_elapsed_time=lambda start, end: end.time - start.time,
        )

    @contextmanager
    def _on_a_stream(self, non_blocking: bool) -> Iterator[_Stream]:
        before, self.stream = self.stream, f"another, non_blocking={non_blocking}"
        yield _Stream(self, self.stream)
        self.stream = before

    def asarray(self, array: Any) -> DeviceArray:
        if isinstance(array, DeviceArray):
            return array
        made = self.empty(array.shape, array.dtype)
        made.set(array)
        return made

    def array(self, values: Any, dtype: str = "float64") -> DeviceArray:
        """Memory that was on the device before anybody looked, or a copy of such memory."""
        return values.copy() if isinstance(values, DeviceArray) else DeviceArray(self, np.array(values, dtype=dtype))

    def empty(self, shape: Any, dtype: Any) -> DeviceArray:
        return DeviceArray(self, np.zeros(shape, dtype))

    def zeros(self, shape: Any, dtype: Any) -> DeviceArray:
        return self.empty(shape, dtype)

    def cumsum(self, array: DeviceArray, dtype: str) -> DeviceArray:
        return DeviceArray(self, np.cumsum(array._memory, dtype=dtype))

    def from_dlpack(self, array: Any) -> DeviceArray:
        return array.__dlpack__(stream=self.stream)

    def kernel(self, text: str, name: str) -> Any:
        return _Kernel(self, name)

    def use(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cuda, "gpu", lambda: self)
        monkeypatch.setattr(cubins, "machine_code", lambda text, architecture: text.encode())
        monkeypatch.setattr(occupancy, "figures", _needs_of)


def _needs_of(code: bytes) -> tuple[occupancy.KernelFigures, ...]:
    """What a small kernel needs on an H100."""
    names = re.findall(r"__launch_bounds__\(\d+\) (\w+)\(", code.decode())
    return tuple(occupancy.KernelFigures(name, 64, 0, 0) for name in names)


class _Module:
    """Of machine code that is the text."""

    def __init__(self, gpu: RecordedGpu) -> None:
        self._gpu = gpu

    def load(self, code: bytes) -> None:
        self._text = code.decode()

    def get_function(self, name: str) -> Any:
        return self._gpu.kernel(self._text, name)


class _Stream:
    def __init__(self, gpu: RecordedGpu, name: str, address: int | None = None) -> None:
        self._gpu, self.name = gpu, name
        self.ptr = (0 if name == "default" else hash(name)) if address is None else address

    def synchronize(self) -> None:
        self._gpu.recorded.waited.append(self.name)

    def begin_capture(self) -> None:
        assert self.name != "default", "CUDA captures no default stream"
        self._gpu.captured = []

    def end_capture(self) -> Any:
        captured, self._gpu.captured = self._gpu.captured or [], None
        return SimpleNamespace(launch=lambda: [work() for work in captured])

    def wait_event(self, event: _Event) -> None:
        self._gpu.recorded.ordered.append((event.stream, self.name))


class _Kernel:
    def __init__(self, gpu: RecordedGpu, name: str) -> None:
        self._gpu, self._name = gpu, name

    def __call__(self, groups: tuple[int], threads: tuple[int], arguments: tuple[Any, ...]) -> None:
        if self._gpu.captured is not None:
            self._gpu.captured.append(lambda: self(groups, threads, arguments))
            return
        self._gpu.recorded.launches.append(Launch(self._name, groups[0], threads[0], arguments, self._gpu.stream))


class _Event:
    def __init__(self, gpu: RecordedGpu) -> None:
        self._gpu = gpu

    def record(self, stream: _Stream | None = None) -> None:
        self._gpu._time += 1.0
        self.time = self._gpu._time
        self.stream = self._gpu.stream if stream is None else stream.name

    def synchronize(self) -> None:
        self._gpu.recorded.waited.append(self._gpu.stream)


def sparse(gpu: RecordedGpu, format: str, shape: tuple[int, int], values: Any, *indices: Any) -> Any:
    """A matrix as ``cupyx.scipy.sparse`` has it."""
    names = ("row", "col") if format == "coo" else ("indptr", "indices")
    arrays = {name: gpu.array(array, "int32") for name, array in zip(names, indices, strict=True)}
    data = gpu.array(values)
    return SimpleNamespace(format=format, shape=shape, ndim=2, dtype=data.dtype, data=data, **arrays)
