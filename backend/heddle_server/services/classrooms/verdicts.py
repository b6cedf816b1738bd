"""What of a verdict is kept: a row for each student and task that grows only where something new is met."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from heddle.plan import Plan, plan_hash, to_document
from heddle_server.lessons.solution import solution_of
from heddle_server.schema.lesson import Submission
from heddle_server.schema.lesson_views import TaskResultView
from heddle_server.store.tables import Work

MOST_KINDS = 24
"""Of refusals, and of failed checks, that are counted for a student at a task."""
LONGEST_WORDS = 200

Counted = dict[str, Any]
"""Code or text of a check -> {"times": …, "says": …}."""


def hash_of_submission(plan: Plan, answers: Mapping[str, object], run: str | None) -> str:
    content = json.dumps([to_document(plan), dict(answers), run], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def new_work(student: int, lesson: str, task: str, at: datetime) -> Work:
    return Work(
        student=student, lesson=lesson, task=task, tries=0, last="", begun=at, solved=None, medals=[], refusals={},
        failures={}, solution="", plan=None, answers=None, seed=None, bytes=0,
    )  # fmt: skip


def note(work: Work, verdict: TaskResultView, plan: Plan, attempt: Submission, at: datetime) -> bool:
    """Adds a verdict to the row. The same submission again, however often it is sent, adds nothing: False.

    A task that was solved stays solved, since that moment; of its plans the latest that passed is kept.
    """
    submission = hash_of_submission(plan, attempt.answers, attempt.run)
    if work.last == submission:
        return False
    work.last = submission
    work.tries += 1
    errors = [diagnostic for diagnostic in verdict["diagnostics"] if diagnostic["severity"] == "error"]
    work.refusals = count(work.refusals, {error["code"]: error["message"] for error in errors})
    failed = [check for check in verdict["checks"] if not check["passed"] and check["check"] != "compiles"]
    work.failures = count(work.failures, {check["check"]: check["say"] or check["check"] for check in failed[:1]})
    if verdict["passed"]:
        solution = solution_of(plan)
        work.solved = work.solved or at
        work.medals = [name for name in ("bronze", "silver", "gold") if name in {*work.medals, *verdict["medals"]}]
        work.plan, work.solution = to_document(solution), plan_hash(solution)
        work.answers, work.seed = dict(attempt.answers), attempt.seed
    work.bytes = len(json.dumps([work.plan, work.answers, work.refusals, work.failures]))
    return True


def count(before: Counted, met: Mapping[str, str]) -> Counted:
    counts = dict(before)
    for code, says in met.items():
        known = counts.get(code[:LONGEST_WORDS], {"times": 0})
        if known["times"] or len(counts) < MOST_KINDS:
            counts[code[:LONGEST_WORDS]] = {"times": known["times"] + 1, "says": says[:LONGEST_WORDS]}
    return counts
