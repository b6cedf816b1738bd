"""Runs from the request to their named end, over a real server."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.backend.serving import Server, assert_ended, plan

pytestmark = pytest.mark.takes_turns(4)


def test_a_run_is_queued_measured_and_kept(server: Server) -> None:
    answer = server.client.post("/api/v1/runs", params={"fresh": True}, json=plan())
    assert answer.status_code == 202
    assert answer.json()["state"] == "queued"
    assert answer.json()["queue_position"] == 0
    view = server.wait(answer.json()["id"])
    assert view["state"] == "done"
    assert view["result"]["verification"]["ok"] is True
    assert view["problem"] is None
    assert view["created"] <= view["started"] <= view["finished"]


def test_the_latest_measurement_of_a_plan_is_found_without_a_new_run(server: Server) -> None:
    asked = {**plan(), "expression": "z(i) = A(i,j) * x(j)"}
    assert server.client.post("/api/v1/runs/measured", json=asked).json() is None
    first = server.wait(server.run(asked))
    found = server.client.post("/api/v1/runs/measured", json=asked)
    assert found.status_code == 200
    assert found.json()["id"] == first["id"]
    assert found.json()["result"] == first["result"]
    script = server.client.post("/api/v1/exports", json={"plan": asked, "kind": "python"}).json()["text"]
    assert f"STORED = {{'date': '{first['result']['date']}'" in script
    assert server.client.post("/api/v1/runs/measured", json={**asked, "schedule": ["reorder(j, i)"]}).json() is None


def test_the_result_names_the_sandbox_in_force(server: Server) -> None:
    sandbox = server.wait(server.run(plan()))["result"]["sandbox"]
    assert sandbox["limits"]["seconds"] == 60
    assert sandbox["limits"]["memory_bytes"] > 0
    assert sandbox["network"] in ("none", "open")
    assert server.client.get("/readyz").json()["sandbox"]["form"] == sandbox["form"]


@pytest.mark.parametrize(
    ("behaviour", "state", "text"),
    [
        ("segfault", "crashed", "SIGSEGV"),
        ("abort", "crashed", "SIGABRT"),
        ("killed", "crashed", "Something outside Heddle killed the process"),
        ("memory", "oom", "needs more memory than a run is allowed"),
        ("flood", "failed", "more than 1,048,576 bytes of output"),
        ("silent", "failed", "ended with status 0 and reported nothing"),
        ("status", "failed", "ended with status 3 and reported nothing. It said: the reason is here"),
        ("problem", "failed", "It cannot be done."),
        ("refused", "refused", "The shape of A does not fit."),
        ("malformed", "failed", "a result that Heddle cannot read"),
    ],
)
def test_every_bad_end_has_a_name_and_a_reason(server: Server, behaviour: str, state: str, text: str) -> None:
    view = server.wait(server.run(plan(behaviour)))
    assert view["state"] == state
    assert text in view["problem"]["title"] + view["problem"]["detail"]
    assert view["result"] is None
    assert server.client.get("/readyz").status_code == 200


def test_a_run_that_takes_too_long_is_stopped(data: Path) -> None:
    server = Server(data, run_seconds=2).start()
    try:
        view = server.wait(server.run(plan("hang")))
        assert view["state"] == "timeout"
        assert "did not end within 2 s" in view["problem"]["detail"]
    finally:
        server.kill()


def test_diagnostics_of_a_refused_run_are_kept(server: Server) -> None:
    problem = server.wait(server.run(plan("refused")))["problem"]
    assert [diagnostic["code"] for diagnostic in problem["diagnostics"]] == ["input/shape"]


def test_a_run_has_no_network(server: Server) -> None:
    view = server.wait(server.run({**plan(), "run": {"baselines": ["network"], "threads": server.port % 1000 + 1}}))
    if view["problem"]["title"] == "Reached":
        pytest.fail("the child reached the machine's network")


def test_events_tell_the_whole_story(server: Server) -> None:
    events = list(server.events(server.run(plan())))
    assert [int(number) for number, _, _ in events if number] == list(range(1, len(events) + 1))
    states = [data["state"] for _, event, data in events if event == "state"]
    assert states == ["queued", "leased", "running", "done"]
    assert [data["message"] for _, event, data in events if event == "progress"] == ["half"]
    assert [event for _, event, _ in events[-2:]] == ["result", "end"]
    assert events[-1][2] == {"state": "done", "problem": None}


def test_events_go_on_where_they_were_cut(server: Server) -> None:
    run_id = server.run(plan("slow"))
    first = []
    for event in server.events(run_id):
        first.append(event)
        if event[1] == "progress":
            break
    rest = list(server.events(run_id, after=int(first[-1][0] or 0)))
    whole = list(server.events(run_id))
    assert first + rest == whole
    assert whole[-1][1] == "end"


def test_events_after_the_end_say_the_end_again(server: Server) -> None:
    run_id = server.run(plan())
    last = list(server.events(run_id))[-1]
    assert list(server.events(run_id, after=int(last[0] or 0))) == [last]


@pytest.mark.parametrize("header", ["x", "-1", "1e3", "²", "9" * 20])
def test_a_strange_last_event_id_is_refused(server: Server, header: str) -> None:
    run_id = server.run(plan())
    answer = server.client.get(f"/api/v1/runs/{run_id}/events", headers={"Last-Event-ID": header.encode()})
    assert answer.status_code == 422
    assert "Last-Event-ID must be the id of an event" in answer.json()["detail"]


@pytest.mark.parametrize("behaviour", ["hang", "stubborn"])
def test_cancelling_ends_a_run_and_all_its_processes(server: Server, behaviour: str) -> None:
    run_id = server.run(plan(behaviour))
    view = server.wait(run_id, "running")
    while view["progress"] is None:
        time.sleep(0.05)
        view = server.wait(run_id, "running")
    processes = server.sandboxes()
    assert len(processes) >= (1 if behaviour == "hang" else 2)
    cancelled = server.client.delete(f"/api/v1/runs/{run_id}").json()
    assert cancelled["state"] == "cancelled"
    for process in processes:
        assert_ended(process.pid)


def test_cancelling_in_the_queue_and_after_the_end(server: Server) -> None:
    busy = server.run(plan("hang"))
    waiting = server.run(plan("slow"))
    behind = server.run(plan("problem"))
    assert server.view(behind)["queue_position"] in (1, 2)
    assert server.client.delete(f"/api/v1/runs/{waiting}").json()["state"] == "cancelled"
    assert server.client.delete(f"/api/v1/runs/{waiting}").json()["state"] == "cancelled"
    server.client.delete(f"/api/v1/runs/{busy}")
    assert server.wait(behind)["state"] == "failed"
    assert server.client.delete(f"/api/v1/runs/{behind}").json()["state"] == "failed"


def test_waiting_runs_of_one_plan_share_one_measurement(server: Server) -> None:
    busy = server.run(plan("slow"))
    twins = [server.run(plan("mkl")) for _ in range(3)]
    views = [server.wait(twin) for twin in twins]
    assert server.wait(busy)["state"] == "done"
    assert [view["state"] for view in views] == ["done"] * 3
    assert len({view["started"] for view in views}) == 1


def test_timed_runs_do_not_overlap(server: Server) -> None:
    runs = [server.run(plan("slow", schedule=[f"split(i, i0, i1, {size})"])) for size in (8, 16)]
    first, second = (server.wait(run) for run in runs)
    assert first["finished"] <= second["started"]


def test_a_plan_that_does_not_compile_is_not_queued(server: Server) -> None:
    answer = server.client.post("/api/v1/runs", json=plan(schedule=["split(q, q0, q1, 8)"]))
    assert answer.status_code == 400
    assert answer.json()["title"] == "The plan does not compile"
    assert answer.json()["diagnostics"][0]["location"]["command"] == 0


def test_an_unknown_dataset_is_named(server: Server) -> None:
    answer = server.client.post("/api/v1/runs", json=plan(inputs={"A": {"dataset": "bcsstk31"}}))
    assert answer.status_code == 400
    assert "dataset 'bcsstk31', which is not here. Built in are " in answer.json()["detail"]
    assert answer.json()["diagnostics"][0]["candidates"][0] == "bcsstk13"
