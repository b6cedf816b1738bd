"""One timed run at a time per machine, whoever started it."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from heddle_server.engine.timing_slot import timing_slot
from heddle_server.file_lock import open_shared, try_lock

HOLDER = """
import sys, threading
from pathlib import Path
from heddle_server.engine.timing_slot import timing_slot
with timing_slot(Path(sys.argv[1]), threading.Event(), lambda: None) as ours:
    print(ours, flush=True)
    sys.stdin.read()
"""


def never() -> None:
    raise AssertionError("nobody else has the slot")


def test_a_free_slot_is_taken_at_once_and_given_back(tmp_path: Path) -> None:
    for _ in range(2):
        with timing_slot(tmp_path / "slot", threading.Event(), never) as ours:
            assert ours
            assert not try_lock(open_shared(tmp_path / "slot"))


def test_another_process_is_waited_for_even_when_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "slot"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        waits: list[str] = []

        def waiting() -> None:
            waits.append("waiting")
            holder.kill()

        with timing_slot(path, threading.Event(), waiting) as ours:
            assert ours
        assert waits == ["waiting"]


def test_waiting_ends_when_cancelled(tmp_path: Path) -> None:
    cancel = threading.Event()
    with (
        timing_slot(tmp_path / "slot", threading.Event(), never),
        timing_slot(tmp_path / "slot", cancel, cancel.set) as ours,
    ):
        assert not ours
