"""CUDA without a GPU: its text compiles, where NVRTC is installed."""

from __future__ import annotations

import importlib.util

import pytest

from heddle.codegen.device import cuda
from heddle.result import CompileResult
from heddle.runtime.devices import nvrtc, occupancy

ARCHITECTURES = ("sm_75", "sm_90")
"""The oldest that NVRTC of CUDA 13 has, and that of the H100."""

HAS_NVRTC = importlib.util.find_spec("nvidia") is not None
needs_nvrtc = pytest.mark.skipif(not HAS_NVRTC, reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")


def check_text(result: CompileResult) -> None:
    """The texts for ``cuda``, with indices of 32 bits and of 64, have all their kernels on each architecture."""
    result.raise_errors()
    assert result.function is not None
    for short in (True, False):
        program = cuda.generate(result.function, short)
        for architecture in ARCHITECTURES:
            figures = occupancy.figures(nvrtc.compile_text(program.source.text, architecture).cubin)
            assert {one.name for one in figures} == {kernel.name for kernel in program.kernels}
