"""A drawn program in patterns is refused with a reason, or gives what it means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.patterns.batched import evaluate as batched
from heddle.patterns.meaning import MeaninglessError, UntoldError, evaluate, extents
from heddle.patterns.syntax.nodes import Term
from heddle.patterns.syntax.parser import parse
from heddle.patterns.syntax.printer import to_text
from tests.fuzz.patterns.pattern_programs import PatternProgram

AT_THE_COMPILE = {
    "patterns/only-visited",
    "patterns/index-type",
    "patterns/scatter",
    "patterns/zip-length",
    "patterns/not-divisible",
    "patterns/negative-length",
    "patterns/too-deep",
    "patterns/result-pair",
    "patterns/ragged-join",
    "patterns/record",
}
"""What may be refused of a program that has types."""
EXACT = 2.0**50


def check_batched(term: Term, program: PatternProgram, expected: NDArray[Any]) -> None:
    """The evaluator of whole arrays says what that of lists says."""
    sizes = {**extents(term, program.arguments), **program.sizes}
    found = batched.evaluate(term, program.arguments, sizes)
    if not expected.size or np.abs(expected).max() <= EXACT:
        np.testing.assert_array_equal(found, expected, err_msg=str(program))


def check_pattern_program(program: PatternProgram, target: str) -> tuple[str, ...]:
    """The codes of what refuses the program or its arguments; none when it is right.

    Raises
    ------
    AssertionError
        the result is another one, or arguments without a meaning are taken.
    """
    term = parse(program.text)
    assert parse(to_text(term)) == term, "the text prints as another program"
    try:
        kernel = hd.compile(program.text, language="patterns", target=target, schedule=list(program.schedule))
    except CompileError as error:
        codes = tuple(one.code for one in error.diagnostics)
        if not set(codes) <= AT_THE_COMPILE:
            raise AssertionError(f"{codes}: {error}\n{program}") from error
        return codes
    try:
        expected = evaluate(term, program.arguments, program.sizes)
    except UntoldError:
        return ("untold",)
    except MeaninglessError as error:
        expected, why = None, str(error)
    if expected is not None:
        check_batched(term, program, expected)
    try:
        found = kernel(**program.arguments, **program.sizes).to_numpy().reshape(-1)
    except CompileError as error:
        return tuple(one.code for one in error.diagnostics)
    if expected is None:
        # What nobody asks for is not computed, and may be without a meaning; broken arguments may not.
        assert not program.broken, f"{why}, but the result is {found}\n{program}"
        return ("not asked for",)
    if expected.size and np.abs(expected).max() > EXACT:
        return ()
    np.testing.assert_array_equal(found, expected, err_msg=str(program))
    return ()
