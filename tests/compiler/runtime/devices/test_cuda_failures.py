"""What goes wrong between CuPy, the driver and the GPU is said in sentences that name what helps."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.devices import cuda
from heddle.runtime.devices.cuda_failures import diagnose
from tests.compiler.runtime.devices.recorded_gpu import CUDADriverError, CUDARuntimeError, OutOfMemoryError, RecordedGpu

ROWS = "split(i, block, thread, 4)\nparallelize(block, GPUBlock, NoRaces)\nparallelize(thread, GPUThread, NoRaces)"
SPMV = ("y(i) = A(i,j) * x(j)", {"A": "csr"}, ROWS, "cuda")


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> RecordedGpu:
    recorded = RecordedGpu()
    recorded.use(monkeypatch)
    return recorded


def bound(gpu: RecordedGpu) -> hd.BoundCall:
    return hd.compile(*SPMV).bind(A=hd.pack(np.eye(3), "csr"), x=np.ones(3))


def only(caught: pytest.ExceptionInfo[CompileError]) -> Diagnostic:
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def test_a_full_memory_says_how_to_free_it(gpu: RecordedGpu, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> Any:
        raise OutOfMemoryError("Out of memory allocating 8 bytes (allocated so far: 0 bytes).")

    monkeypatch.setattr(gpu, "empty", full)
    with pytest.raises(CompileError) as caught:
        bound(gpu)
    diagnostic = only(caught)
    assert diagnostic.code == "runtime/gpu-memory"
    assert diagnostic.message == (
        "The GPU's memory is full: Out of memory allocating 8 bytes (allocated so far: 0 bytes)."
    )
    assert diagnostic.hint is not None
    assert "free_all_blocks()" in diagnostic.hint


def test_a_fault_of_a_launch_says_what_to_do(gpu: RecordedGpu, monkeypatch: pytest.MonkeyPatch) -> None:
    call = bound(gpu)

    def fault() -> None:
        raise CUDARuntimeError("cudaErrorIllegalAddress: an illegal memory access was encountered")

    monkeypatch.setattr(gpu.cuda, "get_current_stream", lambda: SimpleNamespace(ptr=0, synchronize=fault))
    with pytest.raises(CompileError) as caught:
        call.run()
    diagnostic = only(caught)
    assert diagnostic.code == "runtime/cuda-fault"
    assert diagnostic.message == (
        "The GPU stopped a kernel: cudaErrorIllegalAddress: an illegal memory access was encountered."
    )
    assert diagnostic.hint is not None
    assert diagnostic.hint.startswith("Start this process again: the GPU is lost to it. The target interpreter runs")


@pytest.mark.parametrize(
    ("error", "code", "hint"),
    [
        ("CUDA_ERROR_OUT_OF_MEMORY: out of memory", "runtime/gpu-memory", "Use smaller operands"),
        (
            "CUDA_ERROR_INVALID_IMAGE: image is invalid",
            "runtime/cuda-driver",
            "Update the driver, or use",
        ),
        ("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: too many", "runtime/cuda-resources", "Split the loops"),
        ("CUDA_ERROR_LAUNCH_TIMEOUT: the launch timed out", "runtime/cuda-timeout", "Use smaller operands, or a GPU"),
    ],
)
def test_every_answer_of_the_driver_has_its_help(gpu: RecordedGpu, error: str, code: str, hint: str) -> None:
    diagnostic = diagnose(gpu, CUDADriverError(error))
    assert diagnostic is not None
    assert (diagnostic.code, diagnostic.actual) == (code, error)
    assert diagnostic.hint is not None
    assert diagnostic.hint.startswith(hint)


def test_other_errors_stay_what_they_are(gpu: RecordedGpu, monkeypatch: pytest.MonkeyPatch) -> None:
    assert diagnose(gpu, KeyError("x")) is None
    monkeypatch.setattr(gpu, "empty", lambda *_: {}["x"])
    with pytest.raises(KeyError):
        bound(gpu)


def test_a_grid_that_no_gpu_has_is_refused(gpu: RecordedGpu) -> None:
    """CuPy passes the number of blocks on in 32 bits."""
    call = bound(gpu)
    call.run()
    assert call.device is not None
    (launch,) = call.device.started
    stream = cuda.CudaStream(gpu, _program(call))
    with pytest.raises(CompileError) as caught:
        stream.launch(launch.kernel, 2**31, [])
    diagnostic = only(caught)
    assert diagnostic.code == "runtime/cuda-grid"
    assert diagnostic.message == (
        f"{launch.kernel.name} would be launched with 2,147,483,648 blocks; a GPU has at most 2,147,483,647."
    )
    assert diagnostic.hint == "Split the loop over blocks by a larger factor, so that each block has more of it."


def _program(call: hd.BoundCall) -> Any:
    assert call.device is not None
    return SimpleNamespace(kernels=[call.device.started[0].kernel], source=SimpleNamespace(text=""))


def with_cupy(monkeypatch: pytest.MonkeyPatch, runtime: Any) -> None:
    module = ModuleType("cupy")
    module.cuda = SimpleNamespace(runtime=runtime)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setattr(cuda.importlib.util, "find_spec", lambda name: object())


class OldDriver:
    CUDARuntimeError = CUDARuntimeError

    def __init__(self, version: int) -> None:
        self._version = version

    def getDeviceCount(self) -> int:  # noqa: N802 - CuPy's name
        raise CUDARuntimeError("cudaErrorInsufficientDriver: CUDA driver version is insufficient")

    def driverGetVersion(self) -> int:  # noqa: N802
        return self._version

    def runtimeGetVersion(self) -> int:  # noqa: N802
        return 13020


def test_a_driver_that_is_too_old_is_named_with_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cupy(monkeypatch, OldDriver(12040))
    assert cuda.missing() == "the driver has CUDA 12.4, which is too old for this CuPy, made for CUDA 13.2"
    with_cupy(monkeypatch, OldDriver(0))
    assert cuda.missing() == "there is no NVIDIA driver"


def test_a_cupy_that_cannot_be_imported_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda.importlib.util, "find_spec", lambda name: object())

    class Broken:
        def find_spec(self, name: str, *_: Any) -> None:
            if name == "cupy":
                raise ImportError("\nlibcudart.so.13: cannot open shared object file.\nMore about it")

    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    reason = "CuPy cannot be imported: libcudart.so.13: cannot open shared object file"
    assert cuda.missing() == reason
    with pytest.raises(CompileError) as caught:
        cuda.gpu.__wrapped__()
    assert only(caught).message == f"There is no GPU to run CUDA kernels on: {reason}."
