"""Kernels on devices: what is said where there is none, results of OpenCL kernels, and what they can be asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import heddle as hd
from heddle.codegen.device.program import WarpForm
from heddle.diagnostics import CompileError
from heddle.runtime.devices import cuda, opencl, opencl_devices
from heddle.runtime.devices.opencl_devices import OpenClDevice
from heddle.runtime.kernels.offload.launch_record import Launched
from tests.compiler.loop_ir import gpu_kernels

ROWS = "split(i, block, thread, 4)\nparallelize(block, GPUBlock, NoRaces)\nparallelize(thread, GPUThread, NoRaces)"
SPMV = ("y(i) = A(i,j) * x(j)", {"A": "csr"}, ROWS)
POOR = OpenClDevice(None, "Small GPU", "Some platform", False, frozenset({"cl_khr_fp64"}), 1 << 15, 16, "OpenCL 1.2")

needs_opencl = pytest.mark.skipif(not opencl_devices.devices(), reason="there is no OpenCL device")


@needs_opencl
def test_a_kernel_on_opencl_is_called_like_any_other() -> None:
    kernel = hd.compile(*SPMV, target="opencl")
    a, x = np.array([[1.0, 0, 2], [0, 0, 0], [0, 3, 0]]), np.array([1.0, 10, 100])
    assert kernel(A=a, x=x).to_numpy().tolist() == [201, 0, 30]
    assert "__kernel" in kernel.source
    call = kernel.bind(A=hd.pack(a, "csr"), x=x)
    call.run()
    assert call.device is not None
    assert [(one.kernel.threads, one.groups) for one in call.device.started] == [(4, 1)]
    assert call.device.launched() == (
        Launched(call.device.started[0].kernel.name, 1, 4, 0, 4, 0, None, None, 32, None),
    )
    assert call.device.seconds() > 0


@needs_opencl
def test_a_kernel_that_accumulates_starts_from_the_values_given() -> None:
    kernel = hd.compile("y(i) += A(i,j) * x(j)", {"A": "csr"}, ROWS, target="opencl")
    call = kernel.bind(A=hd.pack(np.eye(3), "csr"), x=np.ones(3), y=np.array([1.0, 2, 3]))
    call.run()
    call.run()
    assert call.output.to_numpy().tolist() == [2, 3, 4]


@needs_opencl
def test_a_bound_that_does_not_hold_is_refused() -> None:
    schedule = f"bound(i, ib, 4, MaxExact)\n{ROWS.replace('split(i,', 'split(ib,')}"
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}, schedule, target="opencl")
    assert kernel(A=np.eye(4), x=np.ones(4)).to_numpy().tolist() == [1, 1, 1, 1]
    with pytest.raises(CompileError, match=r"bound\(i, ib, 4, MaxExact\) claims that"):
        kernel(A=np.eye(5), x=np.ones(5))


@needs_opencl
def test_workspaces_of_too_many_threads_are_refused() -> None:
    """A row of 200,000 for each of 2048 threads. Without a schedule rows are collected in tables, of any width."""
    private = """precompute(A(i,k) * B(k,j), j, jw, w)
        divide(i, block, rows, 64)
        divide(rows, thread, row, 32)
        parallelize(block, GPUBlock, NoRaces)
        parallelize(thread, GPUThread, NoRaces)"""
    product = "C(i,j) = A(i,k) * B(k,j)"
    kernel = hd.compile(product, dict.fromkeys("ABC", "csr"), private, target="opencl")
    wide = (([0], [199_999]), [1.0], (3, 200_000))
    (rows, columns), values = hd.compile(product, dict.fromkeys("ABC", "csr"), target="opencl")(
        A=np.eye(3), B=wide
    ).to_coo()
    assert (rows.tolist(), columns.tolist(), values.tolist()) == ([0], [199_999], [1.0])
    with pytest.raises(CompileError, match=r"the workspaces w of all threads .* more than 134,217,728 elements"):
        kernel(A=np.eye(3), B=wide)
    narrow = np.eye(3)
    assert kernel(A=narrow, B=2 * narrow).to_numpy().tolist() == (2 * narrow).tolist()


def test_without_a_device_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opencl_devices, "devices", lambda: ())
    with pytest.raises(CompileError) as caught:
        opencl_devices.choose()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/no-opencl"
    assert diagnostic.message.startswith("There is no OpenCL device to run this kernel on: ")
    assert diagnostic.hint is not None
    assert "pip install heddle-sparse[opencl] brings PyOpenCL and two runtimes for the CPU." in diagnostic.hint


@needs_opencl
def test_a_wish_for_a_device_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(opencl_devices.CHOICE, "Quantum")
    with pytest.raises(CompileError, match=r"\$HEDDLE_OPENCL is 'Quantum', and there are "):
        opencl_devices.choose()


def test_a_device_with_small_groups() -> None:
    with pytest.raises(CompileError) as caught:
        opencl.program_for(gpu_kernels.warp_sums(), POOR)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/opencl-device"
    assert diagnostic.message == "The schedule asks for 64 threads in a group; Small GPU has at most 16."


def test_a_block_that_waits_while_its_warps_differ_needs_sub_groups() -> None:
    function = gpu_kernels.kernel(
        gpu_kernels.blocks(
            gpu_kernels.warps(
                2,
                gpu_kernels.sum_of_zero(),
                gpu_kernels.below(
                    gpu_kernels.N,
                    gpu_kernels.Var("w"),
                    gpu_kernels.Combine("sum", "+", gpu_kernels.WARP, gpu_kernels.HERE),
                ),
                gpu_kernels.threads(32),
            ),
            gpu_kernels.Barrier(gpu_kernels.BLOCK, gpu_kernels.HERE),
        )
    )
    with pytest.raises(CompileError) as caught:
        opencl.program_for(function, replace(POOR, work_group=1024), WarpForm.LOCAL_MEMORY)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/opencl-sub-groups"
    assert diagnostic.message == (
        "Small GPU has no sub-groups, and this schedule needs them: its warps diverge in a block that also waits as "
        "a whole."
    )


@pytest.mark.skipif(cuda.missing() is None, reason="there is a GPU")
def test_cuda_without_a_gpu_offers_opencl_and_the_interpreter() -> None:
    with pytest.raises(CompileError) as caught:
        hd.compile(*SPMV, target="cuda")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/no-cuda"
    assert diagnostic.message.startswith("There is no GPU to run CUDA kernels on: ")
    assert diagnostic.hint is not None
    assert diagnostic.hint.startswith("Use the target opencl, which runs the same schedule on a CPU, or interpreter.")


def test_pocl_is_left_out_where_it_has_no_linker(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would end the process as soon as a kernel is built."""
    monkeypatch.setattr(opencl_devices.shutil, "which", lambda name: None)
    found = opencl_devices.devices.__wrapped__()
    assert not any(device.platform.startswith("Portable Computing Language") for device in found)
