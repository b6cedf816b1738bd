"""Examples with threads have enough to do: waking a thread costs more than a few microseconds of work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "backend" / "examples"
GENERATED = ("02", "17")
A_MILLISECOND = 1_000_000
"""Products and sums that a core does in no less than a millisecond where each loads a coordinate."""


@pytest.mark.parametrize("number", GENERATED)
def test_a_schedule_with_threads_has_a_millisecond_of_work(number: str) -> None:
    """Of 84 thousand nonzeros, two threads measured little but that they had to be woken."""
    (file,) = EXAMPLES.glob(f"{number}-*.json")
    plan: dict[str, Any] = json.loads(file.read_text())["plan"]
    assert any("CPUThread" in command for command in plan["schedule"])
    assert plan["inputs"]["A"]["nnz"] >= A_MILLISECOND
