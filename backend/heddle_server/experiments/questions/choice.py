"""Is the format that the rules choose the best of those that were tried? (docs/sources.toml X38)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any

from heddle_server.experiments.drawing import style
from heddle_server.experiments.experiment import Experiment, Measured, ours, point_of, series_of
from heddle_server.experiments.questions.families import FAMILIES
from heddle_server.figures.theme import LEGEND_ABOVE, axis, layout, plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure

SIDE = 4096


def in_lanes(part: str, columns: int) -> list[str]:
    """The rows of a block in vector lanes, so many columns in a turn; ``part`` is "" where A is no sum."""
    end = f"_{part}" if part else ""
    i, j = f"i{end}", f"j{end}"
    return [
        f"precompute(A{end}({i},{j}) * x({j}), {i}_inner, {i}_innerw, w)",
        *([f"unroll({j}, {columns})"] if columns > 1 else []),
        f"parallelize({i}_innerw, CPUVector, NoRaces)",
        f"parallelize({i}_inner, CPUVector, NoRaces)",
    ]


CANDIDATES: Mapping[str, list[str]] = {
    "csr": [],
    "bcsr(4)": in_lanes("", 2),
    "dia(32)": in_lanes("", 1),
    "hyb(1,3)": [],
    "bcsr(4) where tile(4,1) >= 3 + csr": in_lanes("bcsr4", 2),
    "dia(32) where depth >= 50 + csr": in_lanes("dia32", 1),
}
"""The formats that the rules weigh, each with the schedule that they have for it."""

CHOSEN: Mapping[str, str] = {
    "uniform": "csr",
    "power law": "csr",
    "band": "dia(32)",
    "blocks": "bcsr(4)",
    "stencil": "dia(32)",
    "dense row": "csr",
    "dense column": "csr",
}
"""What the rules choose for each structure, from counts of its entries alone."""

TOO_LARGE = {("uniform", "dia(32)"), ("power law", "dia(32)"), ("dense row", "dia(32)"), ("dense column", "dia(32)")}
"""Entries on nearly all diagonals: each would be stored whole."""


def input_of(family: str) -> dict[str, Any]:
    """The generator of a structure, as a plan's input."""
    generator = {**FAMILIES[family], "shape": [SIDE, SIDE], "seed": 1}
    return generator | {"nnz": 16 * SIDE} if "nnz" in generator else generator


def _point(family: str, format: str) -> ExperimentPoint:
    plan: PlanDocument = {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": format}},
        "schedule": CANDIDATES[format],
        "inputs": {"A": input_of(family)},
        "run": {"baselines": [], "threads": 1},
    }
    return point_of(format, list(FAMILIES).index(family), plan, family)


def regrets(measured: Sequence[Measured]) -> dict[str, float]:
    """By structure, how many times as long as with the best format the chosen one took; of those whose chosen one and
    another were measured."""
    ratios: dict[str, float] = {}
    for family, chosen in CHOSEN.items():
        times = {
            measurement.point["series"]: ours(measurement.result)["median_ns"] or 0.0
            for measurement in measured
            if measurement.point["label"] == family
        }
        if len(times) > 1 and times.get(chosen):
            ratios[family] = times[chosen] / min(times.values())
    return ratios


def draw(measured: Sequence[Measured]) -> Figure:
    """Each format's time over that of the best of its structure, the chosen one large; geometric mean and worst in the
    title."""
    import plotly.graph_objects as go

    best = {
        family: min(times)
        for family in FAMILIES
        if (
            times := [
                ours(measurement.result)["median_ns"] or 0.0
                for measurement in measured
                if measurement.point["label"] == family
            ]
        )
    }
    figure = go.Figure()
    for place, (name, points) in enumerate(series_of(measured).items()):
        chosen = [CHOSEN[measurement.point["label"]] == name for measurement in points]
        figure.add_trace(
            go.Scatter(
                name=name,
                x=[measurement.point["label"] for measurement in points],
                y=[
                    (ours(measurement.result)["median_ns"] or 0.0) / best[measurement.point["label"]]
                    for measurement in points
                ],
                mode="markers",
                marker={
                    **style(place)["marker"],
                    "color": style(place)["line"]["color"],
                    "size": [18 if flag else 9 for flag in chosen],
                },
                text=["chosen" if flag else "tried" for flag in chosen],
                hovertemplate=f"{name}, %{{x}}: %{{y:.3g}} × the best, %{{text}}<extra></extra>",
            )
        )
    ratios = regrets(measured)
    title = "Time over that of the best format; large marks: chosen by the rules"
    if ratios:
        mean = exp(sum(map(log, ratios.values())) / len(ratios))
        title += f" (mean {mean:.2f}, worst {max(ratios.values()):.2f})"
    across: dict[str, Any] = axis("", type="category", categoryarray=list(FAMILIES))
    up = axis("× the best", type="log")
    figure.update_layout(layout(title, measured[-1].result, xaxis=across, yaxis=up))
    figure.update_layout(LEGEND_ABOVE)
    return plain(figure)


CHOICE = Experiment(
    {
        "id": "X38",
        "title": "X38: Is the choice of a format a good one?",
        "question": (
            f"SpMV with {SIDE:,} rows of seven structures on one thread in all formats that the rules weigh: how much "
            "longer than with the best of them does it take with the one that they choose from counts alone?"
        ),
        "look_for": (
            "Large marks above 1: there the prediction was wrong, and the height says by how much. The goal is 1.1 as "
            "the geometric mean, and 1.5 at worst."
        ),
        "parameter": "structure",
        "where": "",
        "points": [
            _point(family, format) for family in FAMILIES for format in CANDIDATES if (family, format) not in TOO_LARGE
        ],
    },
    draw,
)
