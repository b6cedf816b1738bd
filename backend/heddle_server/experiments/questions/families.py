"""Is there one best format and schedule? Matrices of different structure, with the same number of nonzeros
(docs/sources.toml X6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heddle.measuring.schema import Entry
from heddle_server.experiments.drawing import style
from heddle_server.experiments.experiment import Experiment, Measured, entry_of, ours, point_of, series_of
from heddle_server.figures.theme import LEGEND_ABOVE, axis, layout, plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure

SIDE, NNZ = 16_384, 262_144
FAMILIES: dict[str, dict[str, Any]] = {
    "uniform": {"generator": "uniform", "nnz": NNZ},
    "power law": {"generator": "rmat", "nnz": NNZ},
    "band": {"generator": "banded", "bandwidth": 8},
    "blocks": {"generator": "block-diagonal", "size": 16},
    "stencil": {"generator": "stencil2d", "width": 128},
    "dense row": {"generator": "dense-row", "nnz": NNZ},
    "dense column": {"generator": "dense-column", "nnz": NNZ},
}
CONTENDERS = {
    "CSR by rows": ("csr", ["split(i, i0, i1, 64)", "parallelize(i0, CPUThread, NoRaces)"]),
    "CSR by nonzeros": (
        "csr",
        ["fuse(i, j, f)", "pos(f, p, A)", "divide(p, p0, p1, 8)", "parallelize(p0, CPUThread, Atomics)"],
    ),
    "DIA": ("dia", []),
}
# Only few diagonals are worth storing whole.
DIAGONAL = ("band", "stencil")
LIBRARIES = {"scipy": "SciPy", "mkl": "MKL"}


def _point(family: str, contender: str) -> ExperimentPoint:
    format, schedule = CONTENDERS[contender]
    plan: PlanDocument = {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": format}},
        "schedule": schedule,
        "inputs": {"A": {**FAMILIES[family], "shape": [SIDE, SIDE], "seed": 1}},
        "run": {"baselines": list(LIBRARIES) if contender == "CSR by rows" else []},
    }
    return point_of(contender, list(FAMILIES).index(family), plan, family)


def draw(measured: Sequence[Measured]) -> Figure:
    """Nanoseconds for each nonzero, a column of marks for each family; the libraries from the runs of the first."""
    import plotly.graph_objects as go

    marks: dict[str, list[tuple[Measured, Entry]]] = {
        name: [(point, ours(point.result)) for point in points] for name, points in series_of(measured).items()
    }
    for identity, title in LIBRARIES.items():
        timed = [
            (measurement, entry)
            for measurement in measured
            if (entry := entry_of(measurement.result, identity)) is not None
        ]
        if timed:
            marks[title] = timed
    figure = go.Figure()
    for place, (name, points) in enumerate(marks.items()):
        figure.add_trace(
            go.Scatter(
                name=name,
                x=[measurement.point["label"] for measurement, _ in points],
                y=[(entry["median_ns"] or 0.0) / max(1, _nonzeros(measurement)) for measurement, entry in points],
                mode="markers",
                marker={**style(place)["marker"], "color": style(place)["line"]["color"], "size": 11},
                text=[f"{_nonzeros(measurement):,} nonzeros" for measurement, _ in points],
                hovertemplate=f"{name}, %{{x}} (%{{text}}): %{{y:.3g}} ns<extra></extra>",
            )
        )
    families = axis("", type="category", categoryarray=list(FAMILIES))
    times = axis("ns for each nonzero", type="log")
    title = "SpMV on matrices of different structure (lower is faster)"
    figure.update_layout(layout(title, measured[-1].result, xaxis=families, yaxis=times))
    figure.update_layout(LEGEND_ABOVE)
    return plain(figure)


def _nonzeros(measured: Measured) -> int:
    return next(operand["nnz"] for operand in measured.result["inputs"] if operand["tensor"] == "A")


STRUCTURES = Experiment(
    {
        "id": "X6",
        "title": "X6: No single winner",
        "question": (
            f"SpMV with {SIDE:,} rows of seven structures. Which format and schedule is fastest for each, and how do "
            "the libraries compare?"
        ),
        "look_for": (
            "The lowest mark of each column: it is not the same one everywhere. Open a point and press Preview "
            "beside its "
            "input to see what is special about its matrix: longest row, inequality, bandwidth."
        ),
        "parameter": "structure",
        "where": "",
        "points": [
            _point(family, contender)
            for family in FAMILIES
            for contender in CONTENDERS
            if contender != "DIA" or family in DIAGONAL
        ],
    },
    draw,
)
