"""POST /suggest: a schedule by rules, with reasons, that compiles as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import heddle_server.datasets
from heddle.plan import parse_plan, to_document
from heddle.runtime.native import cpu, loaded_wake, machine_class, parallel_region
from heddle_server.services.catalogue import EXAMPLES, read_example
from heddle_server.services.compiling.suggestion_worker import suggestion_document
from tests.backend.serving import SPMV, Server

BUSY = {"generator": "rmat", "shape": [4096, 4096], "nnz": 80_000, "seed": 7}
DATASETS = Path(heddle_server.datasets.__file__).parent


def ask(server: Server, plan: dict[str, Any]) -> dict[str, Any]:
    answer = server.client.post("/api/v1/suggest", json=plan)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


KARATE = {**SPMV, "inputs": {"A": {"dataset": "karate"}}}
SPARSE = {**SPMV, "inputs": {"A": {**BUSY, "nnz": 20}}}
# The shape stands with the tensor.
LONG_ROWS = {
    **SPMV,
    "tensors": {"A": {"format": "csr", "shape": BUSY["shape"]}},
    "inputs": {"A": {name: value for name, value in BUSY.items() if name != "shape"}},
    "run": {"threads": 2},
}
LANES = "parallelize(j, CPUVector, ParallelReduction)"
SHARED = ["balance(i, i0, i1, A, 16)", "parallelize(i0, CPUThread, NoRaces)"]


def suggested(plan: dict[str, Any]) -> dict[str, Any]:
    """What the service answers on this machine."""
    paths = {"karate": str(DATASETS / "karate.mtx")}
    return dict(json.loads(suggestion_document(to_document(parse_plan(plan)), paths)))


@pytest.mark.parametrize(("gathers", "karate", "long_rows"), [(True, [LANES], LANES), (False, [], "unroll(j, 4)")])
@pytest.mark.parametrize(("cores", "shared"), [(1, []), (2, SHARED)])
def test_inputs_and_machine_decide(
    monkeypatch: pytest.MonkeyPatch, gathers: bool, karate: list[str], long_rows: str, cores: int, shared: list[str]
) -> None:
    """On a machine with AVX-512, whatever runs the test."""
    monkeypatch.setattr(machine_class, "in_force", lambda: machine_class.parse_name("x86-64-v4"))
    monkeypatch.setattr(parallel_region, "recall_region", lambda threads: 1e-6)
    monkeypatch.setattr(loaded_wake, "recall_wake", lambda threads: loaded_wake.USUAL_SECONDS)
    monkeypatch.setattr(cpu, "gathers_fast", lambda: gathers)
    monkeypatch.setattr(cpu, "available_cores", lambda: cores)
    assert suggested(KARATE)["schedule"] == karate
    assert suggested(SPARSE)["schedule"] == []
    view = suggested(LONG_ROWS)
    assert view["schedule"] == [long_rows, *shared]
    assert ("Rows of A differ 61-fold: balanced by nonzeros." in view["reasons"]) == (cores > 1)


def test_the_inputs_are_looked_at(server: Server) -> None:
    """And the schedule that is there is not."""
    for plan in (KARATE, SPARSE, LONG_ROWS):
        view = ask(server, {**plan, "schedule": ["unroll(j, 8)"]})
        assert view == suggested(plan)
        assert (view["ok"], view["rule"]) == (True, "row-sums")
        compiled = server.client.post("/api/v1/compile", json={**plan, "schedule": view["schedule"]}).json()
        assert compiled["ok"]


def test_a_schedule_for_a_gpu(server: Server) -> None:
    view = ask(
        server, {**SPMV, "target": "cuda", "inputs": {"A": BUSY}, "schedule": ["parallelize(i, CPUThread, NoRaces)"]}
    )
    assert (view["ok"], view["rule"]) == (True, "gpu-row-sums")
    assert "-fold: nonzeros in equal parts, neighbours combine before each atomic update." in view["reasons"][0]
    compiled = server.client.post("/api/v1/compile", json={**SPMV, "target": "cuda", "schedule": view["schedule"]})
    assert compiled.json()["ok"]


def test_a_program_of_patterns_has_its_reductions_in_lanes(server: Server) -> None:
    text = (
        "nFun(n => nFun(m => fun(A: [[float]_m]_n => fun(xs: [float]_m => "
        "A :>> map(fun(row => zip(xs, row) :>> map(*) :>> reduce(+, 0)))))))"
    )
    view = ask(server, {"version": 2, "expression": text, "language": "patterns", "schedule": ["mapPar(map1)"]})
    assert (view["title"], view["schedule"]) == ("Reductions in vector lanes", ["vectorReduce(reduce1)"])
    assert (view["formats"], view["diagnostics"]) == ([], [])


def test_what_is_too_large_is_not_looked_at(server: Server) -> None:
    view = ask(server, {**SPMV, "inputs": {"A": {**BUSY, "nnz": 9_000_000}}})
    assert view["ok"]
    assert "A is too large to be examined here: the schedule suits any rows." in view["reasons"]


def test_data_that_does_not_fit_is_named(server: Server) -> None:
    view = ask(server, {**SPMV, "inputs": {"A": {"dataset": "small3"}}})
    assert "A was not examined: its data has 3 dimensions." in view["reasons"]
    nowhere = server.client.post("/api/v1/suggest", json={**SPMV, "inputs": {"A": {"dataset": "nowhere"}}})
    assert nowhere.status_code == 400


@pytest.mark.combinations(6)
@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.json")), ids=lambda file: file.stem)
def test_every_example_gets_a_schedule_that_compiles(server: Server, file: Path) -> None:
    example = read_example(file)
    view = ask(server, example["plan"])
    assert view["ok"]
    plan = {**example["plan"], "schedule": view["schedule"]}
    assert server.client.post("/api/v1/compile", json=plan).json()["ok"], view["schedule"]


def test_mistakes_are_diagnostics(server: Server) -> None:
    view = ask(server, {"expression": "y(i) = "})
    assert (view["ok"], view["schedule"]) == (False, [])
    assert view["diagnostics"][0]["code"].startswith("expression/")
    assert server.client.post("/api/v1/suggest", json={"expresion": "y = 1"}).status_code == 400


def test_a_schedule_is_chosen_for_another_machine_than_the_servers(server: Server) -> None:
    names = [machine["name"] for machine in server.client.get("/api/v1/suggest/machines").json()]
    assert names == ["server", "x86-64", "browser"]
    usual = ask(server, KARATE)
    for name in names:
        answer = server.client.post(f"/api/v1/suggest?machine={name}", json=KARATE)
        assert answer.status_code == 200, answer.text
        assert (answer.json() == usual) == (name == "server")
    answer = server.client.post("/api/v1/suggest?machine=mainframe", json=KARATE)
    assert answer.status_code == 422
    assert "query.machine: Input should be 'server', 'x86-64' or 'browser', found 'mainframe'" in answer.text
