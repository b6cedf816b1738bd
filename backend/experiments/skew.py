"""When does it pay to share out nonzeros instead of rows? (PANELS V17, paper 000 Fig. 21)"""

from __future__ import annotations

from collections.abc import Sequence

from backend.experiments.experiment import Experiment, Measured, ours, series_of
from backend.figures.theme import LEGEND_ABOVE, SERIES, axis, duration, layout, plain
from backend.schema.experiment import ExperimentPoint
from backend.schema.plan import PlanDocument
from backend.schema.run import Figure

ROWS, COLUMNS, NNZ = 4096, 65536, 262144
SKEWS = (1.0, 1.001, 1.003, 1.01, 1.03, 1.1)
SCHEDULES = {
    "rows shared out": ["divide(i, i0, i1, 2)", "parallelize(i0, CPUThread, NoRaces)"],
    "nonzeros shared out": [
        "fuse(i, j, f)",
        "pos(f, p, A)",
        "divide(p, p0, p1, 2)",
        "parallelize(p0, CPUThread, Atomics)",
    ],
}


def _point(series: str, skew: float) -> ExperimentPoint:
    plan: PlanDocument = {
        "version": 1,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "schedule": SCHEDULES[series],
        "inputs": {
            "A": {"generator": "skew", "shape": [ROWS, COLUMNS], "nnz": NNZ, "c": skew, "shuffle": 0, "seed": 1}
        },
        "run": {"baselines": [], "threads": 2},
    }
    return ExperimentPoint(series=series, value=skew, plan=plan)


def draw(measured: Sequence[Measured]) -> Figure:
    """Median time against c, one line for each schedule, with the 95 % interval of each median."""
    import plotly.graph_objects as go

    figure = go.Figure()
    for place, (series, points) in enumerate(series_of(measured).items()):
        entries = [ours(one.result) for one in points]
        middles = [(entry["median_ns"] or 0.0) / 1e3 for entry in entries]
        figure.add_trace(
            go.Scatter(
                name=series,
                x=[f"{one.point['value']:g}" for one in points],
                y=middles,
                mode="lines+markers",
                line=SERIES[place]["line"],
                marker=SERIES[place]["marker"],
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": [(entry["high_ns"] or 0) / 1e3 - y for entry, y in zip(entries, middles, strict=True)],
                    "arrayminus": [y - (entry["low_ns"] or 0) / 1e3 for entry, y in zip(entries, middles, strict=True)],
                },
                text=[duration(entry["median_ns"] or 0) for entry in entries],
                hovertemplate=f"{series}, c = %{{x}}: %{{text}}<extra></extra>",
            )
        )
    skews = [f"{skew:g}" for skew in SKEWS]
    figure.update_layout(
        layout(
            "Time of SpMV against the skew c",
            measured[-1].result,
            xaxis=axis("skew c", type="category", categoryarray=skews),
            yaxis=axis("µs per call", rangemode="tozero"),
        )
    )
    figure.update_layout(LEGEND_ABOVE)
    return plain(figure)


SKEW = Experiment(
    {
        "id": "skew",
        "title": "Skew: rows or nonzeros",
        "question": (
            f"{NNZ:,} nonzeros in {ROWS:,} rows, from even rows (c = 1) to one row with 9 % of them all (c = 1.1). "
            "Half of the rows for each of two threads, or half of the nonzeros?"
        ),
        "look_for": (
            "Where the lines cross. Sharing out nonzeros costs searches and an atomic addition for each row, and is "
            "worth it once one half of the rows holds much more than the other."
        ),
        "parameter": "skew c",
        "points": [_point(series, skew) for skew in SKEWS for series in SCHEDULES],
    },
    draw,
)
