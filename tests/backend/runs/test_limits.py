"""What a server that is full says, and what those who wait hear."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.backend.datasets.test_datasets import MTX
from tests.backend.http.test_problems import problem
from tests.backend.serving import PATIENCE_SECONDS, Server, plan

pytestmark = pytest.mark.takes_turns(4)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(
        tmp_path_factory.mktemp("full"), run_queue_limit=3, visitor_queued=3, upload_total_bytes=len(MTX)
    ).start()
    yield server
    server.stop()


def test_a_full_queue_says_when_to_come_back_and_moves_on(full: Server) -> None:
    busy = full.run(plan("hang"))
    full.wait(busy, "running")
    first, second, third = (full.run(plan(name)) for name in ("problem", "slow", "mkl"))
    assert [full.view(run)["queue_position"] for run in (first, second, third)] == [0, 1, 2]

    answer = full.client.post("/api/v1/runs", json=plan())
    assert problem(answer, 429, "The queue is full").startswith("3 runs are waiting already.")
    assert answer.headers["retry-after"] == "30"

    heard: queue.Queue[tuple[str | None, str, Any]] = queue.Queue()

    def follow() -> None:
        for event in full.events(third):
            heard.put(event)

    listener = threading.Thread(target=follow, daemon=True)
    listener.start()
    assert heard.get(timeout=PATIENCE_SECONDS)[2]["queue_position"] == 2
    full.client.delete(f"/api/v1/runs/{first}")
    number, event, data = heard.get(timeout=PATIENCE_SECONDS)
    assert (number, event, data["state"], data["queue_position"]) == (None, "state", "queued", 1)
    full.client.delete(f"/api/v1/runs/{second}")
    assert heard.get(timeout=PATIENCE_SECONDS)[2]["queue_position"] == 0
    full.client.delete(f"/api/v1/runs/{busy}")
    assert full.wait(third)["state"] == "done"
    listener.join(timeout=PATIENCE_SECONDS)
    assert not listener.is_alive()


def test_full_uploads_are_refused(full: Server) -> None:
    assert full.client.put("/api/v1/datasets", params={"name": "a.mtx"}, content=MTX).status_code == 201
    answer = full.client.put("/api/v1/datasets", params={"name": "b.mtx"}, content=MTX.replace(b"2.5", b"3.5"))
    detail = problem(answer, 507, "No room for more data")
    assert detail == f"Uploads and downloads take {len(MTX)} bytes already, which is the limit."


@pytest.mark.parametrize("route", ["runs", "searches"])
def test_a_run_of_a_plan_that_fills_the_database_is_refused(full: Server, route: str) -> None:
    """Commands that are padded to the length that each may have: 100 kB of every run."""
    padded = [f"split(i, i0, i1, {' ' * 480}4)", *[f"reorder({' ' * 490}i0, i1)"] * 40]
    large = {**plan(), "schedule": padded}
    body = large if route == "runs" else {"plan": large}
    answer = full.client.post(f"/api/v1/{route}", json=body)
    detail = problem(answer, 413, "The plan is too large for a run")
    assert detail.endswith("bytes, and a run keeps 16,384. Shorten its schedule and its formats, or measure it on your "
                           "machine: heddle run FILE.")  # fmt: skip
