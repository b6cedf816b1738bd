"""A test that does more than ./heddle test has time for is refused before anything runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.sampling.bounded_counts import MOST

ROOT = Path(__file__).resolve().parents[2]
SEED = "--combination-seed=one"
TESTS = """
import pytest
from hypothesis import given, settings, strategies

@pytest.mark.combinations({one_in})
@pytest.mark.parametrize("number", range({marked}))
def test_marked(number): ...

@pytest.mark.parametrize("number", range({unmarked}))
def test_unmarked(number): ...

@settings(max_examples={examples})
@given(strategies.integers())
def test_drawn(number): ...
"""
USUAL = {"one_in": 2, "marked": 2 * MOST, "unmarked": MOST, "examples": MOST}
LONG = {"one_in": 1, "marked": 2 * MOST, "unmarked": MOST + 1, "examples": MOST + 1}


def complaints(folder: Path, numbers: dict[str, int], *options: str, **environment: str) -> list[str]:
    """What is said of a file of tests with these numbers."""
    file = folder / "test_counts.py"
    file.write_text(TESTS.format(**numbers))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.sampling.combinations",
        "-p",
        "tests.sampling.bounded_counts",
        "-q",
    ]
    command += ["-p", "no:cacheprovider", "--collect-only", f"--rootdir={folder}", *options, str(file)]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HYPOTHESIS_PROFILE": "suite", **environment}
    done = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=False)
    said = [line.partition("::")[2] for line in (done.stdout + done.stderr).splitlines() if " at most " in line]
    assert (done.returncode == 0) == (not said), done.stdout + done.stderr
    return said


TABLE = (
    "{} has {} cases; at most 500 run in ./heddle test: mark it @pytest.mark.combinations, or let the mark draw fewer."
)
DRAWS = (
    "test_drawn draws 501 examples; at most 500 are drawn in ./heddle test: ask for fewer; HYPOTHESIS_PROFILE=deep "
    "draws thousands."
)


def test_500_are_not_too_many(tmp_path: Path) -> None:
    assert complaints(tmp_path, USUAL, SEED) == []


def test_a_sample_has_no_long_table_and_draws_few_examples(tmp_path: Path) -> None:
    assert complaints(tmp_path, LONG, SEED) == [
        TABLE.format("test_marked", 1000),
        TABLE.format("test_unmarked", 501),
        DRAWS,
    ]


def test_where_all_cases_run_a_long_table_has_a_mark(tmp_path: Path) -> None:
    """All cases of the mark, and all examples, were asked for."""
    assert complaints(tmp_path, LONG) == [TABLE.format("test_unmarked", 501)]


def test_examples_that_were_asked_for_may_be_many(tmp_path: Path) -> None:
    assert complaints(tmp_path, USUAL | {"examples": 501}, SEED, HYPOTHESIS_PROFILE="deep") == []
