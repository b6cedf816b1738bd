"""Random schedules over the parts of random compositions: refused with a diagnostic, or right and without a race."""

from __future__ import annotations

import os

import pytest

from tests.fuzz.check_program import check_program
from tests.fuzz.parts.part_programs import draw_part_program

PROGRAMS = int(os.environ.get("HEDDLE_FUZZ_PROGRAMS", "400"))
BLOCK = 50


@pytest.mark.combinations(8)
@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_the_interpreter_agrees(block: int) -> None:
    check_block(range(block, block + BLOCK), "interpreter")


def test_c_agrees() -> None:
    check_block(range(2_000_000, 2_000_000 + PROGRAMS // 16), "c")


def test_most_schedules_are_over_parts() -> None:
    schedules = [command for seed in range(60) for command in draw_part_program(seed).schedule]
    assert sum(command.startswith("A[") for command in schedules) > 40
    assert sum(command.startswith(("share", "concat")) for command in schedules) > 10


def check_block(seeds: range, target: str) -> None:
    failures = []
    for seed in seeds:
        try:
            check_program(draw_part_program(seed), seed, target)
        except Exception as error:  # the test is that there is none, of whatever kind
            failures.append(f"seed {seed} on {target}: {draw_part_program(seed)}\n{type(error).__name__}: {error}")
    assert not failures, "\n\n".join(failures)
