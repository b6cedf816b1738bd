"""Does a decomposition find what was planted, as other programs do, and when do shared products pay? (docs/sources.toml
X26, X27)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heddle_server.experiments.decompositions.documents import document, seconds_of, uniform, zipf
from heddle_server.experiments.drawing import named_above, style
from heddle_server.experiments.experiment import Experiment, Measured, point_of, series_of, sweep_result
from heddle_server.figures.theme import LEGEND_ABOVE, axis, layout, plain
from heddle_server.schema.decomposition import DecompositionResult
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.run import Figure

NOISE = (0.0, 0.01, 0.1)
PLANTED: dict[str, Any] = {"generator": "kruskal", "shape": [60, 80, 100], "rank": 3, "support": 12, "seed": 7}
SWEEPS = 20
TENSORS: dict[str, dict[str, Any]] = {
    "uniform, order 3": uniform((500, 400, 300), 100_000),
    "uniform, order 4": uniform((100, 120, 80, 60), 100_000),
    "uniform, order 5": uniform((40, 60, 50, 30, 30), 100_000),
    "Zipf, order 3": zipf((2000, 1500, 1000), 100_000, 1.0),
    "Zipf, order 4": zipf((800, 1000, 500, 100), 100_000, 1.0),
    "Zipf, order 5": zipf((400, 600, 400, 100, 60), 100_000, 1.0),
}
REUSE = {"no shared products": "none", "the best tree": "best"}


def _noise_point(noise: float) -> ExperimentPoint:
    asked = document({**PLANTED, "noise": noise}, 3, SWEEPS, baselines=["pyttb", "genten"])
    return point_of("CP-ALS", noise, asked)


def draw_noise(measured: Sequence[Measured]) -> Figure:
    """1 − fit by sweep, ours and that of other programs where they are installed, for each noise."""
    import plotly.graph_objects as go

    figure = go.Figure()
    for place, measurement in enumerate(measured):
        result = sweep_result(measurement)
        ours = [(record["sweep"], record["fit"]) for record in result["history"]]
        others = {
            other["label"]: [(record["sweep"], record["fit"]) for record in other["history"]]
            for other in result.get("opponents", [])
            if other["history"]
        }
        for number, (label, fits) in enumerate({"Heddle": ours, **others}.items()):
            figure.add_trace(
                go.Scatter(
                    name=f"{label}, noise {measurement.point['label']}",
                    x=[sweep for sweep, _ in fits],
                    y=[max(1 - fit, 1e-9) for _, fit in fits],
                    mode="lines+markers" if number == 0 else "markers",
                    line=style(place)["line"],
                    marker={"symbol": ["circle", "x-thin-open", "square-open"][number], "size": 6 + 4 * number},
                    hovertemplate=f"{label}, sweep %{{x}}: 1 − fit = %{{y:.3g}}<extra></extra>",
                    text=[f"{max(1 - fit, 1e-9):.3g} after sweep {sweep}" for sweep, fit in fits],
                    meta={"of": measurement.point["label"]},  # the line is of this noise, and lies over sweeps
                )
            )
    title = "How much of a planted tensor is missing after each sweep"
    figure_layout = layout(
        title, measured[-1].result, xaxis=axis("sweep"), yaxis=axis("1 − fit", type="log", exponentformat="power")
    )
    figure.update_layout(figure_layout)
    named_above(figure)
    return plain(figure)


def _reuse_point(place: int, name: str, series: str) -> ExperimentPoint:
    tensor = TENSORS[name]
    return point_of(series, place, document(tensor, 16, 5, reuse=REUSE[series]), name)


def predict(result: DecompositionResult) -> float | None:
    """How many times as fast the products of the best tree are predicted to be as those without one."""
    offers = {tree["reuse"]: tree["seconds"] for tree in result.get("trees", [])}
    trees = [seconds for reuse, seconds in offers.items() if reuse != "none"]
    return offers["none"] / min(trees) if trees and "none" in offers else None


def draw_reuse(measured: Sequence[Measured]) -> Figure:
    """How many times as fast a sweep is with the best tree: as predicted, and as measured where both were."""
    import plotly.graph_objects as go

    by_series = series_of(measured)
    shared = {
        measurement.point["label"]: sweep_result(measurement) for measurement in by_series.get("the best tree", [])
    }
    plainly = {
        measurement.point["label"]: sweep_result(measurement) for measurement in by_series.get("no shared products", [])
    }
    known = {label: predict(result) for label, result in {**plainly, **shared}.items()}
    speedups = {
        "predicted": {label: value for label, value in known.items() if value is not None},
        "measured": {
            label: seconds_of(plainly[label]) / max(seconds_of(shared[label]), 1e-9)
            for label in shared
            if label in plainly
        },
    }
    figure = go.Figure()
    for place, (name, values) in enumerate(speedups.items()):
        figure.add_trace(
            go.Bar(
                name=name,
                x=list(values),
                y=list(values.values()),
                marker={"color": style(place)["line"]["color"], "pattern": {"shape": ["", "/"][place]}},
                hovertemplate=f"{name}, %{{x}}: %{{y:.3g}} ×<extra></extra>",
            )
        )
    tensors = axis("", type="category", categoryarray=list(TENSORS))
    title = "A sweep with shared products, in times of the speed without (above 1 they pay)"
    figure.update_layout(layout(title, measured[-1].result, barmode="group", xaxis=tensors, yaxis=axis("× as fast")))
    figure.update_layout(LEGEND_ABOVE)
    return plain(figure)


PLANTED_FOUND = Experiment(
    {
        "id": "X26",
        "title": "X26: Is what was planted found?",
        "question": (
            "A tensor of exactly rank 3, without noise, with 1 % and with 10 %: how near does CP-ALS come, and do "
            "pyttb and GenTen, where they are installed, take the same way?"
        ),
        "look_for": (
            "Marks of the others on our lines. Without noise the line falls to what rounding can show, about 1e-7; "
            "with noise it ends where the noise begins."
        ),
        "parameter": "noise",
        "where": "",
        "points": [_noise_point(noise) for noise in NOISE],
    },
    draw_noise,
)
SHARED_PRODUCTS = Experiment(
    {
        "id": "X27",
        "title": "X27: When shared products pay",
        "question": "Tensors of order 3 to 5, spread evenly or by Zipf's law: is the tree as good as predicted?",
        "look_for": (
            "Trees pay from order 4 on, where few pairs of coordinates occur, and little where most pairs occur once. "
            "The prediction counts the products alone."
        ),
        "parameter": "tensor",
        "where": "",
        "points": [_reuse_point(place, name, series) for place, name in enumerate(TENSORS) for series in REUSE],
    },
    draw_reuse,
)
