"""What is predicted of a decomposition before it runs: the answer of the compile process."""

from __future__ import annotations

import json
from typing import Any

from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle_server.services.decompositions.predicting import prediction_document
from heddle_server.worker.decomposition.roles import CONTENDED

X: dict[str, Any] = {"generator": "kruskal", "shape": [8, 9, 10], "rank": 2, "support": 4, "seed": 7}
DOCUMENT: dict[str, Any] = {"algorithm": "cp-als", "inputs": {"X": X}, "parameters": {"rank": 3}}


def predicted(document: dict[str, Any]) -> Any:
    return json.loads(prediction_document(document, {}))


def test_each_role_has_its_plan_its_work_and_its_methods() -> None:
    view = predicted(DOCUMENT)
    assert view["ok"] is True
    assert view["input"]["shape"] == [8, 9, 10]
    assert view["factor_bytes"] == 2 * 8 * 3 * 27
    roles = {role["role"]: role for role in view["roles"]}
    assert list(roles) == ["mttkrp.0", "mttkrp.1", "mttkrp.2", "tensor-norm"]
    for mode in range(3):
        role = roles[f"mttkrp.{mode}"]
        assert lower(parse_plan(role["plan"])).diagnostics == ()
        assert role["work"] == view["input"]["nnz"] * 3 * 3
        assert role["rows"] == X["shape"][mode]
        costs = {one["name"]: one for one in role["methods"]}
        assert {name: costs[name]["atomics"] for name in CONTENDED} == role["atomics"]
        assert costs["atomic"] == {
            "name": "atomic", "bytes": 0, "atomics": 3 * view["input"]["nnz"], "allowed": False
        }  # fmt: skip
    assert roles["tensor-norm"]["methods"] == []
    assert roles["tensor-norm"]["work"] is None
    assert [one["reuse"] for one in view["trees"]].count("none") == 1


def test_the_best_tree_is_written_out() -> None:
    view = predicted({**DOCUMENT, "parameters": {"rank": 3, "reuse": "best"}})
    assert view["reuse"] == view["trees"][0]["reuse"]


def test_why_nothing_is_predicted_is_said() -> None:
    large = {"generator": "zipf", "shape": [10_000] * 3, "nnz": 4_000_001}
    (found,) = predicted({**DOCUMENT, "inputs": {"X": large}})["diagnostics"]
    assert found["code"] == "algorithm/not-predicted"
    assert found["message"].startswith("X may have 4,000,001 entries: up to 4,000,000 are counted before a run.")
    planted = {**X, "shape": [10_000] * 3, "support": 200}
    (found,) = predicted({**DOCUMENT, "inputs": {"X": planted}})["diagnostics"]
    assert found["found"] == "16,000,000"
    view = predicted({**DOCUMENT, "parameters": {"rank": 3, "order": [0, 1]}})
    assert (view["ok"], view["roles"], view["diagnostics"][0]["code"]) == (False, [], "algorithm/modes")
