"""The generated OpenCL computes what NumPy computes, on every runtime of this machine and with both forms of a warp."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.codegen.device import opencl
from heddle.codegen.device.program import WarpForm
from heddle.loop_ir.verification.verify import verify
from heddle.loop_ir.walk import statements
from tests.compiler.codegen.gpu import gpu_cases
from tests.compiler.codegen.gpu.devices import Runner, on_every_device, runner_name, runners
from tests.compiler.codegen.gpu.opencl_call import call
from tests.compiler.loop_ir import gpu_kernels


def run(runner: Runner, function: object, **arguments: object) -> None:
    assert call(function, dict(arguments), runner.device, runner.form) == 0  # type: ignore[arg-type]


@on_every_device
def test_sums_of_blocks_and_of_warps(runner: Runner) -> None:
    x = np.arange(150.0)
    y = np.full(3, 99.0)
    run(runner, gpu_kernels.vector_sums(), n=150, x=x, y=y)
    np.testing.assert_array_equal(y, [x[64 * b : 64 * b + 64].sum() for b in range(3)])
    y = np.full(6, 99.0)
    run(runner, gpu_kernels.warp_sums(), n=150, x=x, y=y)
    np.testing.assert_array_equal(y, [x[32 * row : 32 * row + 32].sum() for row in range(6)])


@on_every_device
def test_arrays_of_the_block_and_of_the_thread(runner: Runner) -> None:
    x, y = np.arange(64.0), np.zeros(64)
    run(runner, gpu_kernels.reversed_in_shared(), n=64, x=x, y=y)
    np.testing.assert_array_equal(y, x.reshape(8, 8)[:, ::-1].ravel())
    y = np.zeros(4)
    run(runner, gpu_kernels.register_array(), n=64, x=x, y=y)
    np.testing.assert_array_equal(y, [1.0, 3.0, 5.0, 7.0])


@on_every_device
def test_warps_of_one_block_go_different_ways(runner: Runner) -> None:
    y = np.full(6, 99.0)
    run(runner, gpu_cases.uneven_warps(), y=y, x=y, keys=y, n=6)
    np.testing.assert_array_equal(y, [32, 64, 64, 96, 96, 128])


# All dtypes on the first device, on the others one for each way to exchange a value: building takes its time.
REDUCTIONS = [
    pytest.param(runner, dtype, id=f"{dtype}-{runner_name(runner)}")
    for runner in runners()
    for dtype in (gpu_cases.OPERATORS if runner == runners()[0] else ("bool", "float32", "float64"))
]


@pytest.mark.takes_turns(10, among="OpenCL devices")
@pytest.mark.combinations(8)
@pytest.mark.skipif(not REDUCTIONS, reason="there is no OpenCL device")
@pytest.mark.parametrize(("runner", "dtype"), REDUCTIONS)
def test_every_reduction_in_every_way(runner: Runner, dtype: str) -> None:
    case = gpu_cases.case(dtype)
    verify(case.function)
    found = case.y.copy()
    run(runner, case.function, n=gpu_cases.COUNT, x=case.x, y=found, keys=gpu_cases.KEYS)
    np.testing.assert_array_equal(found, case.expected)


def test_the_text_says_which_form_of_a_warp_it_has() -> None:
    first = {form: opencl.generate(gpu_kernels.warp_sums(), form).source.line(1) for form in list(WarpForm)[1:]}
    assert first == {
        WarpForm.SUB_GROUPS: "// Warps: sub-groups of 32 work-items that exchange values by shuffles.",
        WarpForm.LOCAL_MEMORY: "// Warps: 32 work-items that exchange values through local memory; this device has no "
        "sub-groups.",
    }


def test_without_sub_groups_diverging_warps_are_work_groups() -> None:
    program = opencl.generate(gpu_cases.uneven_warps(), WarpForm.LOCAL_MEMORY)
    assert [(kernel.threads, kernel.groups) for kernel in program.kernels] == [(32, 2)]
    assert "const int b = get_group_id(0) / 2;" in program.source.text
    together = opencl.generate(gpu_kernels.vector_sums(), WarpForm.LOCAL_MEMORY)
    assert [(kernel.threads, kernel.groups) for kernel in together.kernels] == [(64, 1)]


@pytest.mark.parametrize("name", ["vector_sums", "warp_sums", "reversed_in_shared", "sums_by_key", "register_array"])
def test_every_statement_has_its_line(name: str) -> None:
    function = getattr(gpu_kernels, name)()
    lines = opencl.statement_lines(function)
    source = opencl.generate(function).source
    assert len(lines) == len(list(statements(function.body)))
    mapped = {span.line for span in source.spans}
    assert set(lines) <= mapped
