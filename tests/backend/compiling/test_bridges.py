"""POST /bridge: a plan in the other language, with its derivation, or why there is none."""

from __future__ import annotations

from typing import Any

from heddle.frontends.table import front_end_of
from tests.backend.serving import Server

SPMV: dict[str, Any] = {
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "inputs": {"A": {"dataset": "karate"}},
}


def test_a_statement_as_patterns_and_back(server: Server) -> None:
    there = server.client.post("/api/v1/bridge", json=SPMV).json()
    assert there["ok"]
    assert there["title"] == "Patterns"
    assert there["plan"]["schedule"] == ["represent(A, csr)"]
    assert there["plan"]["inputs"] == SPMV["inputs"]
    assert [step["title"] for step in there["steps"]] == ["The dense program", "represent(A, csr)"]
    compiled = (server.client.post("/api/v1/compile", json=there["plan"])).json()
    assert compiled["ok"]
    assert {one["parameter"]: one["argument"] for one in compiled["patterns"]["arguments"] if one["made"]} == {
        "A_pos": "A.pos",
        "A_crd": "A.crd",
        "A_vals": "A.vals",
    }
    back = (server.client.post("/api/v1/bridge", json=there["plan"])).json()
    assert back["plan"]["expression"] == "y(i) = A(i,j) * x(j)"
    assert back["plan"]["tensors"]["A"] == {"format": "csr"}


def test_what_has_no_counterpart(server: Server) -> None:
    plan = {"expression": "y(j) = A(i,j) * x(i)", "tensors": {"A": {"format": "csr"}}}
    answer = server.client.post("/api/v1/bridge", json=plan)
    assert answer.status_code == 200
    assert not answer.json()["ok"]
    assert answer.json()["plan"] is None
    assert answer.json()["diagnostics"][0]["code"] == "bridge/none"


def test_the_example_of_the_language(server: Server) -> None:
    plan = {"version": 2, "language": "patterns", "expression": front_end_of("patterns").example}
    answer = (server.client.post("/api/v1/bridge", json=plan)).json()
    assert answer["plan"]["expression"] == "y(i) = xs(j) * A(i,j)"
