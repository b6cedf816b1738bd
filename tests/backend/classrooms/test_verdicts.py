"""What is kept of a submission: a row that a repetition does not change, and that cannot grow without end."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from heddle.plan import Plan, parse_plan, plan_hash
from heddle_server.lessons.solution import solution_of
from heddle_server.schema.lesson import Submission
from heddle_server.services.classrooms.verdicts import MOST_KINDS, count, hash_of_submission, new_work, note
from heddle_server.store.tables import Work

AT = datetime(2027, 3, 1, 9, 0)
PLAN = parse_plan({"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "dcsr"}}})


def verdict(passed: bool = True, medals: tuple[str, ...] = (), **more: Any) -> Any:
    failed = {"check": "a <= 1", "say": None, "passed": False}
    checks = [{"check": "compiles", "say": "It compiles.", "passed": True}, *([] if passed else [failed])]
    return {"passed": passed, "medals": list(medals), "checks": checks, "diagnostics": [], **more}


def submitted(work: Work, found: Any, name: str, minutes: int = 0, plan: Plan = PLAN) -> bool:
    """With ``name`` as an answer, so that submissions differ."""
    given = Submission(plan={}, answers={"row": name}, seed=7)  # type: ignore[arg-type]
    return note(work, found, plan, given, AT + timedelta(minutes=minutes))


def test_a_task_stays_solved_since_it_was_solved_first() -> None:
    work = new_work(1, "l", "t", AT)
    assert submitted(work, verdict(False), "wrong")
    assert (work.tries, work.solved, work.plan) == (1, None, None)
    assert submitted(work, verdict(medals=("bronze",)), "right", 4)
    assert submitted(work, verdict(False), "worse", 5)
    assert submitted(work, verdict(medals=("gold",)), "better", 6)
    assert (work.tries, work.solved, work.medals) == (4, AT + timedelta(minutes=4), ["bronze", "gold"])
    assert work.failures == {"a <= 1": {"times": 2, "says": "a <= 1"}}
    assert (work.answers, work.seed) == ({"row": "better"}, 7), "of the latest that passed, for its receipt"


def test_a_submission_that_is_sent_again_changes_nothing() -> None:
    work = new_work(1, "l", "t", AT)
    assert submitted(work, verdict(), "one")
    assert not submitted(work, verdict(), "one", 9)
    assert (work.tries, work.solved) == (1, AT)


def test_refusals_are_counted_by_their_code_with_the_latest_words() -> None:
    work = new_work(1, "l", "t", AT)
    for number in range(3):
        refused = {"severity": "error", "code": "schedule/race", "message": f"y is written by {number}"}
        submitted(
            work, verdict(False, diagnostics=[refused, {**refused, "severity": "warning", "code": "w"}]), f"{number}"
        )
    assert work.refusals == {"schedule/race": {"times": 3, "says": "y is written by 2"}}


def test_what_is_counted_has_a_bound() -> None:
    kept: dict[str, Any] = {}
    for number in range(3 * MOST_KINDS):
        kept = count(kept, {f"code-{number}" * 100: "words" * 100})
    kept = count(kept, {("code-0" * 100): "again"})
    assert len(kept) == MOST_KINDS
    assert all(len(code) <= 200 and len(met["says"]) <= 200 for code, met in kept.items())
    assert kept[("code-0" * 100)[:200]] == {"times": 2, "says": "again"}


def test_equal_solutions_on_other_data_are_one() -> None:
    document = {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "dcsr"}}}
    seeds = [
        parse_plan({**document, "inputs": {"A": {"generator": "uniform", "shape": [4, 4], "nnz": 3, "seed": seed}}})
        for seed in (1, 2)
    ]
    threads = parse_plan({**document, "run": {"threads": 2}})
    assert {plan_hash(solution_of(plan)) for plan in (*seeds, threads, PLAN)} == {plan_hash(PLAN)}
    assert hash_of_submission(seeds[0], {}, None) != hash_of_submission(seeds[1], {}, None)
    assert hash_of_submission(PLAN, {"row": 1}, None) != hash_of_submission(PLAN, {"row": 2}, None)
