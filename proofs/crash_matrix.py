"""``heddle prove crashes``: what may die, flood or fill up, in each state of a run, and the named state it ends in.

Every row is done to its own server process, and after every row a fresh run must be done: nothing is lost, and
nothing is stuck. Where this system does not allow a row, the row says so.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil

from heddle_server.engine.timing_slot import timing_slot
from proofs.report import machine
from tests.backend.clock import HOUR, Clock
from tests.backend.serving import ColdServer, Server, plan

SETTINGS = {"run_seconds": 6, "run_output_bytes": 1 << 20, "run_memory_bytes": 1 << 30}


class NotHereError(Exception):
    """The system does not allow what the row does; the text says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """``act`` does it to a running server, and returns the state in which the run ended."""

    what: str
    state: str
    expected: str
    act: Callable[[Server], str]


def behaves(behaviour: str) -> Callable[[Server], str]:
    return lambda server: str(server.wait(server.run(plan(behaviour)), seconds=60)["state"])


def in_state(state: str, kill: Callable[[Server], None], times: int = 1) -> Callable[[Server], str]:
    """Brings a run into the state, kills, and lets the run go on; the state in which it ends."""

    def act(server: Server) -> str:
        match state:
            case "queued":
                # Another run of the same visitor is under way, so that this one waits.
                first = server.run(plan("slow"))
                wait_until(server, first, "running")
                run_id = server.run(plan())
                for _ in range(times):
                    kill(server)
            case "leased":
                with held_timing_slot(server):
                    run_id = server.run(plan())
                    wait_until(server, run_id, "leased")
                    for _ in range(times):
                        kill(server)
            case "running":
                run_id = server.run(plan("slow" if times == 1 else "hang"))
                for _ in range(times):
                    wait_until(server, run_id, "running")
                    wait_for(lambda: len(server.sandboxes()) > 0)
                    kill(server)
            case other:
                raise AssertionError(other)
        return str(server.wait(run_id, seconds=90)["state"])

    return act


@contextmanager
def held_timing_slot(server: Server) -> Iterator[None]:
    with timing_slot(server.data / "timing.lock", threading.Event(), lambda: None):
        yield


def wait_until(server: Server, run_id: str, state: str) -> None:
    wait_for(lambda: server.view(run_id)["state"] == state)


def wait_for(condition: Callable[[], bool], seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"nothing happened for {seconds:g} s")
        time.sleep(0.02)


def kill_child(server: Server) -> None:
    server.sandboxes()[-1].kill()


def kill_worker(server: Server) -> None:
    """The process that runs are children of; its parent starts another."""
    wait_for(lambda: worker_of(server) is not None)
    worker = worker_of(server)
    if worker is not None:
        worker.kill()


def worker_of(server: Server) -> psutil.Process | None:
    """The one child of the server that listens."""
    assert server.process is not None
    for one in psutil.Process(server.process.pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):
            if any(connection.status == psutil.CONN_LISTEN for connection in one.net_connections()):
                return one
    return None


def kill_server(server: Server) -> None:
    server.kill()
    server.start()


def full_disk(server: Server) -> str:
    """The data directory is on a small disk, which is full while the run ends."""
    run_id = server.run(plan("slow"))
    wait_until(server, run_id, "running")
    filling = server.data / "filling"
    with filling.open("wb") as file:
        try:
            while True:
                file.write(bytes(1 << 16))
                file.flush()
        except OSError:
            pass
    assert server.client.get("/readyz").status_code == 503
    time.sleep(4)  # The run ends meanwhile, and cannot be kept.
    filling.unlink()
    return str(server.wait(run_id, seconds=60)["state"])


def jumps(clock: Clock, seconds: int, behaviour: str) -> Callable[[Server], str]:
    """The server's clock is set while a run is under way; the state in which it ends, when it was started once."""

    def act(server: Server) -> str:
        run_id = server.run(plan(behaviour))
        wait_until(server, run_id, "running")
        clock.set(seconds)
        view = server.wait(run_id, seconds=60)
        clock.set(0)
        lasted = datetime.fromisoformat(view["finished"]) - datetime.fromisoformat(view["started"])
        assert abs(lasted.total_seconds() - seconds) < HOUR / 2, "the clock was not set"
        states = [data["state"] for _, event, data in server.events(run_id) if event == "state"]
        starts = states.count("leased")
        return str(view["state"]) if starts == 1 else f"{view['state']} after {starts} starts"

    return act


@contextmanager
def small_disk(size: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            raise NotHereError("mounting a small disk needs root")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


ROWS = (
    Row("segmentation fault", "running", "crashed", behaves("segfault")),
    Row("abort", "running", "crashed", behaves("abort")),
    Row("more addresses than allowed", "running", "oom", behaves("memory")),
    Row("endless loop", "running", "timeout", behaves("hang")),
    Row("ignores signals and leaves a child behind", "running", "timeout", behaves("stubborn")),
    Row("fork bomb", "running", "failed", behaves("bomb")),
    Row("one huge file", "running", "failed", behaves("disk")),
    Row("flood of output", "running", "failed", behaves("flood")),
    Row("kill -9 of the child", "running", "crashed", in_state("running", kill_child)),
    Row("kill -9 of the worker", "leased", "done", in_state("leased", kill_worker)),
    Row("kill -9 of the worker", "running", "done", in_state("running", kill_worker)),
    Row("kill -9 of the worker, twice", "running", "lost", in_state("running", kill_worker, 2)),
    Row("kill -9 of the server", "queued", "done", in_state("queued", kill_server)),
    Row("kill -9 of the server", "leased", "done", in_state("leased", kill_server)),
    Row("kill -9 of the server", "running", "done", in_state("running", kill_server)),
    Row("kill -9 of the server, twice", "running", "lost", in_state("running", kill_server, 2)),
)


def prove_crashes() -> tuple[dict[str, Any], list[str]]:
    """The table, and the rows that ended otherwise."""
    rows: list[dict[str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        server = ColdServer(Path(folder), **SETTINGS).start()
        try:
            rows += [done(row, server) for row in ROWS]
        finally:
            server.kill()
    rows += by_a_clock_that_is_set()
    rows.append(on_a_small_disk())
    broken = [f"{row['what']} while {row['state']}: {row['ended']}" for row in rows if row["holds"] == "no"]
    return {"rows": rows, "machine": machine()}, broken


def by_a_clock_that_is_set() -> list[dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        clock = Clock(Path(folder))
        rows = (
            Row("the clock is set an hour forward", "running", "done", jumps(clock, HOUR, "slow")),
            Row("the clock is set an hour back", "running", "done", jumps(clock, -HOUR, "slow")),
            Row("the clock is set an hour back, endless loop", "running", "timeout", jumps(clock, -HOUR, "hang")),
        )
        server = ColdServer(Path(folder) / "data", **SETTINGS)
        server.environment |= clock.environment
        server.start()
        try:
            return [done(row, server) for row in rows]
        finally:
            server.stop()


def on_a_small_disk() -> dict[str, str]:
    row = Row("full disk", "running", "done", full_disk)
    try:
        with small_disk("24m") as disk:
            server = ColdServer(disk / "data", **SETTINGS, free_disk_bytes=1 << 20).start()
            try:
                return done(row, server)
            finally:
                server.stop()
    except NotHereError as error:
        return not_here(row, error)


def done(row: Row, server: Server) -> dict[str, str]:
    """What the row ended in; afterwards a fresh run must be done."""
    try:
        ended = row.act(server)
    except (AssertionError, OSError) as error:  # TimeoutError is an OSError.
        ended = f"stuck ({error})"
    after = server.wait(server.run(plan()), seconds=120)["state"]
    print(f"{row.what}, {row.state}: {ended}; the next run: {after}", flush=True)
    holds = "yes" if ended == row.expected and after == "done" else "no"
    return told(row, ended, after, holds)


def not_here(row: Row, error: NotHereError) -> dict[str, str]:
    return told(row, f"not tried: {error}", "", "-")


def told(row: Row, ended: str, after: str, holds: str) -> dict[str, str]:
    asked = {"what": row.what, "state": row.state, "expected": row.expected}
    return {**asked, "ended": ended, "next": after, "holds": holds}
