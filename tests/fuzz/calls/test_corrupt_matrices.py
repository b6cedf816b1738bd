"""Matrices with changed arrays give the right number or a refusal, and never end the process: a seeded sample."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.combinations(8)
@pytest.mark.parametrize("seed", range(8))
def test_changed_arrays_are_right_or_refused(seed: int) -> None:
    command = [sys.executable, "-m", "tests.fuzz.calls.corrupt_matrices", str(seed), "60"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
