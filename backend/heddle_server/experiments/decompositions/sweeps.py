"""Where the time of a sweep goes, how it scales, and what sorting and equal bits cost (docs/sources.toml X20, X23, X24,
X28)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heddle_server.experiments.decompositions.documents import (
    CORES,
    SMALLER,
    TITLES,
    document,
    lines,
    milliseconds,
    seconds_of,
    shape_text,
    uniform,
    zipf,
)
from heddle_server.experiments.drawing import style
from heddle_server.experiments.experiment import Experiment, Measured, point_of, sweep_result
from heddle_server.experiments.questions.threads import thread_counts
from heddle_server.figures.theme import LEGEND_ABOVE, axis, layout, plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.run import Figure

SHAPE, NNZ, RANK, SWEEPS = (1500, 2000, 2500), 250_000, 32, 5
TENSOR = uniform(SHAPE, NNZ)
SIZE = f"{shape_text(SHAPE)}, {NNZ:,} entries, rank {RANK}"
METHODS = ("atomic", "tiled", "permuted", "rows", "fibres")
SORTED = {
    "uniform": TENSOR,
    "Zipf 0.7": zipf(SHAPE, NNZ, 0.7),
    "Zipf 1.1": zipf(SHAPE, NNZ, 1.1),
    "order 4": uniform((200, 300, 250, 150), NNZ),
}


def _breakdown_point(place: int, method: str) -> ExperimentPoint:
    asked = document(TENSOR, RANK, SWEEPS, method, reproducible=False)
    return point_of("CP-ALS", place, asked, TITLES[method])


def draw_breakdown(measured: Sequence[Measured]) -> Figure:
    """Bars of milliseconds per sweep, stacked by phase and mode."""
    import plotly.graph_objects as go

    names = {
        **{f"MTTKRP, mode {mode}": (f"mttkrp.{mode}",) for mode in range(len(SHAPE))},
        "systems": ("solve",),
        "scales and Gram matrices": ("scale",),
        "fit": ("fit",),
    }
    figure = go.Figure()
    for place, (name, phases) in enumerate(names.items()):
        figure.add_trace(
            go.Bar(
                name=name,
                x=[measurement.point["label"] for measurement in measured],
                y=[1e3 * seconds_of(sweep_result(measurement), *phases) for measurement in measured],
                marker={
                    "color": style(place)["line"]["color"],
                    "pattern": {"shape": ["", "/", "x", ".", "-", "+"][place]},
                },
                hovertemplate=f"{name}, %{{x}}: %{{y:.3g}} ms<extra></extra>",
            )
        )
    methods = axis("", type="category")
    title = "A sweep of CP-ALS by method (lower is faster)"
    figure_layout = layout(title, measured[-1].result, barmode="stack", xaxis=methods, yaxis=axis("ms per sweep"))
    figure.update_layout(figure_layout)
    figure.update_layout(LEGEND_ABOVE)
    return plain(figure)


SCALED = {"permuted": "permuted", "rows": "rows", "fibres": "fibres", "control": "rows"}
CONTROL: dict[str, Any] = {"start": {"kind": "uniform", "seed": 2}}
"""The same work once more, under another name: what differs from whole rows is chance."""


def _threads_point(name: str, threads: int) -> ExperimentPoint:
    method, more = SCALED[name], CONTROL if name == "control" else dict[str, Any]()
    asked = document(TENSOR, RANK, SWEEPS, method, threads, reproducible=False, **more)
    return point_of(TITLES.get(name, "whole rows, once more"), threads, asked)


def draw_threads(measured: Sequence[Measured]) -> Figure:
    """How many times as fast a sweep is as on one thread, where that was measured, beside as many times as threads."""
    alone = {
        measurement.point["series"]: milliseconds(measurement)
        for measurement in measured
        if measurement.point["value"] == 1
    }
    known = [measurement for measurement in measured if measurement.point["series"] in alone] or list(measured)
    if not alone:
        return plain(lines(known, "A sweep of CP-ALS by threads", "threads", "ms per sweep", milliseconds))

    def times(measurement: Measured) -> float:
        return alone[measurement.point["series"]] / max(milliseconds(measurement), 1e-9)

    title = "A sweep of CP-ALS in times of its speed on one thread"
    figure = lines(known, title, "threads", "× as fast", times, log=False)
    labels = {measurement.point["label"]: measurement.point["value"] for measurement in known}
    ideal = {"color": "#808080", "dash": "dash"}
    figure.add_scatter(
        name="as many times as threads", x=list(labels), y=list(labels.values()), mode="lines", line=ideal
    )
    return plain(figure)


def _sort_point(place: int, name: str, method: str) -> ExperimentPoint:
    return point_of(TITLES[method], place, document(SORTED[name], RANK, SWEEPS, method), name)


def sweeps_of_sorting(measurement: Measured) -> float:
    """How many sweeps take as long as making all copies of the tensor, or the numbers of its entries, did."""
    result = sweep_result(measurement)
    return result.get("packing_seconds", 0.0) / max(seconds_of(result), 1e-9)


def draw_sorting(measured: Sequence[Measured]) -> Figure:
    title = "Sorting for all modes, in sweeps (below 1 it is paid for at once)"
    return plain(lines(measured, title, "tensor", "sweeps", sweeps_of_sorting))


EXACT = {"whole rows, equal bits": ("rows", True), "C, atomic at the ends of chunks": ("permuted", False)}


def _bits_point(series: str, threads: int) -> ExperimentPoint:
    method, reproducible = EXACT[series]
    return point_of(series, threads, document(TENSOR, 16, SWEEPS, method, threads, reproducible=reproducible))


def draw_bits(measured: Sequence[Measured]) -> Figure:
    return plain(
        lines(measured, "What equal bits for any number of threads cost", "threads", "ms per sweep", milliseconds)
    )


BREAKDOWN = Experiment(
    {
        "id": "X20",
        "title": "X20: Where the time of a sweep goes",
        "question": (
            f"CP-ALS on {SIZE}: which share has each phase, and what do the methods of Phipps and Kolda make of it?"
        ),
        "look_for": (
            "MTTKRP is nearly all of a sweep, whatever the method. A adds each entry and column atomically; C and "
            "whole rows add in registers."
        ),
        "parameter": "method",
        "where": "",
        "points": [_breakdown_point(place, method) for place, method in enumerate(METHODS)],
    },
    draw_breakdown,
    scale=SMALLER,
)
SCALING = Experiment(
    {
        "id": "X23",
        "title": "X23: Sweeps over threads",
        "question": f"The tensor of X20 on 1 to {CORES} threads: does twice the threads take half the time?",
        "look_for": (
            "How near the lines come to the dashed one; what stays flat waits for memory or for other threads. Whole "
            "rows were measured twice: where these two differ, that is chance."
        ),
        "parameter": "threads",
        "where": "",
        "points": [_threads_point(name, count) for count in thread_counts(CORES) for name in SCALED],
    },
    draw_threads,
)
SORTING = Experiment(
    {
        "id": "X24",
        "title": "X24: When sorting has paid for itself",
        "question": (
            "How many sweeps does it take to make what each method reads: numbers of entries, sorted copies, trees?"
        ),
        "look_for": "Whole rows sort numbers only, by counting: they are paid for soonest.",
        "parameter": "tensor",
        "where": "",
        "points": [
            _sort_point(place, name, method)
            for place, name in enumerate(SORTED)
            for method in ("rows", "sorted", "fibres")
        ],
    },
    draw_sorting,
    scale=SMALLER,
)
EQUAL_BITS = Experiment(
    {
        "id": "X28",
        "title": "X28: What equal bits cost",
        "question": (
            "Whole rows give the same bits on any number of threads; chunks with atomic ends do not: at what cost?"
        ),
        "look_for": "Whether the lines differ at all: rows that are whole need no atomic update either.",
        "parameter": "threads",
        "where": "",
        "points": [_bits_point(series, count) for count in thread_counts(CORES) for series in EXACT],
    },
    draw_bits,
)
