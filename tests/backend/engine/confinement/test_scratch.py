"""Folders that killed runs and workers leave in the temporary directory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from heddle_server.engine.scratch import UNNAMED_SECONDS, began, remove_abandoned, scratch_prefix


def test_folders_of_processes_that_are_gone_are_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    gone = [f"heddle-run-{ended.pid}-abc", f"heddle-worker-{ended.pid}-scratch", "heddle-run-ab12cd_9"]
    stays = [
        f"{scratch_prefix('run')}abc",
        f"{scratch_prefix('worker')}x",
        f"heddle-run-{os.getpid()}-of-an-earlier-version",
        "heddle-run-zzzzzzzz",
        "heddle-data",
        "others",
    ]
    for name in [*gone, *stays]:
        (tmp_path / name / "inside").mkdir(parents=True)
    old = (tmp_path / gone[-1]).stat().st_mtime - UNNAMED_SECONDS - 60
    os.utime(tmp_path / gone[-1], (old, old))
    (tmp_path / f"heddle-run-{ended.pid}-link").symlink_to(tmp_path / "others")
    remove_abandoned(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*stays, f"heddle-run-{ended.pid}-link"}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells when a process began")
def test_a_process_that_has_the_number_of_another_keeps_nothing_of_it(tmp_path: Path) -> None:
    """In a container that starts again, all processes have the numbers that they had."""
    assert began(os.getpid()) > 0
    mine, former = scratch_prefix("run"), f"heddle-run-{os.getpid()}.{began(os.getpid()) - 1}-"
    for prefix in (mine, former):
        (tmp_path / f"{prefix}abc").mkdir()
    remove_abandoned(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{mine}abc"]


def test_no_temporary_directory_is_no_fault(tmp_path: Path) -> None:
    remove_abandoned(tmp_path / "none")
