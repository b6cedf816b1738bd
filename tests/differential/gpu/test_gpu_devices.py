"""GPU schedules on every OpenCL device give what NumPy gives, with and without sub-groups; as CUDA they compile."""

from __future__ import annotations

import re

import pytest

import heddle as hd
from heddle.codegen.device import opencl
from heddle.codegen.device.program import WarpForm
from heddle.notation.nodes import index_variables
from heddle.notation.parser import parse
from heddle.runtime.devices.opencl_devices import CHOICE, OpenClDevice, devices
from heddle.runtime.kernels.offload import index_choice
from tests.differential.check import check
from tests.differential.gpu.cuda_text import check_text, needs_nvrtc
from tests.differential.gpu.gpu_schedules import SCHEDULES, commands
from tests.fuzz.check_program import check_program
from tests.fuzz.gpu import draw_gpu_program

LARGE = {"i": 203, "j": 67, "k": 71}  # many blocks, rows of different lengths, several tiles of columns
BOUND = {"k": 29}  # where a schedule claims that one tile holds them


@pytest.mark.takes_turns(10, among="OpenCL devices")
@pytest.mark.combinations(6, "device")
@pytest.mark.skipif(not devices(), reason="there is no OpenCL device: no wheel of a runtime for this machine")
@pytest.mark.parametrize("device", devices(), ids=lambda device: device.platform)
@pytest.mark.parametrize("name", SCHEDULES)
def test_the_result_is_right(name: str, device: OpenClDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOICE, device.platform)
    expression, formats, schedule = SCHEDULES[name]
    check(expression, formats, commands(schedule), targets=("opencl",))
    variables = index_variables(parse(expression))
    if len(variables) <= 3:
        sizes = LARGE | BOUND if "bound(" in schedule else LARGE
        large = {variable: size for variable, size in sizes.items() if variable in variables}
        check(expression, formats, commands(schedule), targets=("opencl",), sizes=large)


@pytest.mark.takes_turns(10, among="OpenCL devices")
@pytest.mark.combinations(6)
@pytest.mark.skipif(not devices(), reason="there is no OpenCL device: no wheel of a runtime for this machine")
@pytest.mark.parametrize("name", SCHEDULES)
def test_the_result_is_right_with_indices_of_64_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_choice, "beyond", lambda *_: "the test wants it")
    expression, formats, schedule = SCHEDULES[name]
    check(expression, formats, commands(schedule), targets=("opencl",))


@pytest.mark.combinations(6)
@needs_nvrtc
@pytest.mark.parametrize("name", SCHEDULES)
def test_cuda_compiles_for_two_architectures(name: str) -> None:
    expression, formats, schedule = SCHEDULES[name]
    check_text(hd.lower(expression, formats, commands(schedule), "cuda"))


# Seed 923000028 of ./heddle fuzz --target gpu.
SHARED_BLOCKS = (
    "C(i,j) = a(i) * b(j)",
    {"a": "compressed", "b": "hashed, dense(2) : 0,0"},
    "precompute(b(j_block,j_inner), j_inner, j_inner)\nparallelize(i, GPUBlock, Temporary)\n"
    "parallelize(j_innerw, GPUThread, Temporary)\nparallelize(j_block, GPUWarp, IgnoreRaces)\n"
    "parallelize(j_inner, GPUThread, IgnoreRaces)",
)


def test_no_two_barriers_follow_one_another() -> None:
    """PoCL 3.0 took zeros from shared memory after two barriers in a row."""
    result = hd.lower(*SHARED_BLOCKS, "opencl")
    result.raise_errors()
    assert result.function is not None
    text = opencl.generate(result.function, WarpForm.LOCAL_MEMORY).source.text
    assert "barrier(" in text
    assert not re.search(r"barrier\([^)]*\);\n\s*barrier\(", text)


@pytest.mark.skipif(not devices(), reason="there is no OpenCL device: no wheel of a runtime for this machine")
@pytest.mark.parametrize("device", devices(), ids=lambda device: device.platform)
def test_blocks_found_in_a_hash_table_and_shared_are_right(
    device: OpenClDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CHOICE, device.platform)
    check(*SHARED_BLOCKS, targets=("opencl",))
    check_program(draw_gpu_program(923000028), 923000028, "opencl")
