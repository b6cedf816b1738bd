"""GPU schedules give what NumPy gives, at sizes that nothing divides; the checked interpreter finds no race."""

from __future__ import annotations

import pytest

from tests.differential.check import check
from tests.differential.gpu_schedules import SCHEDULES, commands


@pytest.mark.parametrize("name", SCHEDULES)
def test_the_result_is_right(name: str) -> None:
    expression, formats, schedule = SCHEDULES[name]
    small = {"k": 2, "l": 3, "m": 2, "n": 3} if name == "MTTKRP of order 5" else None  # it has all of 5 dimensions
    check(expression, formats, commands(schedule), targets=("interpreter",), sizes=small)
