"""The generated CUDA reads well and compiles for several architectures; what it computes, tests/gpu checks on a GPU."""

from __future__ import annotations

import re

import pytest

from heddle.codegen.device import cuda
from heddle.loop_ir.walk import statements
from heddle.runtime.devices import nvrtc, occupancy
from tests.compiler.codegen.gpu import gpu_cases
from tests.compiler.loop_ir import gpu_kernels
from tests.differential.gpu.cuda_text import ARCHITECTURES, needs_nvrtc

KERNELS = ("vector_sums", "warp_sums", "reversed_in_shared", "sums_by_key", "register_array")


@needs_nvrtc
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", KERNELS)
def test_compiles_for_several_architectures(name: str, architecture: str) -> None:
    program = cuda.generate(getattr(gpu_kernels, name)())
    compiled = nvrtc.compile_text(program.source.text, architecture)
    assert f".target {architecture}" in compiled.ptx
    (figures,) = occupancy.figures(compiled.cubin)
    assert figures.name == program.kernels[0].name
    assert 0 < figures.registers <= 255
    assert 0 < occupancy.occupancy(figures, program.kernels[0].threads, architecture) <= 1


@pytest.mark.combinations(2)
@needs_nvrtc
@pytest.mark.parametrize("dtype", gpu_cases.OPERATORS)
def test_every_reduction_compiles(dtype: str) -> None:
    program = cuda.generate(gpu_cases.case(dtype).function)
    figures = occupancy.figures(nvrtc.compile_text(program.source.text, "sm_75").cubin)
    assert {kernel.name for kernel in figures} == {kernel.name for kernel in program.kernels}


@needs_nvrtc
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_shared_memory_is_shown_without_what_the_system_reserves(architecture: str) -> None:
    """Machine code for sm_90 counts 1 KiB of the system's into the kernel's: 256 bytes were shown as 1,280."""
    text = """extern "C" __global__ void kernel(int* a) {
      __shared__ int part[64];
      part[threadIdx.x] = a[threadIdx.x];
      __syncthreads();
      a[threadIdx.x] = part[63 - threadIdx.x];
    }"""
    (figures,) = occupancy.figures(nvrtc.compile_text(text, architecture).cubin)
    assert figures.shared_bytes == 256


def test_a_block_has_the_reserved_memory_once() -> None:
    """Eight blocks of 27 KiB fill a multiprocessor of sm_90; counted twice, the reserved 1 KiB left room for seven."""
    assert occupancy.occupancy(occupancy.KernelFigures("kernel", 32, 27 << 10, 0), 256, "sm_90") == 1.0
    assert occupancy.occupancy(occupancy.KernelFigures("kernel", 32, 28 << 10, 0), 256, "sm_90") == 0.875


def test_registers_and_shared_memory_bound_the_occupancy() -> None:
    few = occupancy.KernelFigures("kernel", 32, 0, 0)
    assert occupancy.occupancy(few, 256, "sm_90") == 1.0
    assert occupancy.occupancy(occupancy.KernelFigures("kernel", 128, 0, 0), 256, "sm_90") == 0.25
    assert occupancy.occupancy(occupancy.KernelFigures("kernel", 32, 48 << 10, 0), 256, "sm_70") == 0.25


@needs_nvrtc
@pytest.mark.parametrize("architecture", ["sm_75", "sm_80", "sm_90"])
def test_shared_memory_of_a_kernel_is_counted_without_what_the_system_reserves(architecture: str) -> None:
    text = cuda.generate(gpu_kernels.reversed_in_shared()).source.text
    (figures,) = occupancy.figures(nvrtc.compile_text(text, architecture).cubin)
    assert figures.shared_bytes == 64


def test_the_reserved_shared_memory_is_counted_once() -> None:
    """Eight blocks of 27 KiB, and of 1 KiB that the system reserves, fill the 228 KiB of an H100 but for 4."""
    assert occupancy.occupancy(occupancy.KernelFigures("kernel", 32, 27 << 10, 0), 256, "sm_90") == 1.0
    assert occupancy.occupancy(occupancy.KernelFigures("kernel", 32, 37 << 10, 0), 256, "sm_90") == 0.75


@needs_nvrtc
@pytest.mark.parametrize("dtype", ["uint8", "int16", "bool"])
def test_narrow_elements_in_shared_memory_are_exchanged_in_whole_words(dtype: str) -> None:
    """Three elements take aligned words, also for each of three warps."""
    for in_warps, words in ((False, 1), (True, 3)):
        text = cuda.generate(gpu_kernels.narrow_in_shared(dtype, in_warps)).source.text
        size = 1 if dtype in ("uint8", "bool") else 2
        ptx = nvrtc.compile_text(text, "sm_90").ptx
        (declared,) = re.findall(r"\.shared \.align (\d+) \.b8 \S+\[(\d+)\]", ptx)
        assert declared == ("4", str(4 * size * words))


def test_a_warp_reads_like_cuda() -> None:
    text = cuda.generate(gpu_kernels.warp_sums()).source.text
    assert (
        text[text.index('extern "C"') :]
        == """\
extern "C" __global__ void __launch_bounds__(64) kernel_1(
    int32_t n, double* __restrict__ y, const double* __restrict__ x) {
  const int32_t b = blockIdx.x;
  {
    const int32_t w = threadIdx.x / 32;
    double sum = 0.0;
    {
      const int32_t t = threadIdx.x % 32;
      int32_t at = (b * 2 + w) * 32 + t;
      if (at < n) {
        sum += x[at];
      }
    }
    sum = warp_sum_float64(sum);
    if (threadIdx.x % 32 == 0) {
      y[b * 2 + w] = sum;
    }
  }
}

// The host, in this order:
//   kernel_1<<<(n + 63) / 64, 64>>>(n, y, x);
"""
    )


@pytest.mark.parametrize("name", KERNELS)
def test_every_statement_has_its_line(name: str) -> None:
    function = getattr(gpu_kernels, name)()
    source = cuda.generate(function).source
    lines = cuda.statement_lines(function)
    assert len(lines) == len(list(statements(function.body)))
    assert set(lines) <= {span.line for span in source.spans}
