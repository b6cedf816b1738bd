"""When does it pay to share out nonzeros instead of rows? (docs/sources.toml V17, X3)"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heddle_server.experiments.drawing import style, times_over
from heddle_server.experiments.experiment import Experiment, Measured, point_of
from heddle_server.figures.theme import plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure

ROWS, COLUMNS, NNZ, THREADS = 16384, 65536, 1_900_000, 2
STEP = 512
"""Rows of one bar of the picture of the matrix."""
SKEWS = (1.0, 1.0001, 1.0003, 1.001, 1.01)
SCHEDULES = {
    "rows shared out": [f"divide(i, i0, i1, {THREADS})", "parallelize(i0, CPUThread, NoRaces)"],
    "nonzeros shared out": [
        "fuse(i, j, f)",
        "pos(f, p, A)",
        f"divide(p, p0, p1, {THREADS})",
        "parallelize(p0, CPUThread, Atomics)",
    ],
    "rows, cut by nonzeros": [f"balance(i, i0, i1, A, {THREADS})", "parallelize(i0, CPUThread, NoRaces)"],
}


def _point(series: str, skew: float) -> ExperimentPoint:
    plan: PlanDocument = {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "schedule": SCHEDULES[series],
        "inputs": {
            "A": {"generator": "skew", "shape": [ROWS, COLUMNS], "nnz": NNZ, "c": skew, "shuffle": 0, "seed": 1}
        },
        "run": {"baselines": [], "threads": THREADS},
    }
    return point_of(
        series,
        skew,
        plan,
        rows=[round(NNZ * share_before(skew, at + STEP) - NNZ * share_before(skew, at)) for at in range(0, ROWS, STEP)],
        lanes=lanes(series, skew),
        model=f"Half of the rows hold {imbalance(skew):.2f} × the mean number of nonzeros.",
    )


def share_before(skew: float, row: int) -> float:
    """The share of the nonzeros in the rows before ``row``: row i has a share of c⁻ⁱ."""
    return row / ROWS if skew == 1 else float((1 - skew**-row) / (1 - skew**-ROWS))


def shares_before(skew: float) -> NDArray[np.float64]:
    """:func:`share_before` of every row, and behind the last one."""
    rows = np.arange(ROWS + 1, dtype=np.float64)
    return rows / ROWS if skew == 1 else (1 - skew**-rows) / (1 - skew**-ROWS)


def lanes(series: str, skew: float) -> list[int]:
    """The nonzeros that each thread gets, by the shares that the generator gives to rows."""
    if series == "nonzeros shared out":
        ends = [part / THREADS for part in range(1, THREADS + 1)]
    elif series == "rows shared out":
        ends = [share_before(skew, ROWS * part // THREADS) for part in range(1, THREADS + 1)]
    else:
        before = shares_before(skew)
        ends = [float(before[np.argmin(np.abs(before - part / THREADS))]) for part in range(1, THREADS + 1)]
    return [round(NNZ * (end - begin)) for begin, end in zip([0.0, *ends], ends, strict=False)]


def imbalance(skew: float) -> float:
    """The nonzeros of the fullest half of the rows over those of the mean half: rows are the longest on top, and row i
    has a share of c⁻ⁱ."""
    if skew == 1:
        return 1.0
    chunk = ROWS // THREADS
    return float(THREADS * (1 - skew**-chunk) / (1 - skew**-ROWS))


def draw(measured: Sequence[Measured]) -> Figure:
    """Median times against c, and next to them how unequal two halves of the rows are."""
    import plotly.graph_objects as go

    labels = [f"{skew:g}" for skew in SKEWS]
    figure = times_over(measured, "Time of SpMV against the skew c", "skew c", labels)
    unequal = "imbalance (right)"
    figure.add_trace(
        go.Scatter(
            name=unequal,
            x=labels,
            y=[imbalance(skew) for skew in SKEWS],
            yaxis="y2",
            mode="lines+markers",
            line=style(3)["line"],
            marker=style(3)["marker"],
            hovertemplate="c = %{x}: the fuller half has %{y:.2f} × the mean<extra></extra>",
        )
    )
    right = {"title": {"text": "fuller half / mean"}, "overlaying": "y", "side": "right"}
    steps = {"tickmode": "linear", "dtick": 0.5}  # not where the ticks of the other axis happen to be
    figure.update_layout(yaxis2={**right, **steps, "range": [0, 2.1], "showgrid": False}, margin={"r": 64})
    return plain(figure)


SKEW = Experiment(
    {
        "id": "skew",
        "title": "X3′: Skew, rows or nonzeros",
        "question": (
            f"{NNZ:,} nonzeros in {ROWS:,} rows, from even rows (c = 1) to one row with 1 % of all of them (c = 1.01). "
            "Half of the rows for each of two threads, half of the nonzeros, or rows cut where half of "
            "the nonzeros lie?"
        ),
        "look_for": (
            "Where the lines cross. At c = 1 the halves are equal, and the line of the nonzeros lies r times above "
            "that of the rows: a nonzero that is shared out also costs a search, and sums that end with their rows. "
            "The two cross where the fuller half holds r × the mean (right axis). On two threads it holds at most 2 × "
            "the mean, so they cross late, and never where r is 2 or more. Cutting between rows by their nonzeros "
            "costs next to nothing, so that it crosses as soon as the halves are unequal. With n threads the fullest "
            "part would hold up to n ×: the crossover that is told of this schedule is one of many threads."
        ),
        "parameter": "skew c",
        "where": "",
        "points": [_point(series, skew) for skew in SKEWS for series in SCHEDULES],
    },
    draw,
)
