"""What does each part of a sum cost? One matrix in 1 to 12 parts of equally many rows (docs/sources.md X36)."""

from __future__ import annotations

from backend.experiments.drawing import drawn_over
from backend.experiments.experiment import Experiment, point_of
from backend.schema.experiment import ExperimentPoint
from backend.schema.plan import PlanDocument

ROWS, NNZ = 2048, 8192
COUNTS = (1, 2, 4, 8, 12)


def format_of(parts: int) -> str:
    """csr in as many parts, by equal ranges of rows."""
    tests = [f"csr where row<{ROWS * (part + 1) // parts}" for part in range(parts - 1)]
    return "+".join([*tests, "csr"])


def _point(parts: int, parallel: bool) -> ExperimentPoint:
    names = [""] if parts == 1 else ["_csr", *(f"_csr_{part}" for part in range(2, parts + 1))]
    commands = [f"parallelize(i{name}, CPUThread, NoRaces)" for name in names]
    plan: PlanDocument = {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": format_of(parts)}},
        "schedule": commands if parallel else [],
        "inputs": {"A": {"generator": "uniform", "shape": [ROWS, ROWS], "nnz": NNZ, "seed": 1}},
        "run": {"baselines": [], "threads": 2},
    }
    return point_of("a parallel loop for each part" if parallel else "one thread", parts, plan)


PARTS = Experiment(
    {
        "id": "X36",
        "title": "X36: What each part costs",
        "question": (
            f"SpMV with {NNZ:,} nonzeros, in 1 to {COUNTS[-1]} parts by ranges of rows: how much does each "
            "further part cost, alone and where each has a parallel loop of its own?"
        ),
        "look_for": (
            "The slopes. Every part visits all rows again; where each has its own parallel loop, threads also "
            "meet once for each part."
        ),
        "parameter": "parts",
        "where": "",
        "points": [_point(parts, parallel) for parts in COUNTS for parallel in (False, True)],
    },
    drawn_over("Time of SpMV over the number of parts", "parts", [str(count) for count in COUNTS]),
)
