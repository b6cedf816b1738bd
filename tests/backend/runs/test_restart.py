"""What a stop, a kill or a lost worker does to runs: each ends in a named state, and nothing queued is lost."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.backend.serving import PATIENCE_SECONDS, ROOT, START_SECONDS, Server, assert_ended, plan

pytestmark = pytest.mark.takes_turns(4)


@pytest.fixture
def own(data: Path) -> Iterator[Server]:
    """A server that the test may stop and kill."""
    server = Server(data).start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose children a test may kill; it goes on itself. The one before it died in the middle of an upload."""
    server = Server(tmp_path_factory.mktemp("standing"))
    half_received(server).parent.mkdir(parents=True)
    half_received(server).write_bytes(b"x")
    server.start()
    yield server
    server.kill()


def half_received(server: Server) -> Path:
    return server.data / "uploads" / "incoming" / "half"


def running(server: Server, run_id: str) -> int:
    """Waits until a hanging run hangs; returns the id of its outer process."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while server.view(run_id)["progress"] is None:
        assert time.monotonic() < deadline, server.view(run_id)
        time.sleep(0.05)
    return server.sandboxes()[0].pid


def test_a_graceful_stop_is_quick_with_streams_open_and_keeps_queue_links_and_results(own: Server) -> None:
    measured = own.run(plan())
    own.wait(measured)
    link = own.client.post("/api/v1/links", json={"plan": plan(), "run_id": measured}).json()["id"]
    before = own.client.get(f"/api/v1/links/{link}").json()
    assert before["run"]["state"] == "done"
    hanging, waiting = own.run(plan("hang")), own.run(plan("slow"))
    pid = running(own, hanging)
    told: list[str] = []
    open_now = threading.Event()

    def follow() -> None:
        for _, event, _ in own.events(waiting):
            told.append(event)
            open_now.set()

    reader = threading.Thread(target=follow)
    reader.start()
    assert open_now.wait(PATIENCE_SECONDS)
    own.stop()
    reader.join(timeout=PATIENCE_SECONDS)
    assert not reader.is_alive()
    assert "end" not in told
    # The stream ended on its own: what still runs after HEDDLE_STOP_SECONDS is cancelled, and the log says so.
    assert "timeout graceful shutdown exceeded" not in own.log
    assert_ended(pid)
    own.start()
    assert own.client.get(f"/api/v1/links/{link}").json() == before
    assert own.view(hanging)["state"] in ("queued", "leased", "running")
    own.client.delete(f"/api/v1/runs/{hanging}")
    assert own.wait(waiting)["state"] == "done"


def test_a_killed_server_loses_no_queued_run_and_names_the_lost_one(own: Server) -> None:
    hanging, waiting = own.run(plan("hang")), own.run(plan())
    first = running(own, hanging)
    own.kill()
    assert_ended(first)
    own.start()
    second = running(own, hanging)
    assert second != first
    own.kill()
    assert_ended(second)
    own.start()
    view = own.wait(hanging)
    assert view["state"] == "lost"
    assert "was started 2 times and never finished: the server stopped" in view["problem"]["detail"]
    assert own.wait(waiting)["state"] == "done"


def test_a_killed_dask_worker_ends_its_run_as_lost_and_the_next_goes_on(standing: Server) -> None:
    run_id = standing.run(plan("hang"))
    for _ in range(2):
        pid = running(standing, run_id)
        worker = psutil.Process(pid).parent()
        assert worker is not None
        # A fork of a process that has done its imports: the queue stood for half a minute while others did them anew.
        assert is_fork(worker, standing), worker.cmdline()
        worker.kill()
        assert_ended(pid)
        wait_for_another(standing, run_id, pid)
    view = standing.view(run_id)
    assert view["state"] == "lost"
    assert "its worker is gone" in view["problem"]["detail"]
    assert standing.wait(standing.run(plan()))["state"] == "done"


def test_a_worker_that_falls_silent_loses_its_lease_and_the_run_is_lost(data: Path) -> None:
    server = Server(data, run_lease_seconds=8, run_attempts=1).start()
    try:
        run_id = server.run(plan("hang"))
        worker = psutil.Process(running(server, run_id)).parent()
        assert worker is not None
        assert is_fork(worker, server), worker.cmdline()
        worker.suspend()
        view = server.wait(run_id)
        assert view["state"] == "lost"
        assert "its worker has been silent for 8 s" in view["problem"]["detail"]
        assert_ended(worker.pid)
        assert server.wait(server.run(plan()))["state"] == "done"
    finally:
        server.kill()


def is_fork(process: psutil.Process, server: Server) -> bool:
    """Of the server after its imports; of Python's fork server, where that is no fork of ours."""
    assert server.process is not None
    commands = [process.cmdline(), psutil.Process(server.process.pid).cmdline()]
    return process.pid != server.process.pid and (commands[0] == commands[1] or "forkserver" in " ".join(commands[0]))


def wait_for_another(server: Server, run_id: str, pid: int) -> None:
    """Until the run has been started again, or is given up."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        view = server.view(run_id)
        if view["state"] == "lost" or (view["progress"] is not None and not psutil.pid_exists(pid)):
            return
        assert time.monotonic() < deadline, view
        time.sleep(0.05)


def test_a_killed_child_is_a_crash(standing: Server) -> None:
    run_id = standing.run(plan("hang"))
    psutil.Process(running(standing, run_id)).kill()
    view = standing.wait(run_id)
    assert view["state"] == "crashed"
    assert "SIGKILL" in view["problem"]["title"]


def test_a_second_server_on_the_same_data_is_refused(standing: Server) -> None:
    other = subprocess.run(
        [sys.executable, "-m", "heddle_server.cli", "serve", "--port", "0"],
        cwd=ROOT, env=standing.environment, capture_output=True, text=True, timeout=START_SECONDS, check=False,
    )  # fmt: skip
    assert other.returncode == 1
    assert f"Another Heddle server is using the data directory {standing.data}. Stop it" in other.stderr
    assert "Traceback" not in other.stderr


def test_a_scheduler_that_does_not_answer_leaves_the_rest_working(data: Path) -> None:
    server = Server(data, scheduler="tcp://127.0.0.1:9")
    server.start(ready=False)
    try:
        assert "no scheduler is connected" in server.client.get("/readyz").text
        assert server.client.get("/readyz").status_code == 503
        assert server.client.post("/api/v1/compile", json=plan()).json()["ok"] is True
        waiting = server.run(plan())
        assert server.client.delete(f"/api/v1/runs/{waiting}").json()["state"] == "cancelled"
    finally:
        server.kill()


def test_half_received_uploads_of_a_dead_server_are_thrown_away(standing: Server) -> None:
    assert list(half_received(standing).parent.iterdir()) == []
