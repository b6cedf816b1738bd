"""On a machine with an NVIDIA GPU: every GPU schedule gives what NumPy gives, and every reduction is exact.

Needs the repository, NumPy, SciPy, CuPy, Lark and pytest: ``python -m pytest tests/gpu``.
"""

from __future__ import annotations

import numpy as np
import pytest

from heddle.codegen.device import cuda as text
from heddle.codegen.device.program import DeviceProgram
from heddle.loop_ir.nodes import Function
from heddle.runtime.devices import cuda
from heddle.runtime.kernels.offload.host_program import Call, host_program
from tests.compiler.codegen.gpu import gpu_cases
from tests.differential.check import check
from tests.differential.gpu.gpu_schedules import SCHEDULES, commands

pytestmark = pytest.mark.skipif(cuda.missing() is not None, reason=f"no GPU for CUDA here: {cuda.missing()}")
LARGE = {"i": 1003, "j": 367}


@pytest.mark.parametrize("name", SCHEDULES)
def test_the_result_is_right(name: str) -> None:
    expression, formats, schedule = SCHEDULES[name]
    check(expression, formats, commands(schedule), targets=("cuda",))


@pytest.mark.parametrize("name", [name for name, case in SCHEDULES.items() if case[0] == "y(i) = A(i,j) * x(j)"])
def test_many_blocks(name: str) -> None:
    expression, formats, schedule = SCHEDULES[name]
    check(expression, formats, commands(schedule), targets=("cuda",), sizes=LARGE)


@pytest.mark.parametrize("dtype", gpu_cases.OPERATORS)
def test_every_reduction_in_every_way(dtype: str) -> None:
    case = gpu_cases.case(dtype)
    found = _run(case.function, {"n": gpu_cases.COUNT}, {"x": case.x, "y": case.y, "keys": gpu_cases.KEYS})
    np.testing.assert_array_equal(found, case.expected)


def test_warps_of_one_block_go_different_ways() -> None:
    empty = np.full(6, 99.0)
    found = _run(gpu_cases.uneven_warps(), {"n": 6}, {"x": empty, "y": empty, "keys": empty})
    np.testing.assert_array_equal(found, [32, 64, 64, 96, 96, 128])


def _run(function: Function, scalars: dict[str, int], arrays: dict[str, np.ndarray]) -> np.ndarray:
    program: DeviceProgram = text.generate(function)
    stream = cuda.CudaStream(cuda.gpu(), program)
    memory = {name: stream.upload(array) for name, array in arrays.items()}
    assert (
        host_program(program, lambda: text.generate(function, short=False))(Call(stream, dict(scalars), arrays, memory))
        == 0
    )
    found = arrays["y"].copy()
    stream.download(memory["y"], found)
    return found
