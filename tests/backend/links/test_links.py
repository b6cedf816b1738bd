"""Links: one per plan, forever, with the stored result."""

from __future__ import annotations

import re

from tests.backend.http.test_problems import problem
from tests.backend.serving import Server, plan


def test_the_same_plan_has_the_same_link(server: Server) -> None:
    first = server.client.post("/api/v1/links", json={"plan": plan("mkl")})
    assert first.status_code == 201
    assert re.fullmatch(r"[0-9A-Za-z]{12}", first.json()["id"])
    assert first.json()["url"] == f"/s/{first.json()['id']}"
    spelled_out = {**plan("mkl"), "version": 1, "schedule": [], "target": "c"}
    assert server.client.post("/api/v1/links", json={"plan": spelled_out}).json() == first.json()


def test_the_version_of_a_plan_is_part_of_it(server: Server) -> None:
    """Both open with the loops that they were made with."""
    expression = "C(i,k) = A(i,j) * B(j,k)"
    bare = {"expression": expression, "tensors": {"A": {"format": "csr"}}}
    made = {
        version: server.client.post("/api/v1/links", json={"plan": {**bare, "version": version}}).json()["id"]
        for version in (1, 2)
    }
    assert made[1] == "AatP218WmUWh"
    assert made[1] != made[2]
    for version, loops in ((1, ["i", "k", "j"]), (2, ["i", "j", "k"])):
        opened = server.client.get(f"/api/v1/links/{made[version]}").json()["plan"]
        assert opened["version"] == version
        view = server.client.post("/api/v1/compile", json=opened).json()
        assert view["graph"]["chains"] == [loops]


def test_another_plan_has_another_link(server: Server) -> None:
    links = [server.client.post("/api/v1/links", json={"plan": plan(name)}).json()["id"] for name in ("a", "b")]
    assert links[0] != links[1]


def test_a_link_opens_with_its_plan_and_no_result(server: Server) -> None:
    document = plan("never-run")
    identity = server.client.post("/api/v1/links", json={"plan": document}).json()["id"]
    opened = server.client.get(f"/api/v1/links/{identity}").json()
    assert opened["id"] == identity
    assert opened["plan"] == {**document, "version": 1}
    assert opened["run"] is None


def test_a_link_shows_the_run_that_was_shared(server: Server) -> None:
    document = plan("shared")
    runs = [server.run(document) for _ in range(2)]
    for run_id in runs:
        server.wait(run_id)
    identity = server.client.post("/api/v1/links", json={"plan": document, "run_id": runs[0]}).json()["id"]
    opened = server.client.get(f"/api/v1/links/{identity}").json()
    assert opened["run"]["id"] == runs[0]
    assert opened["run"]["result"]["verification"]["ok"] is True


def test_a_link_made_before_the_run_shows_the_run_later(server: Server) -> None:
    document = plan("later")
    identity = server.client.post("/api/v1/links", json={"plan": document}).json()["id"]
    run_id = server.run(document)
    server.wait(run_id)
    assert server.client.get(f"/api/v1/links/{identity}").json()["run"]["id"] == run_id


def test_a_run_of_another_plan_cannot_be_shared(server: Server) -> None:
    run_id = server.run(plan("one"))
    answer = server.client.post("/api/v1/links", json={"plan": plan("two"), "run_id": run_id})
    assert f"Run {run_id} measured plan" in problem(answer, 409, "The run is of another plan")


def test_an_unknown_run_cannot_be_shared(server: Server) -> None:
    answer = server.client.post("/api/v1/links", json={"plan": plan(), "run_id": "nope"})
    assert "Leave out run_id" in problem(answer, 404, "No such run")


def test_a_link_needs_a_plan(server: Server) -> None:
    problem(server.client.post("/api/v1/links", json={}), 422, "The request is not valid")
    problem(server.client.post("/api/v1/links", json={"plan": {"expression": 3}}), 400, "This is not a valid plan")
    problem(server.client.post("/api/v1/links", json={"plan": plan(), "x": 1}), 422, "The request is not valid")
