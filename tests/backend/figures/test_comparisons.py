"""Figures over several runs."""

from __future__ import annotations

from typing import Any, cast

from heddle_server.api.results.comparisons import Name
from heddle_server.figures.comparisons import COMPARISONS, performance_profile, scaling
from heddle_server.schema.run import RunResult
from tests.backend.fake_child import ENTRY, RESULT, SCIPY


def result(threads: int, heddle: float, scipy: float) -> RunResult:
    entries: list[dict[str, Any]] = [{**ENTRY, "median_ns": heddle}, {**SCIPY, "median_ns": scipy}]
    return cast(RunResult, {**RESULT, "threads": threads, "entries": entries})


def test_the_api_offers_what_there_is() -> None:
    assert set(Name.__args__) == set(COMPARISONS)  # type: ignore[attr-defined]


def test_times_by_threads_with_the_line_of_perfect_scaling() -> None:
    figure = scaling([result(4, 3000, 8000), result(1, 8000, 8000), result(2, 5000, 8000)])
    traces = {trace["name"]: trace for trace in figure["data"]}
    assert traces["Heddle"]["x"] == [1, 2, 4]
    assert traces["Heddle"]["y"] == [8, 5, 3]
    assert traces["perfect"]["y"] == [8, 4, 2]
    assert traces["SciPy"]["y"] == [8, 8, 8]


def test_the_profile_counts_how_often_each_is_close_to_the_best() -> None:
    figure = performance_profile([result(1, 100, 200), result(1, 300, 100), result(1, 100, 5000)])
    traces = {trace["name"]: trace for trace in figure["data"]}
    assert traces["Heddle"]["x"] == [1, 1, 1, 3, 10]
    assert [round(share, 2) for share in traces["Heddle"]["y"]] == [0, 0.33, 0.67, 1, 1]
    assert traces["SciPy"]["x"] == [1, 1, 2, 10]
    assert [round(share, 2) for share in traces["SciPy"]["y"]][:3] == [0, 0.33, 0.67]
