"""What do schedules bring beyond SpMV? SDDMM, TTV, SpMSpV, and MTTKRP of orders 3, 4 and 5 (docs/sources.toml X7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heddle_server.experiments.drawing import style
from heddle_server.experiments.experiment import Experiment, Measured, entry_of, point_of
from heddle_server.figures.theme import axis, layout, plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure

RANK, NNZ = 16, 200_000
ROWS = ["split(i, i0, i1, 16)", "parallelize(i0, CPUThread, NoRaces)"]


def _uniform(*shape: int, nnz: int = NNZ) -> dict[str, Any]:
    return {"generator": "uniform", "shape": list(shape), "nnz": nnz, "seed": 1}


def _mttkrp(order: int) -> tuple[str, dict[str, Any], dict[str, Any], list[str]]:
    inner, side = "klmn"[: order - 1], (1000, 200, 80)[order - 3]
    factors = dict(zip("CDEF", inner, strict=False))
    product = " * ".join(f"{name}({index},r)" for name, index in factors.items())
    shapes: dict[str, Any] = {name: {"shape": [side, RANK]} for name in factors}
    expression = f"A(i,r) = B(i,{','.join(inner)}) * {product}"
    return expression, {"B": {"format": "csf"}, **shapes}, {"B": _uniform(*(side,) * order)}, ROWS


# Expression, tensors, inputs, schedule.
KERNELS: dict[str, tuple[str, dict[str, Any], dict[str, Any], list[str]]] = {
    "SDDMM": (
        "C(i,j) = B(i,j) * D(i,k) * E(k,j)",
        {"B": {"format": "csr"}, "D": {"shape": [8000, RANK]}, "E": {"shape": [RANK, 8000]}},
        {"B": _uniform(8000, 8000)},
        ROWS,
    ),
    "TTV": ("A(i,j) = B(i,j,k) * c(k)", {"B": {"format": "csf"}}, {"B": _uniform(500, 500, 500)}, ROWS),
    "SpMSpV": (
        "y(i) = A(i,j) * x(j)",
        {"A": {"format": "csr"}, "x": {"format": "sparse"}},
        {"A": _uniform(8000, 8000), "x": _uniform(8000, nnz=400)},
        ROWS,
    ),
    **{f"MTTKRP {order}": _mttkrp(order) for order in (3, 4, 5)},
}


def _point(kernel: str) -> ExperimentPoint:
    expression, tensors, inputs, schedule = KERNELS[kernel]
    plan: PlanDocument = {
        "version": 2,
        "expression": expression,
        "tensors": tensors,
        "schedule": schedule,
        "inputs": inputs,
        "run": {"baselines": []},
    }
    return point_of("rows in parallel", list(KERNELS).index(kernel), plan, kernel)


def draw(measured: Sequence[Measured]) -> Figure:
    """How many times as fast as without a schedule, with the 95 % interval of the paired ratio."""
    import plotly.graph_objects as go

    entries = [(measurement, entry_of(measurement.result, "unscheduled")) for measurement in measured]
    ratios = [(measurement, entry["ratio_to_heddle"]) for measurement, entry in entries if entry is not None]
    known = [(measurement, ratio) for measurement, ratio in ratios if ratio is not None]
    figure = go.Figure(
        go.Scatter(
            x=[measurement.point["label"] for measurement, _ in known],
            y=[ratio["value"] for _, ratio in known],
            mode="markers",
            marker={**style(0)["marker"], "color": style(0)["line"]["color"], "size": 11},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [ratio["high"] - ratio["value"] for _, ratio in known],
                "arrayminus": [ratio["value"] - ratio["low"] for _, ratio in known],
            },
            hovertemplate="%{x}: %{y:.2f} × as fast as without a schedule<extra></extra>",
        )
    )
    result = measured[-1].result
    line = {"color": "#808080", "dash": "dash"}
    unit_line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1, "line": line}
    kernels = axis("", type="category", categoryarray=list(KERNELS))
    title = f"Speed with rows in parallel over speed without a schedule, {result['threads']} threads"
    figure.update_layout(layout(title, result, xaxis=kernels, yaxis=axis("×", rangemode="tozero"), shapes=[unit_line]))
    return plain(figure)


MORE_KERNELS = Experiment(
    {
        "id": "X7",
        "title": "X7: Beyond SpMV",
        "question": (
            "The same two commands, rows in parallel, on six kernels, among them MTTKRP of orders 3, 4 and 5: how "
            "much faster does each become?"
        ),
        "look_for": (
            "How close to the number of threads each comes. A kernel that does little with each nonzero waits for "
            "memory; "
            "results that are sparse themselves need no atomics, because each row belongs to one thread."
        ),
        "parameter": "kernel",
        "where": "",
        "points": [_point(kernel) for kernel in KERNELS],
    },
    draw,
)
