"""How far from the memory's bandwidth is MTTKRP, and does a higher rank change it? (docs/sources.toml V18, G13,
X52)"""

from __future__ import annotations

from collections.abc import Sequence

from heddle_server.experiments.experiment import Experiment, Measured, ours, point_of
from heddle_server.figures.theme import LEGEND_ABOVE, SERIES, axis, layout, plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure, RunResult

RANKS = (4, 8, 16, 32, 64)
SIDE, NNZ, ORDER = 1000, 400_000, 3
VALUE_BYTES, COORDINATE_BYTES = 8, 4


def model_bytes(order: int, rank: int, nnz: int) -> int:
    """What MTTKRP moves when every nonzero fetches its rows of the factors from memory: ((dR + 3) s_r + d s_o) P."""
    return ((order * rank + 3) * VALUE_BYTES + order * COORDINATE_BYTES) * nnz


def _point(rank: int) -> ExperimentPoint:
    plan: PlanDocument = {
        "version": 2,
        "expression": "A(i,r) = B(i,k,l) * C(k,r) * D(l,r)",
        "tensors": {"B": {"format": "csf"}, "C": {"shape": [SIDE, rank]}, "D": {"shape": [SIDE, rank]}},
        "schedule": ["split(i, i0, i1, 16)", "parallelize(i0, CPUThread, NoRaces)"],
        "inputs": {"B": {"generator": "uniform", "shape": [SIDE] * ORDER, "nnz": NNZ, "seed": 1}},
        "run": {"baselines": [], "threads": 2},
    }
    each = model_bytes(ORDER, rank, 1)
    model = (
        f"By the model each nonzero moves ({ORDER} · {rank} + 3) · {VALUE_BYTES} + {ORDER} · {COORDINATE_BYTES} = "
        f"{each:,} bytes, {each * NNZ / 1e6:,.0f} MB in all."
    )
    return point_of("MTTKRP", rank, plan, model=model)


def stream(result: RunResult) -> float | None:
    """GB/s of the STREAM triad with as many threads as the run had."""
    return result["machine"]["stream_triad_gbps"].get(str(result["threads"]))


def _share(rate: float, roof: float | None) -> str:
    return f"{rate:.3g} GB/s" if roof is None else f"{rate:.3g} GB/s, {100 * rate / roof:.0f} % of STREAM"


def draw(measured: Sequence[Measured]) -> Figure:
    """GB/s against the rank, by the model and by the bytes that must move at least; the roof is the STREAM triad."""
    import plotly.graph_objects as go

    points = sorted(measured, key=lambda measurement: measurement.point["value"])
    ranks = [int(point.point["value"]) for point in points]
    seconds = [(ours(point.result)["median_ns"] or 1.0) / 1e9 for point in points]
    nonzeros = [
        next(operand["nnz"] for operand in point.result["inputs"] if operand["tensor"] == "B") for point in points
    ]
    rates = {
        "each nonzero fetches its rows (model)": [
            model_bytes(ORDER, rank, nnz) / time / 1e9 for rank, nnz, time in zip(ranks, nonzeros, seconds, strict=True)
        ],
        "every array once (at least)": [
            point.result["bytes_moved"] / time / 1e9 for point, time in zip(points, seconds, strict=True)
        ],
    }
    roof = stream(points[-1].result)
    figure = go.Figure()
    for place, (name, values) in enumerate(rates.items()):
        figure.add_trace(
            go.Scatter(
                name=name,
                x=ranks,
                y=values,
                mode="lines+markers",
                line=SERIES[place]["line"],
                marker=SERIES[place]["marker"],
                text=[_share(value, roof) for value in values],
                hovertemplate=f"{name}, R = %{{x}}: %{{text}}<extra></extra>",
            )
        )
    shapes = []
    if roof is not None:
        line = {"color": "#808080", "dash": "dash"}
        shapes = [{"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": roof, "y1": roof, "line": line}]
        # An empty trace names the roof in the legend.
        figure.add_trace(go.Scatter(name=f"STREAM triad, {roof:.1f} GB/s", x=[None], y=[None], mode="lines", line=line))
    figure.update_layout(
        layout(
            "Bandwidth of MTTKRP against the rank R",
            points[-1].result,
            xaxis=axis("rank R", type="log", tickvals=list(RANKS), ticktext=[str(rank) for rank in RANKS]),
            yaxis=axis("GB/s", rangemode="tozero"),
            shapes=shapes,
        )
    )
    figure.update_layout(LEGEND_ABOVE)
    return plain(figure)


ROOFLINE = Experiment(
    {
        "id": "roofline",
        "title": "X52: Roofline, the distance from STREAM",
        "question": (
            f"MTTKRP with {NNZ:,} nonzeros, the factor matrices from {RANKS[0]} to {RANKS[-1]} columns wide. "
            "How much of the memory's bandwidth does the kernel use?"
        ),
        "look_for": (
            "The model counts ((d R + 3) · 8 + d · 4) bytes for each nonzero, d = 3. Above the roof, the factors "
            "came from the cache: the model is then too high, and the lower line shows what must move at least."
        ),
        "parameter": "rank R",
        "where": "",
        "points": [_point(rank) for rank in RANKS],
    },
    draw,
)
