"""Who is how often close to the best, over real matrices of different structure? A performance
profile (docs/sources.toml X51)."""

from __future__ import annotations

from collections.abc import Sequence

from heddle_server.datasets.catalogue import builtin_datasets
from heddle_server.experiments.experiment import Experiment, Measured, point_of
from heddle_server.figures.comparisons import performance_profile
from heddle_server.schema.experiment import ExperimentPoint
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure

SMALLEST = 1000
"""Nonzeros; below, only the call itself would be measured."""
MATRICES = [dataset for dataset in builtin_datasets() if len(dataset.shape) == 2 and dataset.nnz >= SMALLEST]


def _point(place: int, identity: str) -> ExperimentPoint:
    plan: PlanDocument = {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "schedule": ["split(i, i0, i1, 256)", "parallelize(i0, CPUThread, NoRaces)"],
        "inputs": {"A": {"dataset": identity}},
        "run": {"baselines": ["scipy", "mkl"]},
    }
    return point_of("SpMV", place, plan, identity)


def draw(measured: Sequence[Measured]) -> Figure:
    return performance_profile([measurement.result for measurement in measured])


PROFILE = Experiment(
    {
        "id": "profile",
        "title": "X51: Profile over real matrices",
        "question": f"SpMV with {len(MATRICES)} built-in matrices: for how many is each library close to the best?",
        "look_for": (
            "The highest line: on the left it shows how often a library is the best, to the right how rarely it is "
            "far from the best."
        ),
        "parameter": "matrix",
        "where": "",
        "points": [_point(place, matrix.id) for place, matrix in enumerate(MATRICES)],
    },
    draw,
)
