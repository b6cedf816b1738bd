"""Random programs over random sums of parts: refused, or right, also in used memory, near infinities."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

import heddle as hd
from heddle.formats.parser import parse_format
from heddle.formats.parts import FormatPart
from heddle.notation.nodes import operand_accesses
from heddle.notation.parser import parse
from heddle.runtime.devices import opencl_devices
from tests.fuzz.check_program import check_on_opencl_devices
from tests.fuzz.parts.part_programs import draw_part_program
from tests.fuzz.parts.sum_programs import (
    READ_BY_ENTRIES,
    check_reused_memory,
    check_sum,
    check_unread_places,
    draw_sum_program,
    is_sum,
)
from tests.fuzz.schedules import Program
from tests.fuzz.workers import drawn

PROGRAMS = int(os.environ.get("HEDDLE_FUZZ_PROGRAMS", "400"))
BLOCK = 50
FIRST_FOR_C = 3_000_000
FIRST_FOR_OPENCL = 4_000_000


def check_block(seeds: range, target: str) -> None:
    failures = []
    for seed in seeds:
        try:
            check_sum(draw_sum_program(seed), seed, target)
        except Exception as error:  # the test is that there is none, of whatever kind
            failures.append(f"seed {seed} on {target}: {draw_sum_program(seed)}\n{type(error).__name__}: {error}")
    assert not failures, "\n\n".join(failures)


@pytest.mark.combinations(8)
@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_the_interpreter_agrees(block: int) -> None:
    check_block(range(block, min(block + BLOCK, PROGRAMS)), "interpreter")


def test_the_compiled_c_agrees() -> None:
    check_block(range(FIRST_FOR_C, FIRST_FOR_C + max(1, PROGRAMS // 32)), "c")


@pytest.mark.skipif(not opencl_devices.devices(), reason="no OpenCL device")
@pytest.mark.parametrize("draw", [draw_sum_program, draw_part_program])
def test_an_opencl_device_agrees(draw: Callable[[int], Program]) -> None:
    """Of programs drawn for processors those that OpenCL takes; each on every device, and again in used memory."""
    wanted, accepted = max(1, PROGRAMS // 200), 0
    for seed in range(FIRST_FOR_OPENCL, FIRST_FOR_OPENCL + 12 * wanted):
        program = draw(seed)
        if not hd.lower(program.plan("opencl")).ok:
            continue
        assert check_on_opencl_devices(program, seed) == (), f"seed {seed}: {program}"
        check_reused_memory(program, seed, "opencl")
        check_unread_places(program, seed, "opencl")
        accepted += 1
        if accepted == wanted:
            break
    assert accepted == wanted


def test_what_is_drawn() -> None:
    programs = [draw_sum_program(seed) for seed in range(150)]
    assert all(is_sum(program) for program in programs)
    assert sum(len(program.schedule) for program in programs) > 100
    assert sum(program.expression in READ_BY_ENTRIES for program in programs) > 60
    parts = [part for program in programs for part in _parts(program.expression, program.formats)]
    assert {test.quantity for one in parts for test in one.tests} >= {
        "length",
        "piece",
        "tile",
        "depth",
        "count",
        "row",
    }


def test_the_command_draws_sums_too() -> None:
    assert [seed for seed in range(16) if is_sum(drawn(seed, ("c",)))] == [2, 10]


def _parts(expression: str, formats: dict[str, str]) -> list[FormatPart]:
    orders = {access.tensor: len(access.indices) for access in operand_accesses(parse(expression))}
    found = (parse_format(text, orders[tensor], tensor).composition for tensor, text in formats.items())
    return [part for composition in found if composition is not None for part in composition.parts]
