"""What of a verdict is kept: a row for each student and task that grows only where something new is met."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from heddle.plan import Plan, plan_hash, to_document
from heddle_server.lessons.solution import solution_of
from heddle_server.schema.lesson import Submission, TaskResultView
from heddle_server.store.tables import Work

MOST_KINDS = 24
"""Of refusals, and of failed checks, that are counted for a student at a task."""
LONGEST_WORDS = 200

Counted = dict[str, Any]
"""Code or text of a check -> {"times": …, "says": …}."""


def hash_of_submission(plan: Plan, answers: Mapping[str, object], run: str | None) -> str:
    given = json.dumps([to_document(plan), dict(answers), run], sort_keys=True)
    return hashlib.sha256(given.encode()).hexdigest()


def new_work(student: int, lesson: str, task: str, at: datetime) -> Work:
    return Work(
        student=student, lesson=lesson, task=task, tries=0, last="", begun=at, solved=None, medals=[], refusals={},
        failures={}, solution="", plan=None, answers=None, seed=None, bytes=0,
    )  # fmt: skip


def note(work: Work, verdict: TaskResultView, plan: Plan, given: Submission, at: datetime) -> bool:
    """Adds a verdict to the row. The same submission again, however often it is sent, adds nothing: False.

    A task that was solved stays solved, since that moment; of its plans the latest that passed is kept.
    """
    submission = hash_of_submission(plan, given.answers, given.run)
    if work.last == submission:
        return False
    work.last = submission
    work.tries += 1
    errors = [one for one in verdict["diagnostics"] if one["severity"] == "error"]
    work.refusals = counted(work.refusals, {one["code"]: one["message"] for one in errors})
    failed = [one for one in verdict["checks"] if not one["passed"] and one["check"] != "compiles"]
    work.failures = counted(work.failures, {one["check"]: one["say"] or one["check"] for one in failed[:1]})
    if verdict["passed"]:
        solution = solution_of(plan)
        work.solved = work.solved or at
        work.medals = [name for name in ("bronze", "silver", "gold") if name in {*work.medals, *verdict["medals"]}]
        work.plan, work.solution = to_document(solution), plan_hash(solution)
        work.answers, work.seed = dict(given.answers), given.seed
    work.bytes = len(json.dumps([work.plan, work.answers, work.refusals, work.failures]))
    return True


def counted(before: Counted, met: Mapping[str, str]) -> Counted:
    found = dict(before)
    for code, says in met.items():
        known = found.get(code[:LONGEST_WORDS], {"times": 0})
        if known["times"] or len(found) < MOST_KINDS:
            found[code[:LONGEST_WORDS]] = {"times": known["times"] + 1, "says": says[:LONGEST_WORDS]}
    return found
