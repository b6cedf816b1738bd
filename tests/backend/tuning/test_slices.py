"""A real search in one process, cut into slices: verified, compared, remembered, replayed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from heddle.diagnostics import InternalError
from heddle.measuring.verification import verified
from heddle.plan import Plan, parse_plan
from heddle.tuning.known.entry import read_known
from heddle.tuning.known.imported import check
from heddle.tuning.session.log import Budget, Line, Settings, resumable
from heddle.tuning.strategies.genetic import Parameters
from heddle_server.command_line.tune import replay
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.tuning import patterns
from heddle_server.tuning import statements as subjects
from heddle_server.tuning.slices import run_slice
from tests.errors.expect import refusal

pytestmark = pytest.mark.takes_turns(4)

PLAN = parse_plan(
    {
        "version": 2,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr", "shape": [60, 50]}},
        "inputs": {"A": {"generator": "uniform", "nnz": 300, "seed": 1}},
        "run": {"baselines": ["scipy"]},
    }
)
SETTINGS = Settings("random", 3, Parameters(4, 1), Budget(8, 3))


PROGRAM = parse_plan(
    {
        "version": 2,
        "language": "comprehension",
        "expression": "def f(float(N) x) -> (A, B) { A(i) = x(i) + x(i)  B(i) = A(i) * x(i) }",
        "tensors": {"x": {"shape": [64]}},
    }
)


def sliced(lines: list[Line], seconds: float, settings: Settings = SETTINGS, plan: Plan = PLAN) -> bool:
    lines[:] = resumable(lines)
    return run_slice(plan, {}, settings, list(lines), seconds, QuietTime(None), 1, lines.append, lambda message: None)


@pytest.fixture(scope="module")
def whole() -> list[Line]:
    lines: list[Line] = []
    assert sliced(lines, 600.0)
    return lines


def test_a_search_ends_with_a_comparison_and_what_is_to_be_remembered(whole: list[Line]) -> None:
    assert [line["event"] for line in whole if line["event"] in ("header", "searched", "final", "known")] == [
        "header", "searched", "final", "known"
    ]  # fmt: skip
    final = next(line for line in whole if line["event"] == "final")
    assert {"rules", "library"} <= {entry["role"] for entry in final["entries"]}
    assert all(entry["samples"] >= 30 for entry in final["entries"])
    known, kept_out = check(read_known(whole[-1]["known"]))
    assert not kept_out
    assert known.expression == "o0(v0) = p0(v0,v1) * p1(v1)"
    (entry,) = known.entries
    assert entry.key["tensors"]["p0"]["features"]


def test_its_log_replays(whole: list[Line], capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(whole) == 0
    said = capsys.readouterr().out
    candidates = sum(line["event"] == "candidate" for line in whole)
    assert f"with {candidates} candidates, each the same as in the log" in said


def test_a_slice_without_time_leaves_everything_to_the_next(whole: list[Line]) -> None:
    lines: list[Line] = []
    assert not sliced(lines, 0.0)
    assert [line["event"] for line in lines] == ["header", "slice"]
    assert sliced(lines, 600.0)
    genes = [[line["genes"] for line in log if line["event"] == "candidate"] for log in (lines, whole)]
    assert genes[0] == genes[1]


def test_a_wrong_candidate_is_our_mistake_and_never_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    compare: Callable[..., Any] = verified.compare
    calls: list[int] = []

    def wrong(result: Any, reference: Any, dtype: str) -> Any:
        calls.append(1)
        return compare(result + (len(calls) == 3), reference, dtype)

    monkeypatch.setattr(verified, "compare", wrong)
    with pytest.raises(InternalError, match=r"A candidate of a search is wrong by .* \(strategy random, seed 3, plan"):
        sliced([], 600.0)


@pytest.mark.parametrize("name", ["A", "B"])
def test_a_candidate_is_verified_in_every_result(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the last of them alone: a schedule that spoils an earlier one would win as the fastest."""
    right = subjects.references_of

    def other(*given: Any) -> Any:
        found = right(*given)
        return {**found, name: replace(found[name], values=found[name].values + 1)}

    monkeypatch.setattr(subjects, "references_of", other)
    with pytest.raises(InternalError, match="A candidate of a search is wrong by"):
        sliced([], 600.0, plan=PROGRAM)


def test_a_slice_of_another_plan_or_other_settings_does_not_go_on_with_a_log(whole: list[Line]) -> None:
    before = resumable(whole)
    assert refusal(lambda: sliced(list(before), 600.0, plan=PROGRAM)).code == "tune/other-plan"
    other = replace(SETTINGS, seed=4)
    assert refusal(lambda: sliced(list(before), 600.0, other)).code == "tune/other-options"


PATTERNS = parse_plan(
    {
        "version": 2,
        "language": "patterns",
        "expression": "nFun(n => nFun(m => fun(pos: [int]_{n+1} =>"
        "fun(cols: [i -> [int]_{toNat(pos@(i+1) - pos@i)}]_n => fun(vals: [i -> [double]_{toNat(pos@(i+1) - pos@i)}]_n"
        " => fun(xs: [double]_m => zip(cols, vals) :>> map(fun(row => zip(row.1, row.2)"
        " :>> map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0)))))))))",
        "arguments": {"pos": "A.pos", "cols": "A.crd", "vals": "A.vals", "xs": "x"},
        "inputs": {"A": {"generator": "uniform", "shape": [60, 50], "nnz": 300, "seed": 1}},
        "run": {"baselines": []},
    }
)
FEW = replace(SETTINGS, parameters=Parameters(3, 1), budget=Budget(3, 1))


def test_a_program_in_patterns_is_searched_and_compared_with_what_computes_the_same() -> None:
    """How rows are found and how sums are cut; nothing is kept of it, since its language has no canonical form."""
    lines: list[Line] = []
    assert sliced(lines, 600.0, FEW, PATTERNS)
    timed = [line for line in lines if line["event"] == "timed"]
    assert any(line["seconds"] is not None for line in timed)
    assert {"sums vals", "cut reduce1"} <= {gene["name"] for gene in lines[0]["genes"]}
    final = lines[-1]
    assert final["event"] == "final"
    assert {"found", "loops", "library"} <= {entry["role"] for entry in final["entries"]}
    assert final["gain"] is None


def test_a_wrong_candidate_in_patterns_is_our_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    right = patterns.reference_of

    def other(*given: Any) -> Any:
        found = right(*given)
        return replace(found, values=found.values + 1)

    monkeypatch.setattr(patterns, "reference_of", other)
    with pytest.raises(InternalError, match="A candidate of a search is wrong by"):
        sliced([], 600.0, FEW, PATTERNS)


def test_memory_of_candidates_is_that_of_operands_results_and_workspaces(whole: list[Line]) -> None:
    """Of compressed rows 61 positions, and 300 columns and values; of the vectors 50 and 60 values."""
    plain = next(line for line in whole if line["event"] == "timed" and not line["schedule"])
    assert plain["formats"] == {"A": "csr"}
    assert plain["bytes"] == 4 * (61 + 300) + 8 * (300 + 50 + 60)
    assert all(line["bytes"] > 0 for line in whole if line["event"] == "candidate" and line["seconds"] is not None)
