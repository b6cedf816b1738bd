"""POST /account: what a plan does on small data of its own kind, whatever its inputs are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heddle.explorer.views.trace.trace import trace_view
from heddle.frontends.patterns import PATTERNS
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle_server.lessons.course import lesson_named
from heddle_server.lessons.data import document_of, operands_of
from heddle_server.lessons.evidence import Evidence
from heddle_server.lessons.predicates.table import TABLE
from heddle_server.services.compiling import account_worker
from heddle_server.services.compiling.account_data import LIMITS, small_data
from heddle_server.services.compiling.account_worker import account_document
from tests.backend.serving import Server

EXAMPLES = Path(__file__).resolve().parents[3] / "backend" / "heddle_server" / "examples"
SPMV = {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}
SKEW = {"generator": "skew", "shape": [20, 24], "nnz": 90, "c": 1.1, "seed": 3}


def counted(plan: dict[str, Any]) -> Any:
    return json.loads(account_document(plan))


def example(start: str) -> dict[str, Any]:
    (file,) = EXAMPLES.glob(f"{start}*.json")
    plan: dict[str, Any] = json.loads(file.read_text())["plan"]
    return plan


def test_inputs_that_are_small_are_followed_as_they_are() -> None:
    view = counted({**SPMV, "inputs": {"A": SKEW}})
    assert (view["ok"], view["data"]) == (True, "the inputs of this plan")
    assert view["operands"][0] == {"tensor": "A", "shape": [20, 24], "nonzeros": 90}
    assert view["work"]["counted"] == view["work"]["value"] == 90


def test_large_inputs_become_small_ones_of_the_same_kind() -> None:
    large = {**SKEW, "shape": [20_000, 24_000], "nnz": 90_000}
    view = counted({**SPMV, "tensors": {"A": {"format": "csr"}, "x": {"shape": [24_000]}}, "inputs": {"A": large}})
    assert view["data"] == f"small copies of the inputs A, at most {LIMITS[0]} along each dimension"
    (matrix, vector) = view["operands"]
    assert matrix["shape"] == [LIMITS[0], LIMITS[0]]
    assert vector["shape"] == [LIMITS[0]]
    assert view["work"]["counted"] == matrix["nonzeros"] > LIMITS[0]


@pytest.mark.parametrize("start", ["01", "10", "14", "17", "19", "28", "29", "30"])
def test_examples_have_an_account_whose_formula_is_the_count(start: str) -> None:
    """Also programs with several statements, sums of parts, other sums, and inputs that are files."""
    view = counted(example(start))
    assert view["diagnostics"] == []
    assert view["fault"] is None
    assert view["work"]["value"] in (None, view["work"]["counted"])
    assert view["work"]["counted"] > 0


@pytest.mark.parametrize("start", ["28", "29", "30"])
def test_programs_that_name_their_sizes_are_traced_on_sizes_that_fit(start: str) -> None:
    """Formulas in subscripts and gathers have no variable of their own: to trace them was an internal error."""
    view = trace_view(lower(parse_plan(example(start))))
    assert view["ok"]
    assert view["visits"] > 0


def test_fills_are_what_is_not_stored() -> None:
    plan = parse_plan(example("17"))
    operands, _ = next(small_data(plan, lower(plan)))
    assert np.isinf(operands["A"]).any()
    assert np.isfinite(operands["A"]).any()


def test_the_account_of_a_task_has_the_numbers_of_its_checks() -> None:
    """One source: a student who looks at the panel sees what the checks count."""
    lesson = lesson_named("equal-work")
    assert lesson is not None
    task = lesson.tasks[0]
    document = document_of(task, 3)
    view = counted(document)
    evidence = Evidence(lower(parse_plan(dict(task.start))), operands_of(task, 3)[0])
    assert view["data"] == "the inputs of this plan"
    assert view["sharing"]["imbalance"] == TABLE["trace.imbalance"].find(evidence)
    assert view["sharing"]["workers"] == TABLE["trace.workers"].find(evidence)
    assert view["work"]["formula"] == TABLE["cost.formula"].find(evidence)
    missed = {one["size"]: one["misses"] for one in view["traffic"][1]["misses"]}
    assert missed[4096] == TABLE["cache.misses"].find(evidence, "x", 4096.0)


def test_what_cannot_be_counted_is_an_answer_with_its_reason() -> None:
    patterns = counted({"version": 2, "expression": PATTERNS.example, "language": "patterns"})
    assert [one["code"] for one in patterns["diagnostics"]] == ["plan/no-statements"]
    refused = counted({**SPMV, "schedule": ["split(q, q0, q1, 4)"]})
    assert [one["code"] for one in refused["diagnostics"]] == ["schedule/unknown-variable"]
    assert refused["work"] is None


def test_a_plan_that_does_too_much_on_any_data_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_worker, "MOST_EVENTS", 5)
    view = counted({**SPMV, "inputs": {"A": SKEW}})
    assert [one["code"] for one in view["diagnostics"]] == ["account/too-large"]
    assert view["work"] is None


def test_over_http(server: Server) -> None:
    answer = server.client.post("/api/v1/account", json={**SPMV, "inputs": {"A": SKEW}})
    assert answer.status_code == 200
    assert answer.json()["work"]["formula"] == "nnz(A)"
    assert server.client.post("/api/v1/account", json={"expresion": "y"}).status_code == 400
