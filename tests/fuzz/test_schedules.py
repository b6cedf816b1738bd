"""Random schedules of random programs: refused with a diagnostic, or right. Never wrong, never another exception.

HEDDLE_FUZZ_PROGRAMS=100000 draws that many programs for the interpreter, and a sixteenth of them for C. ./heddle fuzz
draws for a given time, on all cores.
"""

from __future__ import annotations

import os

import pytest

from heddle.pipeline import lower
from tests.compiler.codegen.machines import runs
from tests.fuzz.check_program import check_on_class, check_program
from tests.fuzz.schedules import draw_program
from tests.fuzz.vector_programs import draw_vector_program
from tests.fuzz.workers import CLASSES

PROGRAMS = int(os.environ.get("HEDDLE_FUZZ_PROGRAMS", "400"))
BLOCK = 50
FIRST_FOR_C = 1_000_000
VECTOR_PROGRAMS = max(16, PROGRAMS // 25)
VECTOR_BLOCK = 4
assert len(CLASSES) <= VECTOR_BLOCK


def describe(seed: int, target: str) -> str:
    return f"seed {seed} on {target}: {draw_program(seed)}"


def check_block(seeds: range, target: str) -> None:
    failures = []
    for seed in seeds:
        try:
            check_program(draw_program(seed), seed, target)
        except Exception as error:  # the test is that there is none, of whatever kind
            failures.append(f"{describe(seed, target)}\n{type(error).__name__}: {error}")
    assert not failures, "\n\n".join(failures)


@pytest.mark.combinations(8)
@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_the_interpreter_agrees(block: int) -> None:
    check_block(range(block, min(block + BLOCK, PROGRAMS)), "interpreter")


def test_the_compiled_c_agrees() -> None:
    check_block(range(FIRST_FOR_C, FIRST_FOR_C + max(1, PROGRAMS // 16)), "c")


@pytest.mark.combinations(4)
@pytest.mark.parametrize("block", range(0, VECTOR_PROGRAMS, VECTOR_BLOCK))
def test_programs_with_vectors_agree_on_every_width(block: int) -> None:
    """A block has programs for every class."""
    failures = []
    for seed in range(block, block + VECTOR_BLOCK):
        program = draw_vector_program(seed)
        try:
            check_program(program, seed, "interpreter")
            isa = CLASSES[seed % len(CLASSES)]
            if runs(isa):
                check_on_class(program, seed, isa)
        except Exception as error:
            failures.append(f"seed {seed}: {program}\n{type(error).__name__}: {error}")
    assert not failures, "\n\n".join(failures)


def test_half_of_the_programs_with_vectors_keep_them() -> None:
    """Otherwise the test above would say little."""
    texts = [lower(draw_vector_program(seed).plan("c")).source for seed in range(8)]
    assert sum(text is not None and "VECTOR_LANES" in text.text for text in texts) >= 4


def test_most_programs_that_are_drawn_have_a_schedule() -> None:
    """Otherwise the tests above would say little: the draws must reach commands of every kind."""
    programs = [draw_program(seed) for seed in range(100)]
    assert sum(len(program.schedule) for program in programs) > 140
    used = {command.partition("(")[0] for program in programs for command in program.schedule}
    assert {"split", "fuse", "reorder", "pos", "parallelize", "unroll", "prefetch"} <= used
