"""Runs of algorithms: swept, watched, stopped, and gone on with after a kill, to the same bits."""

from __future__ import annotations

import hashlib
import io
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from heddle.algorithms.decompose import AlgorithmRun
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.methods import CHUNK
from heddle_server.worker.decomposition.tensor import tensor_of
from tests.backend.serving import PATIENCE_SECONDS, SPMV, Server

pytestmark = pytest.mark.takes_turns(4)

X: dict[str, Any] = {"generator": "kruskal", "shape": [30, 40, 50], "rank": 3, "support": 9, "noise": 0.1, "seed": 7}
DOCUMENT: dict[str, Any] = {
    "algorithm": "cp-als",
    "inputs": {"X": X},
    "parameters": {"rank": 3, "sweeps": 6, "tolerance": 0},
    "run": {"threads": 1},
}
LONG: dict[str, Any] = {
    **DOCUMENT,
    "inputs": {"X": {**X, "shape": [90, 120, 150], "support": 30}},
    "parameters": {"rank": 3, "sweeps": 10_000, "tolerance": 0},
}
"""Its sweeps take 20 s and more, so that it still runs when a busy machine comes to stop it."""


def served(folder: Path) -> Server:
    child = "heddle_server.worker.child"
    # Predictions have a limit as well, which a busy machine reaches.
    return Server(folder, run_child_module=child, checkpoint_seconds=0.5, run_seconds=300, compile_seconds=100)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = served(tmp_path_factory.mktemp("decompositions")).start()
    yield started
    started.kill()


def alone(document: dict[str, Any], sweeps: int) -> list[np.ndarray[Any, Any]]:
    """The weights and factors of as many sweeps in this process, without a service."""
    algorithm = parse_algorithm({**document, "parameters": {**document["parameters"], "sweeps": sweeps}})
    run = AlgorithmRun(algorithm, tensor_of(algorithm, {}))
    list(run)
    found = run.finish()
    return [found.weights, *found.factors]


def model(server: Server, run_id: str) -> tuple[bytes, list[np.ndarray[Any, Any]]]:
    answer = server.client.get(f"/api/v1/runs/{run_id}/model")
    assert answer.status_code == 200, answer.text
    with np.load(io.BytesIO(answer.content), allow_pickle=False) as arrays:
        return answer.content, [arrays["weights"], *(arrays[f"factor_{mode}"] for mode in range(3))]


def swept(server: Server, run_id: str) -> int:
    """Waits for a checkpoint behind some sweeps; the process id of the child."""
    checkpoint = server.data / "checkpoints" / f"{run_id}.json"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not checkpoint.exists():
        assert time.monotonic() < deadline, server.view(run_id)
        time.sleep(0.05)
    return server.sandboxes()[0].pid


def stop(server: Server, run_id: str) -> dict[str, Any]:
    assert server.client.post(f"/api/v1/runs/{run_id}/stop", json={}).status_code == 200
    return server.wait(run_id, "done")


def test_a_decomposition_is_swept_checked_and_kept(server: Server) -> None:
    run_id = server.run(DOCUMENT)
    events = list(server.events(run_id))
    records = [record for _, event, data in events if event == "sweeps" for record in data["records"]]
    view = server.view(run_id)
    result = view["result"]
    assert view["state"] == "done", view["problem"]
    assert [record["sweep"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert result["history"] == records
    assert (result["stopped"], result["resumed_from"]) == ("sweeps", None)
    assert [one["role"] for one in result["verification"]] == ["mttkrp.0", "mttkrp.1", "mttkrp.2"]
    assert [(one["rows"], one["of"]) for one in result["verification"]] == [(30, 30), (40, 40), (50, 50)]
    content, arrays = model(server, run_id)
    assert result["model"] == {"artifact": f"sha256:{hashlib.sha256(content).hexdigest()}", "bytes": len(content)}
    assert all(np.array_equal(found, one) for found, one in zip(arrays, alone(DOCUMENT, 6), strict=True))
    assert not list((server.data / "checkpoints").glob(f"{run_id}*"))
    report = server.client.get(f"/api/v1/runs/{run_id}/model", params={"format": "json"})
    assert report.headers["content-disposition"] == f'attachment; filename="decomposition-{run_id}.json"'
    told = report.json()
    assert all(np.array_equal(np.array(rows), one) for rows, one in zip(told["factors"], arrays[1:], strict=True))
    assert {name: told[name] for name in ("weights", "history", "document", "roles", "model")} == {
        name: result[name] for name in ("weights", "history", "document", "roles", "model")
    }
    score = server.client.get(f"/api/v1/runs/{run_id}/score", params={"other": run_id})
    assert score.json() == {"score": pytest.approx(1.0, abs=1e-12), "components": 3}
    nobody = server.client.get(f"/api/v1/runs/{run_id}/score", params={"other": "nobody"})
    assert nobody.status_code == 404


def test_each_role_is_a_plan_that_compiles(server: Server) -> None:
    result = server.wait(server.run(DOCUMENT, fresh=False), "done")["result"]
    for role in result["roles"]:
        answer = server.client.post("/api/v1/compile", json=role["plan"]).json()
        assert answer["ok"], (role, answer["diagnostics"])
        assert role["plan"]["expression"] == role["expression"]
        assert role["reasons"] != []
    nnz, rank = result["input"]["nnz"], 3
    for role in result["roles"][:3]:
        assert role["atomics"]["atomic"] == nnz * rank
        assert role["atomics"]["rows"] == 0
        assert role["atomics"]["permuted"] <= 2 * rank * -(-nnz // CHUNK)


def unmeasured(reason: str) -> str:
    """Without what each process measures anew."""
    return re.sub(r"[\d.]+ µs", "… µs", reason)


def test_what_is_predicted_is_what_runs(server: Server) -> None:
    answer = server.client.post("/api/v1/algorithms/compile", json=DOCUMENT)
    assert answer.status_code == 200, answer.text
    roles = {role["role"]: role for role in answer.json()["roles"]}
    result = server.wait(server.run(DOCUMENT, fresh=False), "done")["result"]
    for role in result["roles"]:
        assert [unmeasured(one) for one in roles[role["role"]]["reasons"]] == [
            unmeasured(one) for one in role["reasons"]
        ]
        same = role.keys() - {"reasons"}
        assert {name: roles[role["role"]][name] for name in same} == {name: role[name] for name in same}
    refused = server.client.post("/api/v1/algorithms/compile", json={**DOCUMENT, "parameters": {}})
    assert refused.status_code == 400
    unknown = server.client.post("/api/v1/algorithms/compile", json={**DOCUMENT, "inputs": {"X": {"dataset": "no"}}})
    assert "which is not here" in unknown.json()["diagnostics"][0]["message"]


def test_the_kernels_of_a_tree_are_plans_with_their_own_shapes(server: Server) -> None:
    """A run with a tree failed behind its last sweep: its kernels were described with the shape of the input."""
    X = {"generator": "kruskal", "shape": [8, 9, 10, 7], "rank": 2, "support": 5, "seed": 7}
    asked = {"rank": 3, "sweeps": 2, "tolerance": 0, "reuse": "((0 1) (2 3))"}
    run_id = server.run({**DOCUMENT, "inputs": {"X": X}, "parameters": asked})
    result = server.wait(run_id, "done")["result"]
    roles = {role["role"]: role for role in result["roles"]}
    assert set(roles) == {"tree.0-1", "leaf.0", "leaf.1", "tree.2-3", "leaf.2", "leaf.3", "tensor-norm"}
    for role in result["roles"]:
        answer = server.client.post("/api/v1/compile", json=role["plan"]).json()
        assert answer["ok"], (role, answer["diagnostics"])
        assert role["atomics"] == {}
    assert len(roles["leaf.0"]["plan"]["tensors"]["X"]["shape"]) == 3
    offered = {tree["reuse"]: tree for tree in result["trees"]}
    assert "none" in offered
    assert len(offered) == 4
    assert offered["none"]["bytes"] == 0
    other = server.run(DOCUMENT, fresh=False)
    server.wait(other, "done")
    apart = server.client.get(f"/api/v1/runs/{run_id}/score", params={"other": other})
    assert (apart.status_code, apart.json()["title"]) == (409, "The models are of unlike tensors")


def test_a_stopped_decomposition_keeps_what_is_there(server: Server) -> None:
    run_id = server.run(LONG)
    swept(server, run_id)
    result = stop(server, run_id)["result"]
    assert result["stopped"] == "asked"
    assert 1 <= len(result["history"]) < 10_000
    _, arrays = model(server, run_id)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, alone(LONG, len(result["history"])), strict=True))


def test_a_killed_server_goes_on_from_the_checkpoint_to_the_same_bits(tmp_path: Path) -> None:
    own = served(tmp_path / "data").start()
    try:
        run_id = own.run(LONG)
        swept(own, run_id)
        own.kill()
        own.start()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while own.view(run_id)["state"] != "running" or (own.view(run_id)["progress"] or {}).get("phase") != "sweeps":
            assert time.monotonic() < deadline, own.view(run_id)
            time.sleep(0.05)
        result = stop(own, run_id)["result"]
        assert result["resumed_from"] >= 1
        assert [record["sweep"] for record in result["history"]] == list(range(1, len(result["history"]) + 1))
        _, arrays = model(own, run_id)
        assert all(np.array_equal(a, b) for a, b in zip(arrays, alone(LONG, len(result["history"])), strict=True))
    finally:
        own.kill()


def test_a_killed_worker_gives_the_decomposition_to_the_next_one(server: Server) -> None:
    run_id = server.run(LONG)
    worker = psutil.Process(swept(server, run_id)).parent()
    assert worker is not None
    worker.kill()
    deadline = time.monotonic() + PATIENCE_SECONDS
    queued = 0
    for _, event, data in server.events(run_id):
        queued += event == "state" and data["state"] == "queued"
        if queued == 2:  # Asked for, and given back.
            break
    while (server.view(run_id)["progress"] or {}).get("phase") != "sweeps":
        assert time.monotonic() < deadline, server.view(run_id)
        time.sleep(0.05)
    assert stop(server, run_id)["result"]["resumed_from"] >= 1


def test_a_stop_while_the_next_worker_is_awaited_keeps_what_is_there(server: Server) -> None:
    run_id = server.run(LONG)
    worker = psutil.Process(swept(server, run_id)).parent()
    assert worker is not None
    worker.kill()
    result = stop(server, run_id)["result"]
    assert result["stopped"] == "asked"
    _, arrays = model(server, run_id)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, alone(LONG, len(result["history"])), strict=True))


def test_a_killed_child_ends_its_run_as_crashed(server: Server) -> None:
    run_id = server.run(LONG)
    os.kill(swept(server, run_id), signal.SIGKILL)
    view = server.wait(run_id, "crashed")
    assert view["state"] == "crashed"
    assert "SIGKILL" in view["problem"]["title"]


def test_a_document_that_is_wrong_is_answered_with_its_place(server: Server) -> None:
    wrong = {**DOCUMENT, "parameters": {"rank": 0, "iterations": 5}}
    answer = server.client.post("/api/v1/runs", json=wrong)
    assert answer.status_code == 400
    found = {one["location"]["path"]: one["code"] for one in answer.json()["diagnostics"]}
    assert found == {"/parameters/rank": "algorithm/rank", "/parameters/iterations": "algorithm/unknown-key"}


def test_a_tensor_that_cannot_be_decomposed_refuses_the_run(server: Server) -> None:
    view = server.wait(server.run({**DOCUMENT, "inputs": {"X": {"dataset": "karate"}}, "kernels": {"mttkrp.5": {}}}))
    assert view["state"] == "refused"
    assert "there is no kernel mttkrp.5" in view["problem"]["detail"]


def test_the_run_of_a_plan_is_not_stopped_and_has_no_model(server: Server) -> None:
    run_id = server.run(SPMV)
    for answer in (
        server.client.post(f"/api/v1/runs/{run_id}/stop", json={}),
        server.client.get(f"/api/v1/runs/{run_id}/model"),
    ):
        assert answer.status_code == 409
        assert answer.json()["detail"] == (
            "The run is of a plan. Only the runs of algorithms can be stopped or have a model; cancel it instead."
        )
    server.client.delete(f"/api/v1/runs/{run_id}")
