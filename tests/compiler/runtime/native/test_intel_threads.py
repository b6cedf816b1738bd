"""The threads of Intel's OpenMP, on which kernels run that zig or clang compiles."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from heddle.runtime.native import toolchain

ROOT = Path(__file__).resolve().parents[4]
pytestmark = pytest.mark.skipif(toolchain.discover().openmp != "libiomp5", reason="threads of another OpenMP")
ASKED = """
import os
import heddle as hd
from heddle.runtime.native import threads
library = threads.runtime()
hd.set_num_threads(3)
with hd.threads(5):
    print(hd.get_num_threads(), flush=True)
print(hd.get_num_threads(), library.kmp_get_blocktime(), flush=True)
if (child := os.fork()) == 0:
    print(library.kmp_get_blocktime(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.mark.parametrize(
    ("variables", "times"), [({}, ["50", "50"]), ({"KMP_BLOCKTIME": "7us"}, ["7", "7"])], ids=["bounded", "set"]
)
def test_numbers_are_set_and_waiting_is_bounded(variables: dict[str, str], times: list[str]) -> None:
    """In a forked child, too; what the environment says comes first."""
    others = {name: value for name, value in os.environ.items() if name not in ("OMP_WAIT_POLICY", "KMP_LIBRARY")}
    environment = {name: value for name, value in others.items() if name != "KMP_BLOCKTIME"} | variables
    done = subprocess.run(
        [sys.executable, "-c", ASKED], capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    )
    five, three, *waiting = done.stdout.split()
    assert (five, three) == ("5", "3")
    assert waiting == times
