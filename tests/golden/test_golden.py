"""The generated C of some programs, whole: a change of the code generator shows as a change of these files.

``pytest tests/golden --update-golden`` writes them again. Every program also runs against the oracle, so that a golden
text is one that computes the right result.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import heddle as hd
from tests.differential.check import TARGETS, check
from tests.golden.cases import CASES, Case

FOLDER = Path(__file__).resolve().parent


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_text_is_the_golden_one(case: Case, update_golden: bool) -> None:
    result = hd.lower(case.expression, case.formats, case.schedule)
    assert not result.diagnostics, result.diagnostics
    assert result.source is not None
    path = FOLDER / f"{case.name}.c"
    header = [case.expression, *(f"{tensor}: {text}" for tensor, text in case.formats.items()), *case.schedule]
    text = "".join(f"// {line}\n" for line in header) + "\n" + result.source.text
    if update_golden:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "see --update-golden"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_golden_program_is_right(case: Case) -> None:
    check(case.expression, case.formats, "\n".join(case.schedule))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_interpreter_runs_the_loops_that_are_printed_as_c(case: Case) -> None:
    """The differential tests compile a program once for both."""
    c, interpreter = (hd.lower(case.expression, case.formats, case.schedule, target) for target in TARGETS)
    assert c.function == interpreter.function
    assert c.source == interpreter.source


def test_no_file_is_left_without_its_program() -> None:
    assert {path.stem for path in FOLDER.glob("*.c")} == {case.name for case in CASES}
