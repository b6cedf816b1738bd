"""A drawn tensor comprehension is refused with a reason, or gives what it means on NumPy arrays."""

from __future__ import annotations

import re

import numpy as np

import heddle as hd
from heddle.comprehensions.meaning.reference import evaluate
from heddle.comprehensions.program import Comprehension
from heddle.diagnostics import CompileError
from heddle.frontends.table import front_end_of
from tests.fuzz.comprehensions.comprehension_programs import ComprehensionProgram

EXACT = 2.0**22
AT_THE_COMPILE = ("tc/", "schedule/", "format/", "expression/", "runtime/")
"""What may refuse a drawn program, by the beginning of its code."""


_INDEX = re.compile(r"(\w+)\[([\d, ]+)\] = (\d+) is an index into dimension (\d) of (\w+), which has (\d+) elements")


def check_comprehension_program(program: ComprehensionProgram, target: str) -> tuple[str, ...]:
    """The codes of what refuses the program or its arguments; none when it is right.

    Raises
    ------
    AssertionError
        the result is another one, or only one of kernel and reference refuses the arguments.
    """
    try:
        kernel = hd.compile(program.text, program.formats, program.schedule, target, language="comprehension")
    except CompileError as error:
        codes = tuple(one.code for one in error.diagnostics)
        if not all(code.startswith(AT_THE_COMPILE) for code in codes):
            raise AssertionError(f"{codes}: {error}\n{program}") from error
        return codes
    meaning = front_end_of("comprehension").read(program.text, {})
    assert isinstance(meaning, Comprehension)
    why = None
    try:
        with np.errstate(all="ignore"):
            expected = evaluate(meaning, program.operands)
    except CompileError as error:
        why = error
    try:
        result = kernel(**program.operands)
    except CompileError as error:
        # The reference takes the nearest element where an index lies outside.
        if why is None and not _lies_outside(str(error), program) and "reads outside of" not in str(error):
            raise AssertionError(f"the kernel alone refuses: {error}\n{program}") from error
        return tuple(one.code for one in error.diagnostics)
    assert why is None, f"the reference alone refuses: {why}\n{program}"
    found = dict(result) if len(expected) > 1 else {next(iter(expected)): result}
    if any(values.size and not np.abs(values.astype(float)).max() < EXACT for values in expected.values()):
        return ()
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name].to_numpy(), values, err_msg=f"{name}\n{program}")
    return ()


def _lies_outside(message: str, program: ComprehensionProgram) -> bool:
    """Whether the index that a refusal names is there and lies outside of what it is an index of."""
    told = _INDEX.search(message)
    if told is None:
        return False
    indices, place, value, dimension, read, size = told.groups()
    found = program.operands[indices][tuple(int(one) for one in place.split(","))]
    if read in program.operands:
        extent = program.operands[read].shape[int(dimension)]
    else:
        # All statements that assign a tensor give it the same size: the first of them is enough.
        lines = re.sub(r"-> \(.*?\)", f"-> ({read})", program.text, count=1).splitlines()
        first = next(number for number, line in enumerate(lines) if line.startswith(f"    {read}("))
        meaning = front_end_of("comprehension").read("\n".join([*lines[: first + 1], "}"]), {})
        assert isinstance(meaning, Comprehension)
        with np.errstate(all="ignore"):
            extent = evaluate(meaning, program.operands)[read].shape[int(dimension)]
    return int(found) == int(value) >= extent == int(size)
