"""What a server starts is a fork of what it has imported, ends with it, and starts without that as well."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest

from tests.backend.serving import PATIENCE_SECONDS, ROOT, assert_ended

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Python's own fork server serves")
BEGIN = """
import multiprocessing, os, signal, sys
from multiprocessing import resource_tracker
from types import ModuleType
from heddle_server.engine.fork_server import begin_fork_server, python_fork_server, start_method

assert start_method() == "spawn"
sys.modules["imported_before"] = ModuleType("imported_before")
resource_tracker.ensure_running()  # as a server does: Python unblocks signals when it has started it
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
signal.signal(signal.SIGTERM, lambda *_: print("taken for the server's"))
begin_fork_server()
assert start_method() == "forkserver"
fork_server = python_fork_server()._forkserver_pid
context = multiprocessing.get_context(start_method())


def started(function):
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=function, args=(writer,), daemon=True)
    process.start()
    writer.close()
    return process, reader
"""


def run(script: str) -> str:
    command = [sys.executable, "-c", BEGIN + script]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert (ended.returncode, ended.stderr) == (0, ""), ended
    return ended.stdout


def tell(writer: object) -> None:
    blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    told = ("imported_before" in sys.modules, os.getppid(), blocked, signal.getsignal(signal.SIGTERM))
    writer.send(told)  # type: ignore[attr-defined]


TELL = """
from tests.backend.engine.test_fork_server import tell
"""


@LINUX
def test_a_process_has_what_was_imported_and_no_handler_of_the_server() -> None:
    said = run(
        TELL
        + """
process, reader = started(tell)
assert reader.recv() == (True, fork_server, True, signal.SIG_DFL)
process.join()
print(process.exitcode)
"""
    )
    assert said == "0\n"


@LINUX
def test_where_it_has_died_python_begins_its_own() -> None:
    said = run(
        TELL
        + """
os.kill(fork_server, signal.SIGKILL)
os.waitid(os.P_PID, fork_server, os.WEXITED | os.WNOWAIT)
process, reader = started(tell)
imported, parent, blocked, _ = reader.recv()
process.join()
print(imported, parent == fork_server, blocked, process.exitcode)
"""
    )
    assert said == "False False True 0\n"


@LINUX
def test_it_ends_with_the_last_process_that_could_ask_it() -> None:
    script = BEGIN + "print(fork_server, flush=True)\nsys.stdin.read()\n"
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        fork_server = int(server.stdout.readline())
        assert psutil.pid_exists(fork_server)
        server.kill()
    assert_ended(fork_server)


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("heddle_server.worker.probe_child", {"numpy", "pydantic", "heddle.explorer", "heddle.codegen"}),
        ("heddle_server.command_line.run_plan", {"alembic", "distributed", "sqlalchemy"}),
        ("heddle_server.store.database", {"alembic"}),
    ],
)
def test_a_start_goes_without_what_it_does_not_need(module: str, absent: set[str]) -> None:
    """Each of these takes as long to import as all that is needed."""
    script = f"import sys, {module}; print(*({absent!r} & sys.modules.keys()))"
    command = [sys.executable, "-c", script]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "", "")
