"""What a child may do, and the name of each way in which it ends: the crash matrix of one child."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from backend.engine.child_process import run_child
from backend.engine.limits import Limits
from backend.engine.outcome import Outcome

LIMITS = Limits(
    seconds=20,
    memory_bytes=1 << 30,
    output_bytes=1 << 20,
    processor_seconds=60,
    file_bytes=32 << 20,
    scratch_bytes=64 << 20,
)


def child(behaviour: str, limits: Limits = LIMITS) -> Outcome:
    job: dict[str, Any] = {"plan": {"tensors": {"A": {}}, "run": {"baselines": [behaviour]}}}
    return run_child("tests.backend.fake_child", job, limits, lambda _: None, threading.Event())


@pytest.fixture(scope="module")
def confined() -> dict[str, Any]:
    return child("scipy").sandbox


@pytest.mark.parametrize(
    ("behaviour", "changes", "ending", "text"),
    [
        ("segfault", {}, "crashed", "The kernel accessed memory that does not belong to it (SIGSEGV)"),
        ("abort", {}, "crashed", "SIGABRT"),
        ("killed", {}, "crashed", "SIGKILL"),
        ("memory", {}, "oom", "more memory than a run may have"),
        ("resident", {"bound_addresses": False, "memory_bytes": 256 << 20}, "oom", "used more than 0.2 GiB of memory"),
        ("hang", {"seconds": 0.5}, "timeout", "did not end within 0.5 s"),
        ("flood", {}, "failed", "more than 1,048,576 bytes of output"),
        ("bomb", {}, "failed", "started more than 64 processes"),
        ("disk", {}, "failed", "File too large"),
        ("status", {}, "failed", "status 3 and reported nothing. It said: the reason is here"),
    ],
)
def test_every_bad_end_is_named(behaviour: str, changes: dict[str, Any], ending: str, text: str) -> None:
    outcome = child(behaviour, replace(LIMITS, **changes))
    assert outcome.ending == ending, outcome
    assert text in f"{outcome.title} {outcome.detail}"
    deadline = time.monotonic() + 20
    while left := sandboxes():
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def sandboxes() -> list[int]:
    """What is left of the children."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if one.status() != psutil.STATUS_ZOMBIE and "backend.engine.sandbox" in one.cmdline():
                found.append(one.pid)
    return found


def test_a_disk_that_fills_up_is_the_run_s_own(confined: dict[str, Any]) -> None:
    if confined["file_system"] != "read-only":
        pytest.skip(f"this system does not allow mount namespaces: {confined}")
    outcome = child("many files")
    assert outcome.ending == "failed"
    assert "No space left on device" in outcome.detail


def test_a_child_sees_only_itself_and_changes_no_file(confined: dict[str, Any]) -> None:
    if confined["form"] != "namespaces":
        pytest.skip(f"this system does not allow all namespaces: {confined}")
    outcome = child("escape")
    assert outcome.title == "wrote []"
    assert int(outcome.detail.split()[1]) == 2
    assert not Path("/tmp/heddle-escape").exists()


def test_the_form_in_force_is_told(confined: dict[str, Any]) -> None:
    assert confined["form"] in ("namespaces", "partial namespaces", "limits")
    assert confined["limits"]["scratch_bytes"] == LIMITS.scratch_bytes
