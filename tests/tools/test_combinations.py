"""Samples of tables of combinations: which cases run, and that a seed draws the same ones again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = """
import pytest

@pytest.mark.combinations(4, "letter", "number")
@pytest.mark.parametrize("letter", "abcde")
@pytest.mark.parametrize("number", range(8))
def test_table(letter, number): ...

@pytest.mark.parametrize("number", range(3))
def test_of_each(number): ...
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "test_table.py"
    path.write_text(TABLE)
    return path


def collected(file: Path, *options: str) -> list[str]:
    command = [sys.executable, "-m", "pytest", "-p", "tests.combinations", "-p", "no:cacheprovider", "-q"]
    command += ["--collect-only", f"--rootdir={file.parent}", *options, str(file)]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=True)
    return [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]


def test_without_a_seed_every_case_runs(file: Path) -> None:
    assert len(collected(file)) == 5 * 8 + 3


def test_a_sample_has_its_share_of_the_cases_and_each_value(file: Path) -> None:
    sample = collected(file, "--combination-seed=one")
    drawn = [name for name in sample if name.startswith("test_table")]
    assert len(sample) - len(drawn) == 3
    assert 5 * 8 // 4 <= len(drawn) <= 5 * 8 // 3
    cases = [name.partition("[")[2].strip("]").split("-") for name in drawn]
    assert {number for number, _ in cases} == set("01234567")
    assert {letter for _, letter in cases} == set("abcde")


def test_a_seed_draws_the_same_cases_again_and_another_one_others(file: Path) -> None:
    sample = collected(file, "--combination-seed=one")
    assert collected(file, "--combination-seed=one") == sample
    assert collected(file, "--combination-seed=two") != sample
