"""NVRTC of any version is loaded with what it needs, and what it cannot do is said in a sentence."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from heddle.diagnostics import CompileError, InternalError
from heddle.runtime.devices import cubins, nvrtc
from tests.differential.gpu.cuda_text import needs_nvrtc

TEXT = 'extern "C" __global__ void half(float* y) { y[threadIdx.x] = y[threadIdx.x] * 0.5f; }'


@needs_nvrtc
def test_subnormal_numbers_are_kept() -> None:
    ptx = nvrtc.compile_text(TEXT, "sm_90").ptx
    assert "mul.f32" in ptx
    assert ".ftz" not in ptx


@needs_nvrtc
def test_an_architecture_that_this_version_lacks_is_a_sentence() -> None:
    for architecture, hint in (
        ("sm_20", "NVRTC of CUDA 12 has older architectures: pip install nvidia-cuda-nvrtc-cu12."),
        ("sm_999", "Install a newer version: pip install -U nvidia-cuda-nvrtc (CUDA 13)."),
    ):
        with pytest.raises(CompileError) as caught:
            nvrtc.compile_text(TEXT, architecture)
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code == "runtime/cuda-architecture"
        assert diagnostic.message == f"NVRTC {nvrtc.version()} has no machine code for {architecture}."
        assert diagnostic.expected is not None
        assert "sm_90" in diagnostic.expected
        assert diagnostic.hint == hint


@needs_nvrtc
def test_text_that_does_not_compile_is_a_defect_in_heddle() -> None:
    with pytest.raises(InternalError, match="does not compile for sm_90"):
        nvrtc.compile_text(TEXT.replace("0.5f", "nothing"), "sm_90")


def test_the_builtins_beside_nvrtc_are_loaded_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NVRTC 13 of a package finds them nowhere else."""
    for name in ("libnvrtc.so.13", "libnvrtc-builtins.so.13.0", "libnvrtc-builtins.alt.so.13.0"):
        (tmp_path / name).touch()
    loaded: list[str] = []

    def load(path: str) -> Any:
        loaded.append(Path(path).name)
        return SimpleNamespace(nvrtcGetErrorString=SimpleNamespace())

    monkeypatch.setattr(nvrtc, "_candidates", lambda: [str(tmp_path / "libnvrtc.so.13")])
    monkeypatch.setattr(nvrtc, "c_types", lambda: SimpleNamespace(CDLL=load, c_char_p=ctypes.c_char_p))
    nvrtc.library.__wrapped__()
    assert loaded == ["libnvrtc-builtins.so.13.0", "libnvrtc.so.13"]


def test_a_toolkit_is_found_where_its_variable_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As CuPy finds it; the linker need not know the folder."""
    (tmp_path / "lib64").mkdir()
    (tmp_path / "lib64" / "libnvrtc.so.13").touch()
    monkeypatch.setenv("CUDA_PATH", str(tmp_path))
    found = nvrtc._candidates()
    assert str(tmp_path / "lib64" / "libnvrtc.so.13") in found
    assert found[-1] == "libnvrtc.so"


class IncompleteLibrary:
    """NVRTC 13.0 without its builtins."""

    LOG = b"nvrtc: error: failed to open libnvrtc-builtins.so.13.0.\n  Make sure that it is installed correctly.\0"

    def nvrtcVersion(self, major: Any, minor: Any) -> int:  # noqa: N802 - NVIDIA's names
        major._obj.value, minor._obj.value = 13, 0
        return 0

    def nvrtcGetNumSupportedArchs(self, count: Any) -> int:  # noqa: N802
        count._obj.value = 2
        return 0

    def nvrtcGetSupportedArchs(self, numbers: Any) -> int:  # noqa: N802
        numbers[:] = [90, 75]
        return 0

    def nvrtcCreateProgram(self, *_: Any) -> int:  # noqa: N802
        return 0

    def nvrtcCompileProgram(self, *_: Any) -> int:  # noqa: N802
        return 7

    def nvrtcGetProgramLogSize(self, program: Any, size: Any) -> int:  # noqa: N802
        size._obj.value = len(self.LOG)
        return 0

    def nvrtcGetProgramLog(self, program: Any, buffer: Any) -> int:  # noqa: N802
        buffer[:] = self.LOG
        return 0

    def nvrtcDestroyProgram(self, program: Any) -> int:  # noqa: N802
        return 0

    def nvrtcGetErrorString(self, status: int) -> bytes:  # noqa: N802
        return b"NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"


def test_an_nvrtc_that_is_not_whole_is_no_defect_in_heddle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "library", IncompleteLibrary)
    assert nvrtc.architectures() == ("sm_75", "sm_90")
    with pytest.raises(CompileError) as caught:
        nvrtc.compile_text(TEXT, "sm_90")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/nvrtc"
    assert diagnostic.message == (
        "NVRTC cannot compile on this machine: nvrtc: error: failed to open libnvrtc-builtins.so.13.0."
    )
    assert diagnostic.hint == "Install it again with: pip install nvidia-cuda-nvrtc-cu12. No GPU is needed to compile."


def test_machine_code_is_compiled_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[tuple[str, str]] = []

    def compile_text(text: str, architecture: str) -> nvrtc.Compiled:
        compiled.append((text, architecture))
        return nvrtc.Compiled("", f"{text} for {architecture}".encode())

    monkeypatch.setenv("HEDDLE_CACHE", str(tmp_path))
    monkeypatch.setattr(nvrtc, "compile_text", compile_text)
    monkeypatch.setattr(nvrtc, "version", lambda: "13.0")
    for architecture in ("sm_80", "sm_90", "sm_80"):
        assert cubins.machine_code("text", architecture) == f"text for {architecture}".encode()
    assert compiled == [("text", "sm_80"), ("text", "sm_90")]
    monkeypatch.setattr(nvrtc, "version", lambda: "13.1")
    cubins.machine_code("text", "sm_80")
    assert len(compiled) == 3
    (damaged, *_) = sorted(tmp_path.glob("kernels/?/cuda-*.so"))
    damaged.write_bytes(b"something else")
    for architecture in ("sm_80", "sm_90"):
        for version in ("13.0", "13.1"):
            monkeypatch.setattr(nvrtc, "version", lambda version=version: version)
            assert cubins.machine_code("text", architecture) == f"text for {architecture}".encode()
