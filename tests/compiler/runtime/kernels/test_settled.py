"""A host program computes once what depends on operands alone, and passes the very same list to the same launch."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.codegen.device import opencl as text
from heddle.codegen.device.program import DeviceKernel, DeviceProgram
from heddle.loop_ir.nodes import Declare, Fill, For, Function, Require
from heddle.runtime.devices import opencl_devices
from heddle.runtime.devices.arguments import Arguments
from heddle.runtime.kernels.call_invariants import find_call_invariants
from heddle.runtime.kernels.offload.host_program import Call, host_program

GRID = ["A[*]: pos(i, p, A)", "A[*]: split(p, b, t, 2)", "A[*]: parallelize(t, GPUThread, NoRaces)"]
FUSED = [*GRID, "concat(grid, A[*])", "parallelize(grid, GPUBlock, NoRaces)"]
PARTS = "dcsr where row < 2 + dcsr where row < 3 + dcsr"


def function_of(format: str, schedule: list[str]) -> Function:
    result = hd.lower("y(i) = A(i,j) * x(j)", {"A": format}, schedule, target="opencl")
    result.raise_errors()
    assert result.function is not None
    return result.function


class Recorder:
    """A device that computes nothing."""

    def __init__(self) -> None:
        self.launched: list[tuple[int, Arguments]] = []

    def allocate(self, count: int, dtype: str, zero: bool) -> Any:
        return np.zeros(count, dtype)

    def fill(self, memory: Any, count: int, value: float, dtype: str) -> None:
        memory[:count] = value

    def launch(self, kernel: DeviceKernel, groups: int, arguments: Arguments) -> None:
        self.launched.append((groups, arguments))

    def also(self, program: DeviceProgram) -> None: ...

    def read(self, memory: Any, place: int, dtype: str) -> float:
        raise AssertionError("operands are read on the host")

    def scan(self, memory: Any, count: int, dtype: str) -> int:
        raise AssertionError("nothing is assembled")


class Counted:
    """An array whose elements are counted when they are read."""

    def __init__(self, array: np.ndarray, reads: Counter[str], name: str) -> None:
        self.array, self.reads, self.name = array, reads, name

    def __getitem__(self, place: Any) -> Any:
        self.reads[self.name] += 1
        return self.array[place]


def test_counts_of_blocks_are_settled_and_fills_and_launches_are_not() -> None:
    function = function_of(PARTS, FUSED)
    found = find_call_invariants(function)
    kinds = list(zip(function.body.statements, found, strict=True))
    assert all(settled for one, settled in kinds if isinstance(one, Declare | Require))
    assert not any(settled for one, settled in kinds if isinstance(one, Fill | For))
    assert sum(found) >= 3


def test_a_second_call_reads_no_operand_and_passes_the_same() -> None:
    function = function_of(PARTS, FUSED)
    program = text.generate(function)
    reads: Counter[str] = Counter()
    dense = np.eye(5, 4) + np.eye(5, 4, -1)
    packed = hd.pack(dense, PARTS)
    arrays: dict[str, Any] = {"y_vals": np.zeros(5), "x_vals": np.ones(4)}
    for part, tensor in zip(("dcsr", "dcsr_2", "dcsr_3"), packed.parts, strict=True):
        arrays[f"A_{part}_vals"] = tensor.vals
        for number, level in enumerate(tensor.levels, 1):
            arrays |= {f"A_{part}{number}_pos": level.pos, f"A_{part}{number}_crd": level.crd}
    named = {one.name for one in function.parameters if one.array is not None}
    assert named == set(arrays)
    scalars: dict[str, Any] = {
        one.name: 5 if one.name.startswith("y") else 4 for one in function.parameters if one.array is None
    }
    host = {name: Counted(array, reads, name) for name, array in arrays.items() if name != "y_vals"}
    device, settled = Recorder(), {}
    run = host_program(program, lambda: program)
    for _ in range(3):
        assert run(Call(device, dict(scalars), host, dict(arrays), settled=settled)) == 0  # type: ignore[arg-type]
    assert set(reads.values()) == {1}
    (groups, first), *others = device.launched
    assert groups == 1 + 1 + 1
    assert all(one == (groups, first) and one[1] is first for one in others)
    # Other memory of the result: the arguments are others.
    run(Call(device, dict(scalars), host, {**arrays, "y_vals": np.zeros(5)}, settled=settled))  # type: ignore[arg-type]
    assert device.launched[-1][1] is not first


@pytest.mark.skipif(not opencl_devices.devices(), reason="no OpenCL device")
def test_calls_that_take_turns_on_one_kernel_each_get_their_own_arguments() -> None:
    """A device that knew the last arguments by the kernel alone would compute with those of the other call."""
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": PARTS}, FUSED, target="opencl")
    matrices = [np.eye(5, 4) * scale + np.eye(5, 4, -1) for scale in (1, 3)]
    calls = [kernel.bind(A=hd.pack(matrix, PARTS), x=np.arange(4.0)) for matrix in matrices]
    for _ in range(3):
        for call in calls:
            call.run()
        for call, matrix in zip(calls, matrices, strict=True):
            np.testing.assert_array_equal(call.output.to_numpy(), matrix @ np.arange(4.0))
