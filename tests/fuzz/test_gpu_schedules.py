"""Random GPU schedules: refused with a diagnostic, or right on every operand, without a race or a missed barrier."""

from __future__ import annotations

import os

import pytest

from tests.fuzz.check_program import check_program
from tests.fuzz.gpu import draw_gpu_program

PROGRAMS = int(os.environ.get("HEDDLE_FUZZ_PROGRAMS", "400")) // 4
BLOCK = 25


@pytest.mark.combinations(4)
@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_the_checked_interpreter_agrees(block: int) -> None:
    for seed in range(block, min(block + BLOCK, PROGRAMS)):
        program = draw_gpu_program(seed)
        try:
            check_program(program, seed, "interpreter")
        except Exception as error:
            raise AssertionError(f"seed {seed}: {program}") from error


def test_units_of_all_kinds_are_drawn() -> None:
    programs = [draw_gpu_program(seed) for seed in range(100)]
    commands = " ".join(command for program in programs for command in program.schedule)
    assert all(unit in commands for unit in ("GPUBlock", "GPUWarp", "GPUThread"))
