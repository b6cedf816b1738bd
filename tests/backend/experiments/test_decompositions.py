"""Experiments with decompositions: their figures have the numbers of their runs."""

from __future__ import annotations

import pytest

from heddle_server.experiments.experiment import Measured, hash_of
from heddle_server.experiments.questions.roofline import model_bytes
from heddle_server.experiments.registry import experiments
from tests.backend.experiments.results import swept_in

EXPERIMENTS = experiments(gpu=False)


def test_there_are_nine_each_of_few_short_runs() -> None:
    for number in range(20, 29):
        view = EXPERIMENTS[f"X{number}"].view
        assert len(view["points"]) <= 35
        for point in view["points"]:
            tensor = point["plan"]["inputs"]["X"]
            assert tensor["generator"] in ("kruskal", "uniform", "zipf")
            assert tensor.get("nnz", 0) <= 250_000
            assert point["plan"]["parameters"]["sweeps"] <= 20  # type: ignore[typeddict-item]


def test_the_bars_of_a_breakdown_add_up_to_a_sweep() -> None:
    points = EXPERIMENTS["X20"].view["points"]
    made = EXPERIMENTS["X20"].draw([Measured(point, swept_in(10)) for point in points])
    assert [trace["name"] for trace in made["data"][:3]] == [f"MTTKRP, mode {mode}" for mode in range(3)]
    assert [sum(trace["y"][place] for trace in made["data"]) for place in range(len(points))] == pytest.approx([10] * 5)


def test_bandwidth_is_that_of_the_model() -> None:
    point = EXPERIMENTS["X21"].view["points"][0]
    made = EXPERIMENTS["X21"].draw([Measured(point, swept_in(10))])
    assert made["data"][0]["y"] == [pytest.approx(3 * model_bytes(3, 8, 1000) / 9e-3 / 1e9)]
    assert made["layout"]["shapes"][0]["y0"] == 30.0


def test_products_alone_are_drawn_over_the_length_of_a_mode() -> None:
    points = EXPERIMENTS["X22"].view["points"]
    made = EXPERIMENTS["X22"].draw([Measured(point, swept_in(point["value"])) for point in points])
    by_name = {trace["name"]: trace for trace in made["data"]}
    assert by_name["whole rows, shuffled"]["x"] == ["2", "8", "64", "1000", "20000"]
    assert by_name["A, atomic, sorted"]["y"] == pytest.approx([0.9 * n for n in (2, 8, 64, 1000, 20_000)])
    assert len(by_name) == 7
    for point in points:
        # The short mode is the one that is updated, and the first one where its rows come in order.
        (mode,) = point["plan"]["parameters"]["update"]  # type: ignore[typeddict-item]
        assert point["plan"]["inputs"]["X"]["shape"][mode] == point["value"]
        assert (mode == 0) is point["series"].endswith(", sorted")


def test_sweeps_are_drawn_in_times_of_one_thread_beside_a_control() -> None:
    points = EXPERIMENTS["X23"].view["points"]
    series = dict.fromkeys(point["series"] for point in points)
    assert list(series) == ["C, permuted", "whole rows", "trees of fibres", "whole rows, once more"]
    alone = next(point for point in points if point["series"] == "whole rows" and point["value"] == 1)
    control = next(point for point in points if point["series"] == "whole rows, once more" and point["value"] == 1)
    assert hash_of(alone) != hash_of(control)
    both = {**alone, "value": 2.0, "label": "2"}
    made = EXPERIMENTS["X23"].draw([Measured(alone, swept_in(12)), Measured(both, swept_in(8))])  # type: ignore[arg-type]
    assert [(trace["name"], trace["x"], trace["y"]) for trace in made["data"]] == [
        ("whole rows", ["1", "2"], [1, pytest.approx(1.5)]),
        ("as many times as threads", ["1", "2"], [1, 2]),
    ]
    unknown = EXPERIMENTS["X23"].draw([Measured(both, swept_in(8))])  # type: ignore[arg-type]
    assert unknown["data"][0]["y"] == [pytest.approx(8)]


def test_sorting_is_counted_in_sweeps() -> None:
    points = EXPERIMENTS["X24"].view["points"]
    made = EXPERIMENTS["X24"].draw([Measured(points[0], swept_in(10, packing=5e-3))])
    assert made["data"][0]["y"] == [pytest.approx(0.5)]


def test_fits_of_other_programs_stand_beside_ours() -> None:
    (_, point, _) = EXPERIMENTS["X26"].view["points"]
    assert point["plan"]["run"]["baselines"] == ["pyttb", "genten"]
    made = EXPERIMENTS["X26"].draw([Measured(point, swept_in(10, others={"pyttb": [0.9, 0.99], "GenTen": []}))])
    assert [trace["name"] for trace in made["data"]] == ["Heddle, noise 0.01", "pyttb, noise 0.01"]
    assert made["data"][0]["y"] == pytest.approx([0.1, 0.01, 0.001])
    assert made["data"][1]["y"] == pytest.approx([0.1, 0.01])
    # Lines lie over sweeps: without it the page said of a noise that was measured that it was not.
    assert [trace["meta"] for trace in made["data"]] == [{"of": point["label"]}] * 2
    assert made["data"][0]["text"][-1] == "0.001 after sweep 3"


def test_shared_products_are_drawn_as_predicted_and_as_measured() -> None:
    plain, shared = EXPERIMENTS["X27"].view["points"][:2]
    made = EXPERIMENTS["X27"].draw([Measured(plain, swept_in(12)), Measured(shared, swept_in(6))])
    assert {trace["name"]: trace["y"] for trace in made["data"]} == {
        "predicted": [pytest.approx(3.0)],
        "measured": [pytest.approx(2.0)],
    }
    alone = EXPERIMENTS["X27"].draw([Measured(plain, swept_in(12))])
    assert [trace["x"] for trace in alone["data"]] == [["uniform, order 3"], []]
