"""Visitors share the queue and its measurements, over a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.backend.http.test_problems import problem
from tests.backend.serving import OPERATOR, Server, plan

pytestmark = pytest.mark.takes_turns(4)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("shared"), visitor_queued=2, operator_token=OPERATOR).start()
    server.client.post("/api/v1/compile", json=plan())  # as a page does: the cookie makes it one visitor from now on
    yield server
    server.stop()


def cancel(server: Server, *runs: str) -> None:
    """Whoever they are of, as the operator may, so that the next test finds an empty queue."""
    for run in runs:
        answer = server.client.delete(f"/api/v1/runs/{run}", headers={"Authorization": f"Bearer {OPERATOR}"})
        assert answer.status_code == 200, answer.text
        server.wait(run)


def another_visitor(server: Server, with_id: bool = True) -> httpx.Client:
    """With an id, as a browser has one when its page has compiled."""
    client = httpx.Client(base_url=server.url, timeout=20)
    if with_id:
        client.post("/api/v1/compile", json=plan())
    return client


def test_a_measured_plan_is_answered_at_once_and_a_fresh_one_is_measured_again(shared: Server) -> None:
    first = shared.wait(shared.run(plan(), fresh=False))
    assert (first["state"], first["measured_by"]) == ("done", None)
    again = another_visitor(shared).post("/api/v1/runs", json=plan()).json()
    assert (again["state"], again["measured_by"]) == ("done", first["id"])
    assert again["result"] == first["result"]
    assert [event for _, event, _ in shared.events(again["id"])] == ["state", "state", "result", "end"]
    fresh = shared.wait(shared.run(plan()))
    assert (fresh["state"], fresh["measured_by"]) == ("done", None)
    other = shared.wait(shared.run(plan(inputs={"A": {"generator": "uniform", "seed": 5}}), fresh=False))
    assert other["measured_by"] is None


def test_white_space_is_no_part_of_a_plan(shared: Server) -> None:
    first = shared.wait(shared.run(plan(schedule=["split(i, i0, i1, 16)"]), fresh=False))
    again = shared.client.post("/api/v1/runs", json=plan(schedule=["# a tile", "", "split(i,i0,i1,16)"])).json()
    assert (again["state"], again["measured_by"]) == ("done", first["id"])
    assert again["plan"]["schedule"] == ["split(i,i0,i1,16)"]
    other = shared.client.post("/api/v1/runs", json=plan(schedule=["split(i,i0,i1,17)"])).json()
    assert shared.wait(other["id"])["measured_by"] is None


def test_a_noisy_measurement_answers_nobody_who_asks_later(shared: Server) -> None:
    """One bad minute was the first impression of every later visitor."""
    first = shared.wait(shared.run(plan("noisy"), fresh=False))
    assert first["result"]["conclusion"]["noisy"] is True
    answer = shared.client.post("/api/v1/runs", json=plan("noisy")).json()
    assert answer["state"] == "queued"
    again = shared.wait(answer["id"])
    assert (again["state"], again["measured_by"]) == ("done", None)
    assert again["started"] > first["finished"]
    # Who looks for a measurement without a run sees the latest, which says that it is noisy.
    assert shared.client.post("/api/v1/runs/measured", json=plan("noisy")).json()["id"] == again["id"]


def test_a_failure_is_not_shared(shared: Server) -> None:
    first, second = (shared.wait(shared.run(plan("silent"), fresh=False)) for _ in range(2))
    assert first["state"] == second["state"] == "failed"
    assert first["started"] != second["started"]


def test_a_visitor_has_two_runs_in_the_queue_and_others_still_come_in(shared: Server) -> None:
    busy = shared.run(plan("hang"))
    shared.wait(busy, "running")
    own = [shared.run(plan("problem", schedule=[f"split(i, i0, i1, {size})"])) for size in (4, 8)]
    answer = shared.client.post("/api/v1/runs", json=plan("silent"))
    assert problem(answer, 429, "You have enough runs in the queue") == (
        "You have 2 runs waiting already, and a visitor may have 2. Cancel one, or wait."
    )
    assert int(answer.headers["retry-after"]) >= 1
    other = another_visitor(shared).post("/api/v1/runs", json=plan("abort"))
    assert other.status_code == 202
    assert other.json()["queue_position"] == 0
    assert other.json()["expected_wait_seconds"] >= 0  # nothing, once the run takes longer than runs do
    assert [shared.view(run)["queue_position"] for run in own] == [1, 2]
    cancel(shared, *own, other.json()["id"], busy)


def test_throwing_ids_away_brings_no_more_runs(shared: Server) -> None:
    """Thirty of thirty runs were accepted from a script without a cookie, and two with it."""
    shared.client.post("/api/v1/compile", json=plan())
    busy = shared.run(plan("hang"))
    shared.wait(busy, "running")
    script = another_visitor(shared, with_id=False)
    queued = []
    for size in range(2, 12):
        script.cookies.clear()
        answer = script.post("/api/v1/runs", json=plan("silent", schedule=[f"split(i, i0, i1, {size})"]))
        if answer.status_code == 202:
            queued.append(answer.json()["id"])
    assert len(queued) == 2
    assert another_visitor(shared).post("/api/v1/runs", json=plan("status")).status_code == 202
    cancel(shared, *queued, busy)


def test_nobody_may_say_who_they_are(shared: Server) -> None:
    """Not even from this machine: no proxy is trusted unless its operator says so."""
    busy = shared.run(plan("hang"))
    shared.wait(busy, "running")
    script, statuses = another_visitor(shared, with_id=False), []
    queued = []
    for number in range(6):
        script.cookies.clear()
        headers = {"X-Forwarded-For": f"198.51.{number}.7", "Forwarded": f"for=198.51.{number}.7"}
        document = plan("silent", schedule=[f"split(i, i0, i1, {20 + number})"])
        answer = script.post("/api/v1/runs", json=document, headers=headers)
        statuses.append(answer.status_code)
        if answer.status_code == 202:
            queued.append(answer.json()["id"])
    cancel(shared, *queued, busy)
    assert statuses == [202, 202, 429, 429, 429, 429]


def test_reading_leaves_no_cookie_and_asking_for_work_leaves_one_that_scripts_cannot_read(shared: Server) -> None:
    client = another_visitor(shared, with_id=False)
    client.get("/api/v1/datasets")
    client.get("/")
    assert not client.cookies
    cookie = client.post("/api/v1/compile", json=plan()).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Max-Age" not in cookie
    assert "set-cookie" not in client.post("/api/v1/runs", json=plan("silent")).headers


def read(answer: httpx.Response) -> Iterator[dict[str, Any]]:
    fields: dict[str, str] = {}
    for line in answer.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "event" in fields:
            yield {**fields, "data": json.loads(fields["data"])}
            fields = {}


def test_one_stream_follows_many_runs_and_goes_on_where_it_was_cut(shared: Server) -> None:
    ids = [shared.run(plan("slow")), shared.run(plan("status"))]
    params = {"run": ids}
    with shared.client.stream("GET", "/api/v1/events", params=params) as answer:
        first = []
        for event in read(answer):
            first.append(event)
            if event["event"] == "progress":
                break
    with shared.client.stream("GET", "/api/v1/events", params=params, headers={"Last-Event-ID": first[-1]["id"]}) as a:
        rest = list(read(a))
    told = [event for event in first + rest if event["event"] != "state" or event["data"]["state"] != "queued"]
    for run in ids:
        mine = [event for event in told if event["data"]["run"] == run]
        alone = [event for _, event, data in shared.events(run) if event != "state" or data["state"] != "queued"]
        assert [event["event"] for event in mine] == alone
    assert {event["data"]["state"] for event in rest if event["event"] == "end"} == {"done", "failed"}


@pytest.mark.parametrize("cursor", ["x", "a:-1", "a:1,", "a:" + "9" * 12])
def test_a_strange_cursor_is_refused(shared: Server, cursor: str) -> None:
    run = another_visitor(shared).post("/api/v1/runs", json=plan()).json()["id"]
    answer = shared.client.get("/api/v1/events", params={"run": run}, headers={"Last-Event-ID": cursor})
    assert "must be the id of an event that this stream sent" in problem(answer, 422, "The request is not valid")


def test_unknown_runs_and_no_runs_cannot_be_followed(shared: Server) -> None:
    assert shared.client.get("/api/v1/events", params={"run": "none"}).status_code == 404
    assert shared.client.get("/api/v1/events").status_code == 422
    assert shared.client.get("/api/v1/events", params={"run": ["x"] * 40}).status_code == 422
