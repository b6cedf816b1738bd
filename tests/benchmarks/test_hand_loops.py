"""The loops by hand: the command starts, and says what it measures. It is of a process of its own, for it chooses the
class of machine before anything is compiled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_command_starts() -> None:
    command = [sys.executable, "-m", "benchmarks.hand_loops", "--help"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "those that TACO prints" in said
    assert "--nonzeros" in said
