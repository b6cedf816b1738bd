"""The programs of two papers: each is a plan that compiles, and how far from an opponent is told rightly."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.papers_programs import measuring
from benchmarks.papers_programs.__main__ import PROGRAMS
from benchmarks.papers_programs.measuring import Row, measure, summary, table
from benchmarks.papers_programs.program import Program
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle_server.engine.children.outcome import Outcome

BY_NAME = {program.name: program for program, _ in PROGRAMS}


def test_there_are_eighteen_and_ten() -> None:
    papers = [paper for _, paper in PROGRAMS]
    assert (papers.count("Vasilache et al. 2018"), papers.count("Pizzuti et al. 2020")) == (18, 10)
    assert len(BY_NAME) == 28
    assert max(program.presses for program in BY_NAME.values()) == 3


@pytest.mark.parametrize("name", BY_NAME)
def test_a_program_of_a_paper_compiles(name: str) -> None:
    result = lower(parse_plan(BY_NAME[name].plan(threads=1)))
    result.raise_errors()
    assert result.source is not None


def _entry(name: str, median: float, ratio: float | None) -> dict[str, Any]:
    told = None if ratio is None else {"value": ratio, "low": ratio / 2, "high": ratio * 2}
    return {"id": name, "median_ns": median, "ratio_to_heddle": told, "note": None, "reason": None}


def _row(monkeypatch: pytest.MonkeyPatch, entries: list[dict[str, Any]], *, ok: bool = True) -> Row:
    result = {"entries": entries, "verification": {"ok": ok}, "conclusion": {"noisy": True}}
    monkeypatch.setattr(measuring, "execute", lambda *_, **__: Outcome("done", result))
    return measure(BY_NAME["mv"], "a paper", 1, brief=True)


def test_the_distance_is_that_to_the_fastest_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [_entry("heddle", 3e3, None), _entry("unscheduled", 1e3, 0.3), _entry("numpy", 2e3, 0.5)]
    row = _row(monkeypatch, [*entries, _entry("torch", 6e3, 2.0)])
    assert (row.best, row.distance, row.low, row.high) == ("numpy", 2.0, 1.0, 4.0)
    alone = _row(monkeypatch, entries[:2])
    assert (alone.best, alone.distance, alone.verified) == ("", None, True)
    facts = summary([row, alone])
    assert facts["median_distance"] == facts["worst_distance"] == 2.0
    assert (facts["verified_within_three_presses"], facts["with_an_opponent"], facts["beyond"]) == (2, 1, [])
    said = table([row, alone])
    assert "numpy 2 µs 2.00 (1.00 to 4.00) noisy" in said
    assert "2 of 2 verified within three presses, 1 beside an opponent" in said


def test_a_wrong_result_and_a_refused_plan_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = _row(monkeypatch, [_entry("heddle", 3e3, None)], ok=False)
    assert (wrong.verified, wrong.problem) == (False, "The result differs from the reference.")
    broken = Program("broken", "§1", "comprehension", "def f(float(N) x) -> (y) { y(i) = z(i) }", {"x": (5,)})
    refused = measure(broken, "a paper", 1, brief=True)
    assert not refused.verified
    assert refused.problem in table([refused])
    assert refused.problem
