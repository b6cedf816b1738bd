"""What the host does around the launches of a CUDA kernel, with a GPU whose launches the interpreter executes: copies,
arguments, fills, counts and results are right for every GPU schedule before a real GPU sees them."""

from __future__ import annotations

import pytest

from tests.compiler.runtime.devices.executing_gpu import executing_gpu
from tests.differential.check import check
from tests.differential.gpu.gpu_schedules import SCHEDULES, commands
from tests.differential.gpu.test_gpu import small


@pytest.mark.combinations(6)
@pytest.mark.parametrize("name", SCHEDULES)
def test_the_result_is_right(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = executing_gpu(monkeypatch)
    expression, formats, schedule = SCHEDULES[name]
    check(expression, formats, commands(schedule), targets=("cuda",), sizes=small(name))
    assert gpu.recorded.launches
