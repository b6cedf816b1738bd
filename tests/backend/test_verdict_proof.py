"""What ``heddle prove verdicts`` takes for a disagreement."""

from __future__ import annotations

from typing import Any

from proofs.verdicts import disagreements


def measured(verdict: str, control: float) -> dict[str, Any]:
    return {"scipy": {"verdict": verdict}, "control": {"value": control, "quiet": abs(control - 1) <= 0.02}}


def test_a_verdict_that_changes_and_a_noisy_control_are_named() -> None:
    assert disagreements("SpMV", [measured("faster", 1.01), measured("faster", 0.99)]) == []
    assert disagreements("SpMV", [measured("faster", 1.0), measured("inconclusive", 1.034)]) == [
        "SpMV: verdicts differ: faster, inconclusive",
        "SpMV: A/A control beyond 2 %: 1.034",
    ]
