"""Documents and figures that experiments with decompositions share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from heddle.runtime.native import cpu
from heddle_server.experiments.drawing import named_above, style
from heddle_server.experiments.experiment import Measured, series_of, sweep_result
from heddle_server.figures.theme import axis, layout
from heddle_server.schema.decomposition import AlgorithmDocument, DecompositionResult

CORES = cpu.available_cores()
SMALLER = "the paper's tensor is 30,000 × 40,000 × 50,000 with ten million entries"
TITLES: Mapping[str, str] = {
    "atomic": "A, atomic",
    "tiled": "B, atomic by rows",
    "permuted": "C, permuted",
    "duplicated": "copies of the result",
    "rows": "whole rows",
    "sorted": "sorted copies",
    "fibres": "trees of fibres",
}
"""Methods by their names in documents, as legends have them."""


def uniform(shape: Sequence[int], nnz: int) -> dict[str, Any]:
    return {"generator": "uniform", "shape": list(shape), "nnz": nnz, "seed": 1}


def zipf(shape: Sequence[int], nnz: int, exponent: float) -> dict[str, Any]:
    return {"generator": "zipf", "shape": list(shape), "nnz": nnz, "exponent": exponent, "seed": 1}


def document(
    tensor: Mapping[str, Any],
    rank: int,
    sweeps: int,
    method: str | None = None,
    threads: int | None = None,
    baselines: Sequence[str] = (),
    **parameters: object,
) -> AlgorithmDocument:
    """So many sweeps of CP-ALS, whatever the fit; with a ``method`` all modes that change are computed by it."""
    modes = parameters.get("update", range(len(tensor["shape"])))
    assert isinstance(modes, Sequence)
    run_options: dict[str, Any] = {"threads": threads or CORES}
    if baselines:
        run_options["baselines"] = list(baselines)
    asked: dict[str, Any] = {"rank": rank, "sweeps": sweeps, "tolerance": 0, "start": {"kind": "uniform", "seed": 1}}
    document: AlgorithmDocument = {
        "algorithm": "cp-als",
        "inputs": {"X": dict(tensor)},
        "parameters": {**asked, **parameters},
        "run": run_options,
    }
    if method is not None:
        document["kernels"] = {f"mttkrp.{mode}": {"method": method} for mode in modes}
    return document


def shape_text(shape: Sequence[int]) -> str:
    return " × ".join(f"{size:,}" for size in shape)


def seconds_of(result: DecompositionResult, *phases: str) -> float:
    """The median seconds of a sweep, or of those of its phases whose names begin so; the first sweep warms up."""
    history = result["history"][1:] or result["history"]
    if not phases:
        return median(sweep["seconds"] for sweep in history)
    return median(
        sum(seconds for name, seconds in sweep["phases"].items() if name.startswith(phases)) for sweep in history
    )


def lines(
    measured: Sequence[Measured], title: str, parameter: str, unit: str, value_of: Any, *, log: bool = True
) -> Any:
    """A Plotly figure with a line for each series: ``value_of`` a result, over the parameter."""
    import plotly.graph_objects as go

    figure = go.Figure()
    for place, (series, points) in enumerate(series_of(measured).items()):
        values = [value_of(measurement) for measurement in points]
        figure.add_trace(
            go.Scatter(
                name=series,
                x=[measurement.point["label"] for measurement in points],
                y=values,
                mode="lines+markers",
                **style(place),
                text=[f"{value:.3g}" for value in values],
                hovertemplate=f"{series}, %{{x}}: %{{text}} {unit}<extra></extra>",
            )
        )
    labels = dict.fromkeys(
        sample.point["label"] for sample in sorted(measured, key=lambda measurement: measurement.point["value"])
    )
    values_axis = axis(unit, type="log") if log else axis(unit, rangemode="tozero")
    labels_axis = axis(parameter, type="category", categoryarray=list(labels))
    figure.update_layout(layout(title, measured[-1].result, xaxis=labels_axis, yaxis=values_axis))
    named_above(figure)
    return figure


def milliseconds(measurement: Measured) -> float:
    """Of a sweep."""
    return 1e3 * seconds_of(sweep_result(measurement))


def milliseconds_of_products(measurement: Measured) -> float:
    """Of the products of a sweep."""
    return 1e3 * seconds_of(sweep_result(measurement), "mttkrp", "tree", "leaf")
