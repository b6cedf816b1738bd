"""POST /suggest: a schedule by rules, with reasons, that compiles as it is."""

from __future__ import annotations

from typing import Any

from tests.backend.serving import SPMV, Server

BUSY = {"generator": "rmat", "shape": [4096, 4096], "nnz": 80_000, "seed": 7}
TWO_THREADS = {"threads": 2}


def ask(server: Server, plan: dict[str, Any]) -> dict[str, Any]:
    answer = server.client.post("/api/v1/suggest", json=plan)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_the_inputs_are_looked_at(server: Server) -> None:
    small = ask(server, {**SPMV, "inputs": {"A": {"dataset": "karate"}}, "schedule": ["unroll(j, 4)"]})
    assert (small["ok"], small["rule"]) == (True, "row-sums")
    # So small that it stays on one thread, whose lanes gather where the processor does that fast.
    assert small["schedule"] in ([], ["parallelize(j, CPUVector, ParallelReduction)"])
    known = ask(server, {**SPMV, "inputs": {"A": {**BUSY, "nnz": 20}}})
    assert known["schedule"] == []
    shape = {"A": {"format": "csr", "shape": [4096, 4096]}}
    declared = {name: value for name, value in BUSY.items() if name != "shape"}
    view = ask(server, {**SPMV, "tensors": shape, "inputs": {"A": declared}, "run": TWO_THREADS})
    if view["schedule"]:  # On a machine of one core nothing goes to threads.
        assert "balance(i, i0, i1, A, 16)" in view["schedule"]
        assert any("-fold: balanced by nonzeros." in reason for reason in view["reasons"])
    compiled = server.client.post("/api/v1/compile", json={**SPMV, "schedule": view["schedule"]}).json()
    assert compiled["ok"]


def test_a_schedule_for_a_gpu(server: Server) -> None:
    view = ask(
        server, {**SPMV, "target": "cuda", "inputs": {"A": BUSY}, "schedule": ["parallelize(i, CPUThread, NoRaces)"]}
    )
    assert (view["ok"], view["rule"]) == (True, "gpu-row-sums")
    assert "-fold: nonzeros in equal parts, neighbours combine before an atomic." in view["reasons"][0]
    compiled = server.client.post("/api/v1/compile", json={**SPMV, "target": "cuda", "schedule": view["schedule"]})
    assert compiled.json()["ok"]


def test_what_is_too_large_is_not_looked_at(server: Server) -> None:
    view = ask(server, {**SPMV, "inputs": {"A": {**BUSY, "nnz": 9_000_000}}})
    assert view["ok"]
    assert "A is too large to be looked at here: the schedule suits any rows." in view["reasons"]


def test_data_that_does_not_fit_is_named(server: Server) -> None:
    view = ask(server, {**SPMV, "inputs": {"A": {"dataset": "small3"}}})
    assert "A was not looked at: its data have 3 dimensions." in view["reasons"]
    nowhere = server.client.post("/api/v1/suggest", json={**SPMV, "inputs": {"A": {"dataset": "nowhere"}}})
    assert nowhere.status_code == 400


def test_every_example_gets_a_schedule_that_compiles(server: Server) -> None:
    for example in server.client.get("/api/v1/examples").json():
        view = ask(server, example["plan"])
        assert view["ok"], example["id"]
        plan = {**example["plan"], "schedule": view["schedule"]}
        assert server.client.post("/api/v1/compile", json=plan).json()["ok"], (example["id"], view["schedule"])


def test_mistakes_are_diagnostics(server: Server) -> None:
    view = ask(server, {"expression": "y(i) = "})
    assert (view["ok"], view["schedule"]) == (False, [])
    assert view["diagnostics"][0]["code"].startswith("expression/")
    assert server.client.post("/api/v1/suggest", json={"expresion": "y = 1"}).status_code == 400
