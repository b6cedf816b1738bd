"""Experiments: plans that compile, and figures with the numbers of their runs."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from backend.experiments.experiment import Measured
from backend.experiments.registry import EXPERIMENTS
from backend.experiments.roofline import model_bytes
from backend.experiments.skew import SKEWS
from backend.services.experiments import experiment_figure
from compiler.pipeline import lower
from compiler.plan import parse_plan, plan_hash
from tests.backend.fake_child import MACHINE
from tests.backend.serving import Server, plan


def result_of(microseconds: float, nnz: int = 1000) -> Any:
    median = microseconds * 1e3
    entry = {"id": "heddle", "median_ns": median, "low_ns": median * 0.9, "high_ns": median * 1.2}
    return {
        "entries": [entry],
        "threads": 2,
        "machine": {**MACHINE, "stream_triad_gbps": {"2": 30.0}},
        "inputs": [{"tensor": "B", "nnz": nnz}],
        "bytes_moved": 2e6,
        "date": "2026-11-21T10:00:00+00:00",
    }


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_every_plan_compiles_and_is_asked_for_once(name: str) -> None:
    points = EXPERIMENTS[name].view["points"]
    plans = [parse_plan(point["plan"]) for point in points]
    assert len({plan_hash(one) for one in plans}) == len(points)
    for one in plans:
        assert lower(one).diagnostics == ()


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_a_figure_is_drawn_from_any_part_of_the_points(name: str) -> None:
    experiment = EXPERIMENTS[name]
    for count in (1, len(experiment.view["points"])):
        measured = [Measured(point, result_of(10)) for point in experiment.view["points"][:count]]
        made = experiment.draw(measured)
        go.Figure(made)
        assert made["layout"]["paper_bgcolor"] == "rgba(0,0,0,0)"
        assert "2 threads" in made["layout"]["annotations"][0]["text"]


def test_skew_has_a_line_for_each_schedule_in_the_order_of_c() -> None:
    skew = EXPERIMENTS["skew"]
    made = skew.draw([Measured(point, result_of(1000 * point["value"])) for point in reversed(skew.view["points"])])
    assert {line["name"] for line in made["data"]} == {"rows shared out", "nonzeros shared out"}
    for line in made["data"]:
        assert line["x"] == [f"{c:g}" for c in SKEWS]
        assert line["y"] == pytest.approx([1000 * c for c in SKEWS])


def test_the_roofline_counts_bytes_as_the_model_does() -> None:
    assert model_bytes(3, 16, 1) == (3 * 16 + 3) * 8 + 3 * 4
    points = EXPERIMENTS["roofline"].view["points"]
    made = EXPERIMENTS["roofline"].draw([Measured(points[0], result_of(100, nnz=1000))])
    assert made["data"][0]["y"] == [pytest.approx(model_bytes(3, 4, 1000) / 100e-6 / 1e9)]
    assert made["data"][1]["y"] == [pytest.approx(20.0)]
    assert made["layout"]["shapes"][0]["y0"] == 30.0


def test_the_service_lists_experiments_and_refuses_runs_of_other_plans(server: Server) -> None:
    listed = server.client.get("/api/v1/experiments").json()
    assert [one["id"] for one in listed] == list(EXPERIMENTS)
    run = server.client.post("/api/v1/runs", json=plan()).json()["id"]
    other = server.client.get("/api/v1/experiments/skew/figure", params={"run": [run]})
    assert other.status_code == 422
    assert "the experiment skew does not hold" in other.json()["detail"]
    assert server.client.get("/api/v1/experiments/none/figure", params={"run": [run]}).status_code == 404
    assert server.client.get("/api/v1/experiments/skew/figure", params={"run": ["nothing"]}).status_code == 404
    assert server.client.get("/api/v1/experiments/skew/figure").status_code == 422


async def test_the_last_run_of_a_point_counts_and_runs_without_a_result_do_not() -> None:
    point = EXPERIMENTS["skew"].view["points"][0]
    named = {"plan_hash": plan_hash(parse_plan(point["plan"]))}
    views = {
        "first": {**named, "id": "first", "result": result_of(10)},
        "second": {**named, "id": "second", "result": result_of(20)},
        "waiting": {**named, "id": "waiting", "result": None},
    }

    class Runs:
        async def get(self, run_id: str) -> Any:
            return views[run_id]

    made = await experiment_figure("skew", list(views), Runs())
    assert made["data"][0]["y"] == [20.0]
    with pytest.raises(Exception, match="a figure needs one"):
        await experiment_figure("skew", ["waiting"], Runs())
