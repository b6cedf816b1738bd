"""What a process loads that waits for a run must leave it as free as one that has loaded nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ASKED = """
import json, os, sys, threading
import heddle_server.tuning.loaded
maps = open("/proc/self/maps").read()
print(json.dumps([len(os.listdir("/proc/self/task")), "libgomp" in maps or "libmkl" in maps, "lark" in sys.modules]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux tells of a process")
def test_loading_begins_no_thread_and_leaves_openmp_to_the_run() -> None:
    """With a thread it could not be confined, and OpenMP reads the plan's number of threads when it is loaded."""
    given = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", ASKED], cwd=ROOT, env=given, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[1, false, true]"
