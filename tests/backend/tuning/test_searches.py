"""Searches over a real server: slices in the queue, cancelled and gone on with, and what they found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heddle.tuning.known.store import Store
from tests.backend.serving import OPERATOR, Server, plan
from tests.compiler.tuning.known.test_store import OTHER, SPMV, keep

pytestmark = pytest.mark.takes_turns(4)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("searches")
    found = Server(folder, search_child_module="tests.backend.fake_search", search_seconds=100, operator_token=OPERATOR)
    found.environment["HEDDLE_CACHE"] = str(folder / "cache")
    yield found.start()
    found.stop()


def search(server: Server, **more: Any) -> Any:
    return server.client.post("/api/v1/searches", json={"plan": plan(), **more})


def test_a_search_is_cut_into_slices_whose_lines_come_once_and_in_order(server: Server) -> None:
    answer = search(server, seed=7, strategy="random")
    assert answer.status_code == 202, answer.text
    assert answer.json()["settings"]["seed"] == 7
    id = answer.json()["run"]["id"]
    assert server.wait(id)["state"] == "done"
    view = server.client.get(f"/api/v1/searches/{id}").json()
    assert [line["event"] for line in view["log"]] == ["header", *["generation"] * 3, "final"]
    assert [line["number"] for line in view["log"][1:4]] == [0, 1, 2]
    events = server.client.get(f"/api/v1/runs/{id}/events").text
    assert events.count("event: line") == 5
    assert events.count('"state":"queued"') + events.count('"state": "queued"') == 3


def test_a_cancelled_search_keeps_its_log_and_another_goes_on_with_it(server: Server) -> None:
    id = search(server, plan=plan("hang"), seed=9).json()["run"]["id"]
    server.wait(id, "running")
    while (server.view(id)["progress"] or {}).get("message") != "hanging":
        assert server.view(id)["state"] in ("queued", "leased", "running")
    early = search(server, plan=plan("hang"), resume=id)
    assert early.status_code == 409
    assert early.json()["detail"].startswith("Only a search that was cancelled or failed can go on.")
    assert server.client.delete(f"/api/v1/runs/{id}").json()["state"] == "cancelled"
    log = server.client.get(f"/api/v1/searches/{id}").json()["log"]
    assert [line["event"] for line in log] == ["header", "generation", "generation"], server.log
    other = search(server, resume=id)
    assert other.status_code == 422
    assert other.json()["type"] == "urn:heddle:problem:tune-other-plan"
    assert other.json()["detail"].startswith("This log belongs to a search with another plan, y(i) = A(i,j) * x(j)")
    seed = search(server, plan=plan("hang"), resume=id, seed=8)
    assert seed.status_code == 422
    assert seed.json()["detail"].startswith("The search of this log has seed 9, and seed 8 was asked for.")
    again = search(server, plan=plan("hang"), resume=id, seed=9).json()
    assert again["log"] == log
    assert again["settings"]["seed"] == 9
    assert server.wait(again["run"]["id"])["state"] == "done"
    after = server.client.get(f"/api/v1/searches/{again['run']['id']}").json()["log"]
    assert after[:3] == log
    assert len(after) == 5


def test_a_slice_that_writes_no_log_ends_the_search_and_nothing_of_it_is_kept(server: Server) -> None:
    id = search(server, plan=plan("broken")).json()["run"]["id"]
    ended = server.wait(id)
    assert ended["state"] == "failed"
    assert ended["problem"]["detail"] == (
        "The search wrote something that is not a log of a search: This is not the log of a search: line 5 should be a "
        "line of the event final with best as a whole number, and is quick. Please report it."
    )
    log = server.client.get(f"/api/v1/searches/{id}").json()["log"]
    assert [line["event"] for line in log] == ["header", *["generation"] * 2]


def test_what_cannot_be_searched_is_refused_with_the_reason(server: Server) -> None:
    long = search(server, seconds=200)
    assert long.status_code == 422
    assert long.json()["detail"] == "A search here may take 100 s, and 200 s were asked for. Ask for less."
    target = search(server, plan={**plan(), "target": "interpreter"})
    assert target.status_code == 422
    assert "not for interpreter. Set the target to c." in target.json()["detail"]
    unknown = search(server, resume="nothing")
    assert unknown.status_code == 404
    run = server.run(plan())
    assert server.client.get(f"/api/v1/searches/{run}").status_code == 404
    assert search(server, strategy="annealing").status_code == 422


def test_what_is_known_is_found_under_other_names(server: Server) -> None:
    store = Store(Path(server.environment["HEDDLE_CACHE"]) / "tuned")
    keep(store, SPMV, 100.0)
    document = {"version": 2, "expression": OTHER.expression, "tensors": {"M": {"format": "csr", "shape": [40, 30]}}}
    found = server.client.post("/api/v1/tuned/lookup", json=document).json()
    assert found["canonical"] == "o0(v0) = p0(v0,v1) * p1(v1)"
    assert found["offers"][0]["schedule"] == ["split(p, p0, p1, 8)", "parallelize(p0, CPUThread, NoRaces)"]
    assert found["offers"][0]["nearness"] == "this very case"
    (known,) = server.client.get("/api/v1/tuned").json()
    assert known["expression"] == found["canonical"]
    (path,) = store.folder.glob("*.json")
    file = json.loads(path.read_text())
    file["entries"][0]["schedules"][0]["schedule"] = ["parallelize(v1, CPUThread, NoRaces)"]
    assert server.client.post("/api/v1/tuned", json=file).status_code == 401
    operator = {"Authorization": f"Bearer {OPERATOR}"}
    (out,) = server.client.post("/api/v1/tuned", json=file, headers=operator).json()
    assert out["schedule"] == ["parallelize(v1, CPUThread, NoRaces)"]
    assert out["reason"]
