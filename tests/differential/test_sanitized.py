"""Generated C reads and writes nothing that is not its own: address and undefined-behaviour sanitizers over the
programs of the suite, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compiler.codegen.native import has_gcc

PARTS = 8


def under_sanitizers(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a module of the tests in a process that gcc's sanitizers are loaded into."""
    print_path = ["gcc", "-print-file-name=libasan.so"]
    preload = subprocess.run(print_path, capture_output=True, text=True, check=True).stdout.strip()
    sanitizers = {"LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0", "OMP_NUM_THREADS": "2"}
    command = [sys.executable, "-m", module, *arguments]
    root = Path(__file__).parents[2]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=root, env={**os.environ, **sanitizers}, check=False
    )


@pytest.mark.combinations(2)
@pytest.mark.skipif(not has_gcc(), reason="the sanitizers' run-time libraries come with gcc")
@pytest.mark.parametrize("part", range(PARTS))
def test_generated_code_is_clean_under_sanitizers(part: int) -> None:
    done = under_sanitizers("tests.differential.sanitized", str(part), str(PARTS))
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.split()[-1] == "clean"
    assert int(done.stdout.split()[0]) > 40
