"""POST /explanations: two plans counted on one part of the real data."""

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
from heddle_server.services.compiling import explanation_worker
from heddle_server.services.compiling.account_worker import without_shapes
from heddle_server.services.compiling.explanation_worker import explanation_document
from heddle_server.services.compiling.input_parts import MOST_CELLS, input_parts
from tests.backend.serving import Server

DATASETS = Path(__file__).resolve().parents[3] / "backend" / "heddle_server" / "datasets"
PATHS = {"bcsstk13": str(DATASETS / "bcsstk13.mtx"), "west0067": str(DATASETS / "west0067.mtx")}
SPMV = {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}
REAL = {"A": {"dataset": "bcsstk13"}}
NONZEROS = [
    "fuse(i, j, f)",
    "pos(f, p, A)",
    "split(p, p0, p1, 1024)",
    "parallelize(p0, CPUThread, Atomics)",
]
GPU = [*NONZEROS[:2], "split(p, b, t, 256)", "parallelize(b, GPUBlock, Atomics)", "parallelize(t, GPUThread, Atomics)"]


def explained(
    plan: dict[str, Any], earlier: dict[str, Any] | None = None, operands: dict[str, Any] | None = None, **more: Any
) -> Any:
    return json.loads(explanation_document(plan, earlier, operands, PATHS, **more))


def parts_of(plan: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    parsed = parse_plan(plan)
    return [(dict(data), part) for data, part in input_parts(parsed, lower(without_shapes(parsed)), PATHS)]


def test_equal_shares_of_nonzeros_are_seen_on_the_real_matrix() -> None:
    """With 32 rows, of which the only tile of 1024 had 100 % of the work, nothing was."""
    view = explained({**SPMV, "schedule": NONZEROS, "inputs": REAL})
    assert (view["ok"], view["counted_on"], view["part"]) == (True, "part", "every 29th row")
    assert view["account"]["operands"][0]["shape"] == [67, 2003]
    assert view["before"]["title"] == "No schedule"
    assert (view["before"]["count"], view["before"]["imbalance"]) == (1, 1.0)
    assert view["after"]["count"] == len(view["after"]["shares"]) == 8
    assert sum(view["after"]["shares"]) == view["before"]["work"]
    assert view["sentence"].startswith("One share of all the work → 8 shares, the largest 1.0 × the mean;")
    assert [tile["command"] for tile in view["tiles"]] == [NONZEROS[2]]
    # What is offered has the tile of the plan.
    fixes = [finding["fix"] for finding in view["account"]["findings"] if finding["fix"] is not None]
    assert all(view["tiles"][0]["counted"] not in fix["schedule"] for fix in fixes)


def test_the_plan_before_is_counted_on_the_same_data() -> None:
    rows = {**SPMV, "schedule": ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"], "inputs": REAL}
    view = explained({**SPMV, "schedule": NONZEROS, "inputs": REAL}, rows)
    assert view["before"]["title"] == "The plan before"
    assert view["before"]["work"] == view["after"]["work"]
    assert view["before"]["imbalance"] > 1.5 > view["after"]["imbalance"]
    assert view["sentence"].startswith(f"Largest share {view['before']['imbalance']:.1f} × the mean → 1.0 ×;")
    # What does not compile, or computes with other operands, is nothing to compare with.
    for other in ({**rows, "schedule": ["split(q, a, b, 2)"]}, {**rows, "expression": "y(i) = A(i,j) * c(j)"}):
        assert explained({**SPMV, "schedule": NONZEROS, "inputs": REAL}, other)["before"]["title"] == "No schedule"


def test_a_plan_without_a_schedule_stands_alone() -> None:
    view = explained({**SPMV, "inputs": REAL})
    assert view["before"] is None
    assert view["sentence"].startswith("One share does all of the ")


def test_given_operands_are_those_of_a_trace() -> None:
    """Lanes were waiting for 0.0 % of their turns in one pane, and for 78.1 % in another."""
    plan = {**SPMV, "schedule": GPU, "target": "cuda"}
    view = explained(plan, operands={})
    trace = trace_view(lower(parse_plan(plan)))
    assert view["counted_on"] == "operands"
    assert [each["shape"] for each in view["account"]["operands"]] == [t["shape"] for t in trace["tensors"][:-1]]
    work = [block["work"] for launch in trace["launches"] for block in launch["blocks"]]
    warps = [block[first : first + 32] for block in work for first in range(0, len(block), 32)]
    busy, turns = sum(map(sum, warps)), sum(32 * max(warp) for warp in warps)
    assert view["after"]["lanes_idle"] == pytest.approx(1 - busy / turns)
    assert view["tiles"] == []


def test_a_task_counts_tiles_as_they_are_written() -> None:
    view = explained({**SPMV, "schedule": NONZEROS}, operands={}, tiles="as written")
    assert (view["after"]["count"], view["tiles"]) == (1, [])
    assert explained({**SPMV, "schedule": NONZEROS}, operands={})["after"]["count"] >= 4


def test_rows_are_drawn_from_the_whole_matrix() -> None:
    ((data, part), *smaller) = parts_of({**SPMV, "inputs": REAL})
    assert (data["A"].shape, data["x"].shape, part) == ((67, 2003), (2003,), "every 29th row")
    assert [name for _, name in smaller] == ["every 133rd row", "first 8 × 125 of 2,003 × 2,003"]


def test_small_inputs_stay_whole_and_tied_dimensions_are_cut_alike() -> None:
    ((data, part), *_) = parts_of({**SPMV, "inputs": {"A": {"dataset": "west0067"}}})
    assert (data["A"].shape, part) == ((67, 67), "all of it")
    square = {"expression": "C(i,j) = A(i,k) * A(k,j)", "tensors": {"A": {"format": "csr"}}}
    ((data, part), *_) = parts_of({**SPMV, **square, "inputs": REAL})
    assert data["A"].shape[0] == data["A"].shape[1] < 2003
    assert part == f"first {data['A'].shape[0]} × {data['A'].shape[0]} of 2,003 × 2,003"
    assert np.count_nonzero(data["A"]) <= 3000


def test_dimensions_of_dense_operands_alone_are_short() -> None:
    spmm = {"expression": "C(i,k) = A(i,j) * B(j,k)"}
    large = {"B": {"generator": "dense", "shape": [2003, 64]}}
    ((data, _), *_) = parts_of({**SPMV, **spmm, "inputs": {**REAL, **large}})
    assert data["B"].shape == (2003, 4)


def test_what_is_too_large_or_has_nothing_in_its_corner_is_copied() -> None:
    """A generator that would make more than is cut, and a matrix of which the first rows and columns are empty."""
    huge = {"A": {"generator": "uniform", "shape": [10**6, 10**6], "nnz": 10**8}}
    assert parts_of({**SPMV, "inputs": huge}) == []
    view = explained({**SPMV, "inputs": huge})
    assert (view["ok"], view["counted_on"]) == (True, "copy")
    assert view["part"].startswith("small copies of the inputs A")
    wide = {"A": {"generator": "uniform", "shape": [4096, 10**7], "nnz": 5000}, "x": {"generator": "dense"}}
    assert all(data["A"].size <= MOST_CELLS for data, _ in parts_of({**SPMV, "inputs": wide}))


def test_what_cannot_be_counted_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    patterns = explained({"version": 2, "expression": PATTERNS.example, "language": "patterns"})
    assert [each["code"] for each in patterns["diagnostics"]] == ["plan/no-statements"]
    assert (patterns["ok"], patterns["before"], patterns["after"], patterns["sentence"]) == (False, None, None, "")
    monkeypatch.setattr(explanation_worker, "MOST_EVENTS", 5)
    assert explained({**SPMV, "inputs": REAL})["diagnostics"][0]["code"] == "account/too-large"


def test_over_http(server: Server) -> None:
    plan = {**SPMV, "schedule": NONZEROS, "inputs": REAL}
    answer = server.client.post("/api/v1/explanations", json={"plan": plan, "data": "input"})
    assert (answer.status_code, answer.json()["part"]) == (200, "every 29th row")
    small = server.client.post("/api/v1/explanations", json={"plan": plan, "operands": {"A": [[1, 2], [0, 3]]}})
    assert small.json()["account"]["operands"][0]["shape"] == [2, 2]
    assert server.client.post("/api/v1/explanations", json={"plan": {"expresion": "y"}}).status_code == 400
    unknown = {**plan, "inputs": {"A": {"dataset": "no-such-matrix"}}}
    assert server.client.post("/api/v1/explanations", json={"plan": unknown, "data": "input"}).status_code == 400
