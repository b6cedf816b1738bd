"""A stand-in for CuPy with all that the GPU benchmark asks of it, on a machine with an H100; the checked interpreter
executes its launches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from heddle.runtime.devices import cuda
from tests.compiler.runtime.devices.executing_gpu import ExecutingGpu, executing_gpu
from tests.compiler.runtime.devices.recorded_gpu import CUDARuntimeError, DeviceArray

HANDLE = 77


class GpuMachine(ExecutingGpu):
    """``free_bytes`` of its memory are left; ``freed`` counts how often what CuPy keeps was given back."""

    __version__ = "14.2.0"

    def __init__(self) -> None:
        super().__init__()
        self.free_bytes, self.freed = 80_000_000_000, 0
        self._arrays: dict[int, DeviceArray] = {}
        properties = {"name": b"NVIDIA H100", "multiProcessorCount": 132, "totalGlobalMem": 85_000_000_000}
        self.cuda.runtime = SimpleNamespace(
            CUDARuntimeError=CUDARuntimeError,
            memGetInfo=lambda: (self.free_bytes, properties["totalGlobalMem"]),
            getDeviceProperties=lambda device: properties,
            driverGetVersion=lambda: 12040,
            runtimeGetVersion=lambda: 12090,
        )
        self.cuda.Device = lambda: SimpleNamespace(id=0, compute_capability="90")
        self.cuda.device = SimpleNamespace(get_cusparse_handle=lambda: HANDLE)

    def empty(self, shape: Any, dtype: Any = "float64") -> DeviceArray:
        """Never zeros by chance, as memory that was used before."""
        made = super().empty(shape, dtype)
        made._memory.view("uint8").fill(0x5A)
        self._arrays[made.address] = made
        return made

    def array(self, values: Any, dtype: str = "float64") -> DeviceArray:
        copy = super().array(values, dtype)
        self._arrays[copy.address] = copy
        return copy

    def zeros(self, shape: Any, dtype: Any = "float64") -> DeviceArray:
        made = self.empty(shape, dtype)
        made.fill(0)
        return made

    def ones(self, shape: Any, dtype: Any = "float64") -> DeviceArray:
        made = self.empty(shape, dtype)
        made.fill(1)
        return made

    def arange(self, count: float) -> DeviceArray:
        return self.asarray(np.arange(count))

    def at(self, address: int) -> DeviceArray:
        """The array that begins at an address."""
        return self._arrays[address]

    def empty_like(self, array: DeviceArray) -> DeviceArray:
        return self.empty(array.shape, array.dtype)

    def copyto(self, target: DeviceArray, source: DeviceArray) -> None:
        target._memory[...] = source._memory

    def allclose(self, found: DeviceArray, expected: DeviceArray, rtol: float, atol: float) -> DeviceArray:
        return found._made(np.allclose(found._memory, expected._memory, rtol, atol))

    def get_default_memory_pool(self) -> Any:
        def free_all_blocks() -> None:
            self.freed += 1

        return SimpleNamespace(free_all_blocks=free_all_blocks)


def gpu_machine(monkeypatch: pytest.MonkeyPatch) -> GpuMachine:
    """This machine has a GPU as long as the test runs."""
    made = GpuMachine()
    executing_gpu(monkeypatch, made)
    monkeypatch.setattr(cuda, "missing", lambda: None)
    return made
