"""Random schedules of random programs: refused with a diagnostic, or right. Never wrong, never another exception.

HEDDLE_FUZZ_PROGRAMS=100000 draws that many programs for the interpreter, and a sixteenth of them for C.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

import compiler as hd
from compiler.notation.nodes import accesses
from compiler.notation.parser import parse
from tests.differential.operands import operand_sets
from tests.differential.oracle import evaluate
from tests.fuzz.schedules import Program, draw_program

PROGRAMS = int(os.environ.get("HEDDLE_FUZZ_PROGRAMS", "400"))
BLOCK = 50
FIRST_FOR_C = 1_000_000


def check(seed: int, target: str) -> None:
    """Every command was accepted while drawing, so that the whole program compiles or says why not."""
    program = draw_program(seed)
    if not hd.lower(program.expression, program.formats, program.schedule, target).ok:
        return
    kernel = hd.compile(program.expression, program.formats, program.schedule, target)
    assignment = parse(program.expression)
    names = {access.tensor for access in accesses(assignment.expression)}
    for operands in operand_sets(assignment, seed):
        try:
            found = kernel(**{name: operands.arrays[name] for name in names})
        except hd.CompileError as error:
            if {one.code for one in error.diagnostics} == {"runtime/refused"} and _claims(program):
                continue
            raise
        expected = evaluate(assignment, operands.arrays, operands.sizes)
        np.testing.assert_array_equal(found.to_numpy(), expected, err_msg=operands.label)


def _claims(program: Program) -> bool:
    """Only a claim about the data may stop a kernel."""
    return any(command.startswith("bound") for command in program.schedule)


def describe(seed: int, target: str) -> str:
    return f"seed {seed} on {target}: {draw_program(seed)}"


def check_block(seeds: range, target: str) -> None:
    failures = []
    for seed in seeds:
        try:
            check(seed, target)
        except Exception as error:  # the test is that there is none, of whatever kind
            failures.append(f"{describe(seed, target)}\n{type(error).__name__}: {error}")
    assert not failures, "\n\n".join(failures)


@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_the_interpreter_agrees(block: int) -> None:
    check_block(range(block, min(block + BLOCK, PROGRAMS)), "interpreter")


def test_the_compiled_c_agrees() -> None:
    check_block(range(FIRST_FOR_C, FIRST_FOR_C + max(1, PROGRAMS // 16)), "c")


def test_most_programs_that_are_drawn_have_a_schedule() -> None:
    """Otherwise the tests above would say little: the draws must reach commands of every kind."""
    programs = [draw_program(seed) for seed in range(200)]
    assert sum(len(program.schedule) for program in programs) > 300
    used = {command.partition("(")[0] for program in programs for command in program.schedule}
    assert {"split", "fuse", "reorder", "pos", "parallelize", "unroll"} <= used
