"""What does each part of a sum cost? One matrix in 1 to 12 parts of equally many rows, each on its own or fused
(docs/sources.toml X36, X39)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from heddle.targets import CUDA, OPENCL
from heddle_server.experiments.drawing import drawn_over
from heddle_server.experiments.experiment import Experiment, point_of
from heddle_server.experiments.questions.device_studies import WITHOUT_GPU
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument

ROWS, NNZ = 2048, 8192
COUNTS = (1, 2, 4, 8, 12)
TILE, BLOCK = 256, 32
"""Rows of an iteration that all parts share, and of a block of a GPU."""
Series = Mapping[str, tuple[str, ...]]
"""Commands by series; those with braces are meant once for each part."""
ON_THREADS: Series = {
    "one thread": (),
    "a parallel loop for each part": ("pos({i}, {i}p, {a})", "parallelize({i}p, CPUThread, NoRaces)"),
    "one loop over rows for all parts (share)": (
        f"A[*]: split(i, i0, i1, {TILE})",
        "share(i0, A[*])",
        "parallelize(i0, CPUThread, NoRaces)",
    ),
    "the loops of all parts as one (concat)": ("concat(t, A[*])", "parallelize(t, CPUThread, NoRaces)"),
}
ON_GPUS: Series = {
    "a launch for each part": (
        "pos({i}, {i}p, {a})",
        f"split({{i}}p, {{i}}b, {{i}}t, {BLOCK})",
        "parallelize({i}b, GPUBlock, NoRaces)",
        "parallelize({i}t, GPUThread, NoRaces)",
    ),
    "one launch for all parts (concat)": (
        "A[*]: pos(i, p, A)",
        f"A[*]: split(p, b, t, {BLOCK})",
        "A[*]: parallelize(t, GPUThread, NoRaces)",
        "concat(grid, A[*])",
        "parallelize(grid, GPUBlock, NoRaces)",
    ),
}


def format_of(parts: int) -> str:
    """The rows that have entries, in as many parts, by equal ranges of rows."""
    tests = [f"dcsr where row<{ROWS * (part + 1) // parts}" for part in range(parts - 1)]
    return "+".join([*tests, "dcsr"])


def is_fused(commands: tuple[str, ...]) -> bool:
    """Whether they make one loop of several parts, which a matrix in one part does not have."""
    return any(command.startswith(("share", "concat")) for command in commands)


def schedule_of(commands: tuple[str, ...], parts: int) -> list[str]:
    """The commands over so many parts."""
    if is_fused(commands):
        return list(commands)
    names = [""] if parts == 1 else ["_dcsr", *(f"_dcsr_{part}" for part in range(2, parts + 1))]
    return [command.format(i=f"i{name}", a=f"A{name}") for name in names for command in commands]


def _point(parts: int, series: str, commands: tuple[str, ...], target: str) -> ExperimentPoint:
    plan = {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": format_of(parts)}},
        "schedule": schedule_of(commands, parts),
        "target": target,
        "inputs": {"A": {"generator": "uniform", "shape": [ROWS, ROWS], "nnz": NNZ, "seed": 1}},
        "run": {"baselines": [], "threads": 2},
    }
    return point_of(series, parts, cast(PlanDocument, plan))


def _points(all_series: Series, target: str) -> list[ExperimentPoint]:
    return [
        _point(parts, series, commands, target)
        for parts in COUNTS
        for series, commands in all_series.items()
        if parts > 1 or not is_fused(commands)
    ]


PARTS = Experiment(
    {
        "id": "X36",
        "title": "X36: What each part costs",
        "question": (
            f"SpMV with {NNZ:,} nonzeros, in 1 to {COUNTS[-1]} parts by ranges of rows: how much does each "
            "further part cost on one thread, where each has a parallel loop of its own, and where one parallel loop "
            "goes through all of them?"
        ),
        "look_for": (
            "The slopes. Where each part has its own parallel loop, threads meet once for each part; with share or "
            "concat they meet once, however many parts there are."
        ),
        "parameter": "parts",
        "where": "",
        "points": _points(ON_THREADS, "c"),
    },
    drawn_over("Time of SpMV over the number of parts", "parts", [str(count) for count in COUNTS]),
)


def _launches(target: str) -> Experiment:
    return Experiment(
        {
            "id": "X39",
            "title": "X39: What each launch costs",
            "question": (
                "The same product on a device: how much does each further part cost with a launch for each, and how "
                "much with one launch whose blocks go through all parts?"
            ),
            "look_for": (
                "The slopes. What is left of the slope with one launch is the work of the host: the arrays of every "
                "part are passed, and its blocks counted."
            ),
            "parameter": "parts",
            "where": WITHOUT_GPU if target == OPENCL.name else "",
            "points": _points(ON_GPUS, target),
        },
        drawn_over(f"Time of SpMV over the number of parts, {target}", "parts", [str(count) for count in COUNTS]),
    )


LAUNCHES_ON_OPENCL, LAUNCHES_ON_CUDA = _launches(OPENCL.name), _launches(CUDA.name)
