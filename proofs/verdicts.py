"""``heddle prove verdicts``: a plan measured ten times gives the same verdicts, and the A/A control is within 2 %."""

from __future__ import annotations

from typing import Any

from backend.run_plan import execute
from backend.settings import Settings
from compiler.plan import parse_plan
from proofs.report import machine

TIMES = 10
# Against SciPy, on a matrix that comes with Heddle.
PLAN = {
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "inputs": {"A": {"dataset": "bcsstk13"}, "x": {"generator": "uniform", "seed": 1}},
    "run": {"baselines": ["scipy"], "threads": 1},
}


def prove_verdicts() -> tuple[dict[str, Any], list[str]]:
    """Ratios, verdicts and controls of ten measurements, and what of them disagrees."""
    measured = []
    for _ in range(TIMES):
        outcome = execute(parse_plan(PLAN), Settings())
        if outcome.result is None:
            return {"plan": PLAN}, [f"{outcome.title}: {outcome.detail}"]
        ratios = {entry["id"]: entry["ratio_to_heddle"] for entry in outcome.result["entries"] if entry["available"]}
        measured.append({"scipy": ratios["scipy"], "control": outcome.result["control"]})
    verdicts = sorted({one["scipy"]["verdict"] for one in measured})
    noisy = [one["control"]["value"] for one in measured if not one["control"]["quiet"]]
    broken = [f"verdicts differ: {', '.join(verdicts)}"] if len(verdicts) > 1 else []
    broken += [f"A/A control beyond 2 %: {', '.join(f'{value:.3f}' for value in noisy)}"] if noisy else []
    return {"plan": PLAN, "measured": measured, "machine": machine()}, broken
