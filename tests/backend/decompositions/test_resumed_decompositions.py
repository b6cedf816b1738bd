"""Decompositions that go on from the end of another run, and links to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.backend.decompositions.test_decompositions import DOCUMENT, LONG, alone, model, served, stop, swept
from tests.backend.http.test_problems import problem
from tests.backend.serving import SPMV, Server

pytestmark = pytest.mark.takes_turns(4)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = served(tmp_path_factory.mktemp("resumed")).start()
    yield started
    started.kill()


def document(sweeps: int, **more: Any) -> dict[str, Any]:
    return {**DOCUMENT, "parameters": {**DOCUMENT["parameters"], "sweeps": sweeps, **more}}


def resumed(server: Server, run_id: str, asked: dict[str, Any]) -> Any:
    return server.client.post("/api/v1/runs", params={"resume": run_id, "fresh": True}, json=asked)


def test_more_sweeps_are_those_of_a_run_that_never_ended(server: Server) -> None:
    first = server.run(DOCUMENT)
    before = server.wait(first, "done")["result"]
    answer = resumed(server, first, document(9))
    assert answer.status_code == 202, answer.text
    run_id = answer.json()["id"]
    result = server.wait(run_id, "done")["result"]
    assert (result["resumed_from"], result["stopped"]) == (6, "sweeps")
    assert [record["sweep"] for record in result["history"]] == list(range(1, 10))
    assert result["history"][:6] == before["history"]
    _, arrays = model(server, run_id)
    assert all(np.array_equal(found, one) for found, one in zip(arrays, alone(document(9), 9), strict=True))


@pytest.mark.parametrize("algorithm", ["cp-apr", "cp-opt"])
def test_the_other_algorithms_go_on_as_well(server: Server, algorithm: str) -> None:
    tensor = {"generator": "zipf", "shape": [12, 14, 16], "nnz": 300, "seed": 3}
    asked = {**document(2), "algorithm": algorithm, "inputs": {"X": tensor}}
    longer = {**asked, "parameters": {**asked["parameters"], "sweeps": 5}}
    first = server.run(asked)
    server.wait(first, "done")
    result = server.wait(resumed(server, first, longer).json()["id"], "done")["result"]
    whole = server.wait(server.run(longer), "done")["result"]
    assert result["resumed_from"] == 2
    assert result["model"]["artifact"] == whole["model"]["artifact"]


def test_what_was_stopped_goes_on_and_answers_nobody_else(server: Server) -> None:
    """It used to be the stored answer for whoever asked for the whole decomposition next."""
    first = server.run(LONG)
    swept(server, first)
    ended = len(stop(server, first)["result"]["history"])
    other = server.run(LONG, fresh=False)
    assert server.view(other)["measured_by"] is None
    server.client.delete(f"/api/v1/runs/{other}")
    three_more = {**LONG, "parameters": {**LONG["parameters"], "sweeps": ended + 3}}
    again = resumed(server, first, three_more).json()["id"]
    assert server.wait(again, "done")["result"]["resumed_from"] == ended


def test_a_run_from_which_nothing_goes_on_is_named(server: Server) -> None:
    first = server.run(DOCUMENT)
    server.wait(first, "done")
    title = "The decomposition cannot go on from there"
    text = problem(resumed(server, first, document(9, rank=4)), 409, title)
    assert "/parameters/rank was 3 and is 4." in text
    text = problem(resumed(server, first, document(9, update=[0])), 409, title)
    assert "/parameters/update was None and is (0,)." in text
    other = {**document(9), "inputs": {"X": {**DOCUMENT["inputs"]["X"], "seed": 8}}}
    assert "/inputs was" in problem(resumed(server, first, other), 409, title)
    assert "Leave resume out" in problem(resumed(server, "nope", document(9)), 404, "No such run")
    plan = server.run(SPMV)
    problem(resumed(server, plan, document(9)), 409, "This run is not a decomposition")
    assert "what was sent is a plan" in problem(resumed(server, first, SPMV), 409, title)
    server.client.delete(f"/api/v1/runs/{plan}")
    fewer = server.wait(resumed(server, first, document(2)).json()["id"])
    assert fewer["state"] == "refused"
    assert "The state is of 6 sweeps; this decomposition ends after 2." in fewer["problem"]["detail"]


def test_a_damaged_state_is_not_used(server: Server) -> None:
    first = server.run(document(4))
    name = server.wait(first, "done")["result"]["state"]["artifact"].removeprefix("sha256:")
    (file,) = server.data.rglob(f"{name}.state")
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + b"x")
    text = problem(resumed(server, first, document(9)), 409, "The stored state is damaged")
    assert f"The file of the state sha256:{name} has the hash sha256:" in text
    file.unlink()
    text = problem(resumed(server, first, document(9)), 409, "There is nothing to go on from")
    assert text.startswith("Its state is no longer kept.")


def test_a_damaged_model_is_named(server: Server) -> None:
    run_id = server.run(document(3))
    name = server.wait(run_id, "done")["result"]["model"]["artifact"].removeprefix("sha256:")
    (file,) = server.data.rglob(f"{name}.npz")
    file.write_bytes(file.read_bytes()[:200])
    for query in ("model?format=json", f"score?other={run_id}"):
        answer = server.client.get(f"/api/v1/runs/{run_id}/{query}")
        text = problem(answer, 409, "The stored model is damaged")
        assert f"The file of the model sha256:{name} was damaged" in text


def test_a_start_that_is_not_there_is_refused_by_its_hash(server: Server) -> None:
    named = f"sha256:{'0' * 64}"
    view = server.wait(server.run(document(2, start={"kind": "given", "hash": named})))
    assert view["state"] == "refused"
    assert f"starts from the factors {named}, which are not given" in view["problem"]["detail"]


def test_an_algorithm_has_one_link_for_ever_with_its_result(server: Server) -> None:
    run_id = server.run(DOCUMENT)
    server.wait(run_id, "done")
    made = server.client.post("/api/v1/links", json={"plan": DOCUMENT, "run_id": run_id})
    assert made.status_code == 201, made.text
    identity = made.json()["id"]
    spelled_out = {**document(6, solver="cholesky", start="uniform"), "version": 1, "dtype": "float64", "target": "c"}
    assert server.client.post("/api/v1/links", json={"plan": spelled_out}).json()["id"] == identity
    assert identity == LINK_OF_DOCUMENT
    opened = server.client.get(f"/api/v1/links/{identity}").json()
    assert opened["plan"] == {**DOCUMENT, "version": 1}
    assert opened["run"]["result"]["model"] == server.view(run_id)["result"]["model"]
    other = server.client.post("/api/v1/links", json={"plan": document(7)}).json()["id"]
    assert server.client.get(f"/api/v1/links/{other}").json()["run"] is None
    wrong = server.client.post("/api/v1/links", json={"plan": document(0)})
    assert "sweeps must be a whole number" in problem(wrong, 400, "This is not a valid plan")


LINK_OF_DOCUMENT = "63Q2UEP7A0JX"
"""Links must open for ever: another name would mean that the canonical form has changed."""
