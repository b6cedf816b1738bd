"""One drawn program against the oracle: refused with a diagnostic, or right. Anything else is raised."""

from __future__ import annotations

import numpy as np

import compiler as hd
from compiler.notation.nodes import accesses
from compiler.notation.parser import parse
from tests.differential.operands import operand_sets
from tests.differential.oracle import evaluate
from tests.fuzz.schedules import Program


def check_program(program: Program, seed: int, target: str) -> tuple[str, ...]:
    """The codes of the diagnostics that refuse the program; none when it is right on all operands.

    Every command was accepted while drawing, so that the whole program compiles or says why not.
    """
    result = hd.lower(program.expression, program.formats, program.schedule, target)
    if not result.ok:
        return tuple(one.code for one in result.diagnostics)
    kernel = hd.Kernel(result)
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
    return ()


def _claims(program: Program) -> bool:
    """Only a claim about the data may stop a kernel."""
    return any(command.startswith("bound") for command in program.schedule)
