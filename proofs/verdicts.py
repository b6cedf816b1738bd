"""``heddle prove verdicts``: a plan measured ten times gives the same verdict, and the A/A control is within 2 %."""

from __future__ import annotations

from typing import Any

from backend.run_plan import execute
from backend.settings import Settings
from compiler.plan import parse_plan
from proofs.report import machine

TIMES = 10
MATRIX = {"A": {"dataset": "bcsstk13"}}
RUN = {"baselines": ["scipy"], "threads": 1}
# Against SciPy on a matrix that comes with Heddle: a kernel that is clearly another one, and one that is nearly a tie.
PLANS = {
    "SpMM": {
        "expression": "C(i,k) = A(i,j) * B(j,k)",
        "tensors": {"A": {"format": "csr"}, "B": {"shape": [2003, 32]}},
        "inputs": MATRIX,
        "run": RUN,
    },
    "SpMV": {
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "inputs": MATRIX,
        "run": RUN,
    },
}


def prove_verdicts() -> tuple[dict[str, Any], list[str]]:
    """Ratios, verdicts and controls of ten measurements of each plan, and what of them disagrees."""
    measured: dict[str, list[dict[str, Any]]] = {name: [] for name in PLANS}
    # In turn, so that a plan's measurements lie apart in time.
    for _ in range(TIMES):
        for name, plan in PLANS.items():
            measured[name].append(once(plan))
    broken = [line for name, several in measured.items() for line in disagreements(name, several)]
    return {"plans": PLANS, "measured": measured, "machine": machine()}, broken


def once(plan: dict[str, Any]) -> dict[str, Any]:
    outcome = execute(parse_plan(plan), Settings())
    if outcome.result is None:
        raise RuntimeError(f"{outcome.title}: {outcome.detail}")
    ratios = {entry["id"]: entry["ratio_to_heddle"] for entry in outcome.result["entries"] if entry["available"]}
    return {"scipy": ratios["scipy"], "control": outcome.result["control"]}


def disagreements(name: str, measured: list[dict[str, Any]]) -> list[str]:
    verdicts = sorted({one["scipy"]["verdict"] for one in measured})
    noisy = [f"{one['control']['value']:.3f}" for one in measured if not one["control"]["quiet"]]
    broken = [f"{name}: verdicts differ: {', '.join(verdicts)}"] if len(verdicts) > 1 else []
    return [*broken, *([f"{name}: A/A control beyond 2 %: {', '.join(noisy)}"] if noisy else [])]
