"""What ``heddle prove verdicts`` takes for wrong, and for told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from heddle.measuring.verdicts import conclude
from heddle_server.schema.run import RunResult
from proofs import verdicts
from proofs.verdict_plans import VERDICT_PLANS
from proofs.verdicts import Said, Truth, fault_of, judgement_of, prove_verdicts, truths_of
from tests.backend.fake_child import ENTRY, RESULT

QUIET = {"value": 1.0, "low": 0.99, "high": 1.01, "resolution": 0.02, "quiet": True}


def said(verdict: str, least: float = 1.0) -> Said:
    return Said("SpMV", "scipy", verdict, least, f"SciPy is {verdict}", 1.0)


@pytest.mark.parametrize(
    ("one", "truth", "fault"),
    [
        (said("faster", 3.1), Truth(4.0, 3.5, 4.5), None),
        (said("slower", 3.1), Truth(4.0, 3.5, 4.5), "the other way round"),
        (said("slower", 3.1), Truth(0.25, 0.2, 0.3), None),
        (said("faster", 3.1), Truth(0.25, 0.2, 0.3), "the other way round"),
        (said("faster", 70.0), Truth(4.0, 3.5, 4.5), "at least 70 times is claimed"),
        (said("slower", 6.0), Truth(0.25, 0.2, 0.3), "at least 6 times is claimed"),
        (said("faster", 1.05), Truth(1.0, 0.95, 1.05), None),
        (said("faster", 1.3), Truth(1.0, 0.95, 1.05), "at least 1.3 times is claimed"),
        (said("inconclusive"), Truth(4.0, 3.5, 4.5), None),
    ],
)
def test_a_verdict_against_the_known_order_is_wrong_and_so_is_too_much(
    one: Said, truth: Truth, fault: str | None
) -> None:
    found = fault_of(one, truth)
    assert (found is None) if fault is None else found is not None and found.endswith(fault)


def test_four_fifths_of_what_is_far_apart_must_be_told() -> None:
    truths = {"SpMV": {"scipy": Truth(0.2, 0.19, 0.21)}}
    summary, broken = judgement_of(truths, [said("slower", 3.1)] * 4 + [said("inconclusive")])
    assert (summary["beyond"], summary["beyond_told"], summary["share_told"], broken) == (5, 4, 0.8, [])
    _, broken = judgement_of(truths, [said("slower", 3.1)] * 3 + [said("inconclusive")])
    assert broken == ["3 of 4 verdicts beyond 3 were told, at least 80% are wanted"]
    near = {"SpMV": {"scipy": Truth(0.5, 0.48, 0.52)}}
    assert judgement_of(near, [said("slower", 1.9)])[1] == [
        "no comparison has a true ratio beyond 3, so nothing is shown of those"
    ]


def run(scipy: float) -> RunResult:
    """SciPy takes ``scipy`` times as long; its slow rounds are those of a busy machine."""
    samples = [100.0 * scipy] * 20 + [5000.0] * 15
    ratio = {"value": scipy, "low": scipy * 0.98, "high": scipy * 1.02, "paired": scipy, "verdict": "inconclusive"}
    other = {**ENTRY, "id": "scipy", "label": "SciPy", "samples_ns": samples, "ratio_to_heddle": ratio}
    own = {**ENTRY, "samples_ns": [100.0] * 30 + [900.0] * 5}
    return conclude(cast(RunResult, {**RESULT, "entries": [own, other], "control": QUIET}))


def test_the_truth_is_that_of_the_quick_rounds_of_every_run() -> None:
    assert truths_of([run(4.0), run(4.4), run(4.2)]) == {"scipy": Truth(4.2, 4.0, 4.4)}
    assert truths_of([run(0.9), run(1.2)])["scipy"].order is None


def test_each_plan_is_run_as_often_and_in_an_order_of_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    monkeypatch.setattr(verdicts, "say", lines.append)
    monkeypatch.setattr(verdicts, "machine", dict)
    asked: list[Mapping[str, Any]] = []

    def measure(plan: Mapping[str, Any]) -> RunResult:
        asked.append(plan)
        return run(4.0)

    plans = list(VERDICT_PLANS)[:2]
    found, broken = prove_verdicts(6, plans, seed=3, busy=0, run=measure)
    assert broken == []
    assert (found["conclusive"], found["beyond_told"], found["wrong"]) == (6, 6, 0)
    assert len(asked) == verdicts.QUIET_RUNS * 2 + 6
    assert sorted(one["plan"] for one in found["said"]) == sorted(plans * 3)
    again, _ = prove_verdicts(6, plans, seed=3, busy=0, run=measure)
    assert again["said"] == found["said"]
    assert "1/6" in lines[verdicts.QUIET_RUNS * 2]
