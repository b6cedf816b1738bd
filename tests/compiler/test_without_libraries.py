"""What needs no machine needs neither SciPy, pydantic, ctypes nor a process: it answers in a browser's Python, too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.search_path import search_path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests" / "without_libraries.py"


def answers(*arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": search_path(), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.takes_turns(8, among="whole programs")
def test_the_answers_are_the_same_without_libraries() -> None:
    free = answers()
    assert len(free) > 70
    assert answers("forbid") == free
