"""Figures: valid for Plotly, with the numbers of the result, the machine in the caption, and no fixed background."""

from typing import Any

import plotly.graph_objects as go
import pytest

from heddle_server.figures.registry import FIGURES, figure, figure_names
from heddle_server.figures.speedup import speedup
from heddle_server.figures.theme import log_ticks, ratio_text


def entry(identity: str, label: str, median: float, available: bool = True) -> dict[str, Any]:
    return {
        "id": identity,
        "label": label,
        "available": available,
        "reason": None if available else "not here",
        "median_ns": median if available else None,
        "low_ns": median * 0.9 if available else None,
        "high_ns": median * 1.1 if available else None,
        "quartiles_ns": [median, median] if available else None,
        "gigabytes_per_second": 3e5 / median if available else None,
        "bandwidth_share": 1e4 / median if available else None,
        "samples_ns": [median * (0.9 + 0.001 * number) for number in range(1000)] if available else [],
    }


@pytest.fixture
def result() -> Any:
    return {
        "entries": [
            entry("heddle", "Heddle", 20_000),
            entry("unscheduled", "Heddle, unscheduled", 40_000),
            entry("scipy", "SciPy", 60_000),
            entry("mkl", "MKL", 0, available=False),
        ],
        "threads": 2,
        "machine": {
            "cpu": "Test CPU",
            "cores": 4,
            "compiler": "gcc 12.2.0",
            "scipy": "1.17.1",
            "mkl": {"version": "Intel Version 2026.2", "threading": "GNU OpenMP", "dispatch": "AVX2"},
            "stream_triad_gbps": {"2": 30.0},
            "load": 0.5,
        },
        "protocol": {"rounds": 1000},
        "date": "2026-11-21T10:00:00+00:00",
    }


@pytest.mark.parametrize("name", list(FIGURES))
def test_every_figure_is_valid_and_neutral(name: str, result: Any) -> None:
    made = figure(name, result)
    go.Figure(made)  # Plotly checks every property.
    assert made["layout"]["paper_bgcolor"] == made["layout"]["plot_bgcolor"] == "rgba(0,0,0,0)"
    assert [trace["name"] for trace in made["data"]] == ["Heddle", "Heddle, unscheduled", "SciPy"]
    assert made["layout"]["annotations"][0]["text"] == (
        "Test CPU, 2 threads of 4 cores, STREAM triad 30.0 GB/s, load 0.5<br>"
        "gcc 12.2.0, SciPy 1.17.1, MKL 2026.2 (AVX2), 2026-11-21"
    )


def test_speed_is_relative_to_the_named_baseline(result: Any) -> None:
    made = speedup(result)
    assert made["layout"]["title"]["text"] == "Speed relative to SciPy (further right is faster)"
    bars = {trace["name"]: trace["base"][0] + trace["x"][0] for trace in made["data"]}
    assert bars == pytest.approx({"Heddle": 3, "Heddle, unscheduled": 1.5, "SciPy": 1})
    ours = made["data"][0]["error_x"]
    assert ours["array"] == pytest.approx([3 / 0.9 - 3])
    assert ours["arrayminus"] == pytest.approx([3 - 3 / 1.1])
    assert speedup(result, "unscheduled")["layout"]["xaxis"]["title"]["text"] == "× Heddle, unscheduled"


def test_samples_are_thinned_and_keep_their_values(result: Any) -> None:
    made = figure("samples", result)
    first = made["data"][0]
    assert 300 <= len(first["x"]) <= 400
    assert min(first["x"]) == pytest.approx(18)
    assert made["layout"]["shapes"][0]["x0"] == 20


def ticks(low: float, high: float) -> list[str]:
    return list(log_ticks(low, high)["ticktext"])


def test_ticks_of_a_logarithmic_axis_stand_apart() -> None:
    assert ticks(0.8, 12) == ["1", "2", "5", "10"]
    assert ticks(0.05, 12) == ["0.1", "1", "10"]
    assert ticks(0.86, 1.2) == ["0.9", "1", "1.1", "1.2"]
    assert ticks(0.5, 1e9) == ["1", "1000", "1e+06", "1e+09"]
    assert ticks(0.0004, 1.3) == ["0.001", "0.01", "0.1", "1"]
    for low, high in ((0.07, 0.09), (0.99, 1.01), (1, 3), (17, 30), (1e-5, 1e3)):
        assert 2 <= len(ticks(low, high)) <= 4, (low, high)


def test_ratios_have_digits_that_mean_something() -> None:
    assert [ratio_text(ratio) for ratio in (0.0019, 0.85, 1.0, 12.34, 312.4)] == [
        "0.00190",
        "0.850",
        "1.00",
        "12.3",
        "312",
    ]


def test_names(result: Any) -> None:
    assert figure_names(result) == ["speedup", "samples", "bandwidth"]
    assert figure_names({**result, "entries": []}) == []
    with pytest.raises(KeyError):
        figure("nothing", result)


def test_the_roof_is_the_measured_bandwidth(result: Any) -> None:
    made = figure("bandwidth", result)
    assert figure("roofline", result) == made  # what addresses from before say
    assert [trace["x"] for trace in made["data"]] == [[15.0], [7.5], [5.0]]
    assert made["layout"]["yaxis"]["ticktext"][0] == "Heddle<br>15 GB/s, 50%"
    assert [shape["x0"] for shape in made["layout"]["shapes"]] == [30.0]
    result["machine"]["stream_triad_gbps"] = {}
    assert not figure("bandwidth", result)["layout"].get("shapes")
