"""What a child changes of its cache: bounded while it lasts, gone with it, and what is known of it kept."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from heddle_server.engine.children.child_process import run_child
from heddle_server.engine.children.limits import Limits
from heddle_server.engine.children.outcome import Outcome
from tests.search_path import ROOT

LIMITS = Limits(
    seconds=30,
    memory_bytes=1 << 30,
    output_bytes=1 << 20,
    processor_seconds=30,
    cache_bytes=8 << 20,
)
NAMES = (f"toolchains/{'a' * 24}.json", f"kernels/a/{'a' * 40}.{'0' * 32}.so", "fill", "opencl/fill")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEDDLE_CACHE", str(tmp_path / "a, cache: of runs"))
    return tmp_path / "a, cache: of runs" / "runs"


def run(behaviour: str, limits: Limits = LIMITS, **more: Any) -> Outcome:
    job = {"plan": {"tensors": {"A": {}}, "run": {"baselines": [behaviour]}}, **more}
    return run_child("tests.backend.fake_child", job, limits, lambda _: None, threading.Event())


def contents(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return {path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else b"" for path in found}


def require_private(outcome: Outcome) -> None:
    if outcome.sandbox["cache"] != "own":
        pytest.skip(f"this system does not allow it: {outcome.sandbox}")


def test_a_run_that_fills_its_cache_fills_no_disk(cache: Path) -> None:
    outcome = run("fill the cache", names=NAMES, mebibytes=9, rest=0)
    require_private(outcome)
    assert json.loads(outcome.detail) == [[number, "No space left on device"] for number in range(4)]
    assert sum(map(len, contents(cache).values())) < 1024


def test_kernels_are_kept_and_no_other_files_of_such_names(cache: Path) -> None:
    """Nor a key of the run's own choice."""
    first = run("keep a kernel")
    require_private(first)
    kept = contents(cache)
    (key,) = (name for name in kept if name.startswith("seal-"))
    assert kept.pop(key) != bytes(32)
    assert kept.pop(f"kernels/a/{first.title}") == b"machine code"
    assert kept.pop("kernels/tally") == b"."
    assert kept == {"cupy/kernel.cubin": b"compiled"}


def test_a_run_sees_what_earlier_ones_kept(cache: Path) -> None:
    require_private(run("keep a kernel"))
    before = contents(cache)
    again = run("keep a kernel")
    assert contents(cache) == before
    assert f"kernels/a/{again.title}" in before


OUTSIDE = """
import ctypes, json, sys, threading
from heddle_server.engine.children.child_process import run_child
from heddle_server.engine.children.limits import Limits
from heddle_server.engine.children.confinement.system_calls import refuse_system_calls
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
filtered = refuse_system_calls()
job, limits = json.load(sys.stdin)
outcome = run_child("tests.backend.fake_child", job, Limits(**limits), lambda _: None, threading.Event())
print(json.dumps([filtered, outcome.ending, outcome.title, outcome.detail, outcome.sandbox]))
"""


def run_without_namespaces(behaviour: str, **more: Any) -> list[Any]:
    """As in a container that refuses them: under the same filter of system calls."""
    job = {"plan": {"tensors": {"A": {}}, "run": {"baselines": [behaviour]}}, **more}
    done = subprocess.run(
        [sys.executable, "-c", OUTSIDE],
        input=json.dumps([job, asdict(LIMITS)]),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    filtered, *told = json.loads(done.stdout)
    if not filtered:
        pytest.skip("this system has no filters of system calls")
    return list(told)


def test_where_there_are_no_namespaces_a_run_that_fills_the_disk_is_ended(cache: Path) -> None:
    ending, title, detail, sandbox = run_without_namespaces(
        "fill the cache", names=[f"kernels/a/{'a' * 40}.{'0' * 32}.so"], mebibytes=300, rest=600
    )
    assert (sandbox["form"], sandbox["cache"]) == ("limits", "shared")
    assert (ending, title) == ("failed", "Too many files"), detail
    assert {name for name in contents(cache) if not name.startswith("seal-")} <= {"kernels/tally"}
