"""How do kernels scale over the threads of this machine? (docs/sources.toml X50)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heddle.runtime.native import cpu
from heddle_server.experiments.drawing import times_over
from heddle_server.experiments.experiment import Experiment, Measured, ours, point_of, series_of
from heddle_server.figures.theme import plain
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure

SIDE, NNZ, RANK = 20_000, 1_000_000, 16
KERNELS: dict[str, dict[str, Any]] = {
    "SpMV": {
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "schedule": ["split(i, i0, i1, 64)", "parallelize(i0, CPUThread, NoRaces)"],
    },
    "SpMM, 16 columns": {
        "expression": "C(i,k) = A(i,j) * B(j,k)",
        "tensors": {"A": {"format": "csr"}, "B": {"shape": [SIDE, RANK]}},
        "schedule": ["split(i, i0, i1, 64)", "parallelize(i0, CPUThread, NoRaces)"],
    },
}


def thread_counts(cores: int) -> list[int]:
    """1, 2, 4, … and all."""
    powers = [1 << place for place in range(cores.bit_length()) if 1 << place < cores]
    return [*powers, cores]


def _point(kernel: str, threads: int) -> ExperimentPoint:
    plan: PlanDocument = {
        "version": 2,
        **KERNELS[kernel],  # type: ignore[typeddict-item]
        "inputs": {"A": {"generator": "uniform", "shape": [SIDE, SIDE], "nnz": NNZ, "seed": 1}},
        "run": {"baselines": [], "threads": threads},
    }
    return point_of(kernel, threads, plan)


def draw(measured: Sequence[Measured]) -> Figure:
    """Median times against the threads, logarithmic, and a dotted line where twice the threads take half the time."""
    import plotly.graph_objects as go

    figure = times_over(measured, "Time against the number of threads", "threads", [str(n) for n in COUNTS], log=True)
    for series, points in series_of(measured).items():
        first = points[0]
        alone = (ours(first.result)["median_ns"] or 0.0) / 1e3 * first.point["value"]
        figure.add_trace(
            go.Scatter(
                name=f"{series}, perfect",
                x=[str(count) for count in COUNTS],
                y=[alone / count for count in COUNTS],
                mode="lines",
                line={"color": "#808080", "dash": "dot"},
                hovertemplate=f"{series}, perfect, %{{x}} threads: %{{y:.4g}} µs<extra></extra>",
            )
        )
    return plain(figure)


COUNTS = thread_counts(cpu.available_cores())
THREADS = Experiment(
    {
        "id": "threads",
        "title": "X50: Scaling over threads",
        "question": (
            f"SpMV and SpMM with {NNZ:,} nonzeros on 1 to {COUNTS[-1]} threads: does twice the threads "
            "take half the time?"
        ),
        "look_for": (
            "How far each line stays above its dotted one. SpMV reads every nonzero once and soon waits for memory, "
            "which all threads share; SpMM does more with each, and scales further."
        ),
        "parameter": "threads",
        "where": "",
        "points": [_point(kernel, count) for count in COUNTS for kernel in KERNELS],
    },
    draw,
)
