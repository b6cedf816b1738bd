"""What a child may do, and the name of each way in which it ends: the crash matrix of one child."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import psutil
import pytest

from heddle.runtime.native.cache_folder import cache_root
from heddle_server.engine.children import sandbox
from heddle_server.engine.children.child_process import OPEN, run_child
from heddle_server.engine.children.confinement.file_rules import list_visible
from heddle_server.engine.children.confinement.system_calls import ARCHITECTURES, CLONE, CLONE3, REFUSED, SOCKET
from heddle_server.engine.children.limits import Limits
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.children.sight import Sight
from tests.search_path import ROOT

LIMITS = Limits(
    seconds=20,
    memory_bytes=1 << 30,
    output_bytes=1 << 20,
    processor_seconds=60,
    file_bytes=32 << 20,
    scratch_bytes=64 << 20,
)


def child(behaviour: str, limits: Limits = LIMITS, sight: Sight = OPEN, **more: Any) -> Outcome:
    job: dict[str, Any] = {"plan": {"tensors": {"A": {}}, "run": {"baselines": [behaviour]}}, **more}
    return run_child("tests.backend.fake_child", job, limits, lambda _: None, threading.Event(), sight)


@pytest.fixture(scope="module")
def confined() -> dict[str, Any]:
    return child("scipy").sandbox


@pytest.mark.parametrize(
    ("behaviour", "changes", "ending", "text"),
    [
        ("segfault", {}, "crashed", "The kernel accessed memory that does not belong to it (SIGSEGV)"),
        ("abort", {}, "crashed", "SIGABRT"),
        ("killed", {}, "crashed", "SIGKILL"),
        ("memory", {}, "oom", "more memory than a run is allowed"),
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
            if one.status() != psutil.STATUS_ZOMBIE and "heddle_server.engine.children.sandbox" in one.cmdline():
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


def test_a_child_sees_neither_the_database_nor_what_others_sent(confined: dict[str, Any], tmp_path: Path) -> None:
    data = tmp_path / "data"
    for name in ("heddle.sqlite3", "visitors.key", "uploads/sha256/mine.mtx", "uploads/sha256/other.mtx"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text(name)
    mine = str(data / "uploads/sha256/mine.mtx")
    asked = [str(data), str(data / "heddle.sqlite3"), str(data / "uploads/sha256"), mine]
    outcome = child("look", sight=Sight((data,)), look=asked, datasets={"sha256:0": mine})
    if outcome.sandbox["data"] != "hidden":
        pytest.skip(f"this system does not allow it: {confined}")
    seen = json.loads(outcome.detail)
    # Where rules hide files, folders cannot be listed; where namespaces do, they hold what the child may see.
    hidden = [["uploads"], "FileNotFoundError", ["mine.mtx"]]
    if outcome.sandbox["file_system"] == "rules":
        hidden = ["PermissionError"] * 3
    assert list(seen.values()) == [*hidden, "uploads/sha256/mine.mtx"]
    assert (data / "heddle.sqlite3").read_text() == "heddle.sqlite3"


def test_a_child_sees_programs_and_its_job_and_opens_few_devices(confined: dict[str, Any], tmp_path: Path) -> None:
    """It read the home, sockets of services, and what other servers keep; as root it opened disks and machines."""
    if confined["file_system"] == "open":
        pytest.skip(f"this system does not allow it: {confined}")
    (tmp_path / "secret").write_text("mine")
    keys = [str(path) for path in cache_root().glob("seal-*.key")]
    closed = [str(tmp_path / "secret"), *keys, "/etc/shadow", "/dev/kvm", "/dev/fuse", "/dev/loop0", "/dev/mem"]
    told = json.loads(child("look", look=[*closed, "/etc/passwd"]).detail)
    assert "root" in told.pop("/etc/passwd")
    assert {seen or "FileNotFoundError" for seen in told.values()} <= {"FileNotFoundError", "PermissionError"}
    if confined["file_system"] == "read-only":
        few = ["fd", "full", "null", "random", "shm", "stderr", "stdin", "stdout", "urandom", "zero"]
        folders = json.loads(child("look", look=["/dev", "/var", "/run", "/srv"]).detail)
        assert folders == {"/dev": few, "/var": [], "/run": [], "/srv": []}


def test_the_longest_path_decides_what_is_seen(tmp_path: Path) -> None:
    """Also under Landlock, whose rules only permit: what lies beside is permitted one by one."""
    for name in ("home/program/.heddle/database", "home/program/lib/code", "home/keys/key"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    home, program = tmp_path / "home", tmp_path / "home" / "program"
    hidden = [home, program / ".heddle"]
    assert sorted(list_visible(hidden, program)) == [str(program / "lib")]
    assert str(home) not in list(list_visible(hidden, Path("/")))
    assert list(list_visible(hidden, tmp_path / "home" / "keys")) == [str(home / "keys")]


def test_what_a_run_compiles_is_not_loaded_outside_of_runs(confined: dict[str, Any]) -> None:
    outcome = child("look", look=[str(cache_root() / "runs"), os.environ.get("HEDDLE_CACHE", "")])
    assert json.loads(outcome.detail)[str(cache_root() / "runs")] != "FileNotFoundError"
    if confined["file_system"] == "read-only":
        folder = cache_root() / "kernels"
        folder.mkdir(parents=True, exist_ok=True)
        planted = child("write", into=[str(folder), str(cache_root() / "runs")])
        assert json.loads(planted.detail) == [str(cache_root() / "runs")]


@pytest.mark.skipif(sys.platform != "linux", reason="a filter of Linux")
def test_no_kernel_gets_to_what_kernels_do_not_need(confined: dict[str, Any]) -> None:
    if confined["system_calls"] != "filtered":
        pytest.skip(f"this system does not allow it: {confined}")
    column, _ = ARCHITECTURES[os.uname().machine]
    calls = [[name, numbers[column], 0, 0, 0] for name, numbers in REFUSED.items() if numbers[column] is not None]
    expected = dict.fromkeys((name for name, *_ in calls), errno.EPERM)
    for name, call, *arguments, error in (
        ("clone with a namespace of users", CLONE, 0x10000000 | 17, errno.EPERM),
        ("clone3", CLONE3, 0, errno.ENOSYS),
        ("socket of a hypervisor", SOCKET, 40, 1, 0, errno.EAFNOSUPPORT),
        ("socket of the kernel's cryptography", SOCKET, 38, 5, 0, errno.EAFNOSUPPORT),
        ("socket", SOCKET, 1, 1, 0, 0),
    ):
        calls.append([name, call[column], *arguments])
        expected[name] = error
    found = json.loads(child("system calls", calls=calls).detail)
    assert found == {**expected, "sh": 7, "threads": 1}


RULED = """
import ctypes, json, os, subprocess, sys
from heddle_server.engine.children.confinement.file_rules import restrict_files
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
scratch, data, mine = sys.argv[1:]
restricted = restrict_files([scratch], [data], [mine], ["/dev/null"])
def attempt(act):
    try:
        return act()
    except OSError as error:
        return type(error).__name__
print(json.dumps([
    restricted,
    attempt(lambda: os.listdir(data)),
    attempt(lambda: open(data + "/heddle.sqlite3").read()),
    attempt(lambda: open(mine).read()),
    attempt(lambda: open(mine, "a").close()),
    attempt(lambda: open(os.path.dirname(data) + "/new", "w").close()),
    attempt(lambda: open(scratch + "/new", "w").close()),
    subprocess.run(["sh", "-c", "echo > /dev/null; exit 7"]).returncode,
    attempt(lambda: open("/dev/zero").close()),
]))
"""


def test_rules_hide_files_where_there_are_no_namespaces(tmp_path: Path) -> None:
    data, scratch = tmp_path / "data", tmp_path / "scratch"
    (data / "uploads").mkdir(parents=True)
    scratch.mkdir()
    (data / "heddle.sqlite3").write_text("runs")
    (data / "uploads" / "mine.mtx").write_text("mine")
    command = [sys.executable, "-c", RULED, str(scratch), str(data), str(data / "uploads" / "mine.mtx")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    restricted, *found = json.loads(done.stdout)
    if not restricted:
        pytest.skip("this system has no Landlock")
    assert found == [
        "PermissionError",
        "PermissionError",
        "mine",
        "PermissionError",
        "PermissionError",
        None,
        7,
        "PermissionError",
    ]


def test_a_module_is_found_while_all_folders_can_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind the rules a folder that changes meanwhile looks empty to Python, which lists it again."""

    def enter() -> NoReturn:
        raise AssertionError("entered")

    sought: list[str] = []
    monkeypatch.setattr(sandbox.sys, "argv", ["sandbox"])
    monkeypatch.setattr(sandbox, "end_with_parent", lambda: None)
    monkeypatch.setattr(sandbox, "received_order", lambda: {"module": "some.module", "limits": {}})
    monkeypatch.setattr(sandbox.importlib.util, "find_spec", sought.append)
    monkeypatch.setattr(sandbox.namespaces, "enter", enter)
    with pytest.raises(AssertionError, match="entered"):
        sandbox.main()
    assert sought == ["some.module"]
