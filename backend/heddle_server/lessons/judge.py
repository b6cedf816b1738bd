"""A submission to a task -> which checks it passes, why not the others, and what hint helps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from heddle.diagnostics import Diagnostic
from heddle.explorer.cost_report.run import Operands
from heddle.explorer.quick_fixes import explain_result
from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan, to_document
from heddle.result import CompileResult
from heddle_server.lessons.answer import has_answer, probes_of
from heddle_server.lessons.condition import Condition, Fact, Value, facts_in, parse_condition, value_of
from heddle_server.lessons.data import document_of, inputs_of, operands_of
from heddle_server.lessons.evidence import Evidence, Unknown
from heddle_server.lessons.freedom import not_free
from heddle_server.lessons.lesson import Attempt, Check, Task
from heddle_server.lessons.predicates.table import TABLE, find
from heddle_server.lessons.task_reader import ANSWER, SAID, plan_document

COMPILES = "compiles"
"""The name of the check that comes before all others."""


@dataclass(frozen=True, slots=True)
class Found:
    """A fact of a check as it was on the student's plan; ``value`` is None where there is none, for ``why``."""

    fact: str
    value: Value | None
    unit: str
    summary: str
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one check. ``data`` is the number of the data set in which it failed, 0 being what the student sees."""

    text: str
    say: str | None
    passed: bool
    facts: tuple[Found, ...] = ()
    why: str | None = None
    data: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    passed: bool
    outcomes: tuple[Outcome, ...]
    hints: tuple[str, ...]
    medals: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        return tuple(outcome.text for outcome in self.outcomes if not outcome.passed)


def judge(
    task: Task,
    plan: Plan,
    answers: Mapping[str, str | float],
    seed: int,
    timed: Mapping[str, Any] | None = None,
    *,
    explain: bool = True,
) -> Verdict:
    """Checks a plan on all data sets of the task. Nothing that the page says is believed but ``answers``.

    ``explain``: refusals get their repairs and evidence, as in the page.
    """
    result = compile_plan(plan)
    refused = () if result.ok else (explain_result(result) if explain else result).diagnostics
    changed = not_free(task, plan)
    if changed is not None:
        outcome = Outcome("only what is free was changed", None, False, why=changed)
        return Verdict(False, (outcome,), (), (), refused)
    data, start = _prepare(task, seed)
    outcomes: list[Outcome] = []
    if not task.may_be_refused:
        why = None if result.ok else _first_error(result)
        say = "The plan compiles."
        outcomes.append(Outcome(COMPILES, say, result.ok, why=why))
    evidence = [
        Evidence(result, operands, first, answers, timed, plan.schedule, first.inputs, first.probes)
        for operands, first in zip(data, start, strict=True)
    ]
    wanted = _checks(task) if all(outcome.passed for outcome in outcomes) else ()
    outcomes += [_outcome(check, evidence) for check in wanted]
    passed = all(outcome.passed for outcome in outcomes)
    hints = tuple(
        hint.say for hint in task.hints if not passed and (hint.when is None or _holds(hint.when, evidence[:1]))
    )
    medals = tuple(name for name, check in task.medals.items() if passed and _holds(check, evidence))
    return Verdict(passed, tuple(outcomes), hints, medals, refused)


def answers_of(attempt: Attempt, task: Task, plan: Plan, seed: int) -> dict[str, str | float]:
    """The answers of a solution; those that are conditions are computed on its own plan and data."""
    answers: dict[str, str | float] = {}
    data, start = _prepare(task, seed)
    evidence = Evidence(compile_plan(plan), data[0], start[0], written=plan.schedule, inputs=start[0].inputs)
    for name, answer in attempt.answers.items():
        if isinstance(answer, str) and answer.startswith("="):
            value = value_of(parse_condition(answer[1:].strip()), lambda fact: find(fact, evidence))
            answers[name] = value if isinstance(value, str | int | float) else str(value)
        else:
            answers[name] = answer
    return answers


def plan_of_attempt(task: Task, attempt: Attempt, seed: int) -> Plan:
    """Raises CompileError where a lesson writes no plan."""
    return parse_plan(plan_document(attempt.plan, document_of(task, seed)))


def compile_plan(plan: Plan) -> CompileResult:
    """The same for all data."""
    return _of_document(json.dumps(to_document(replace(plan, inputs={})), sort_keys=True))


@lru_cache(maxsize=64)
def _of_document(text: str) -> CompileResult:
    return lower(parse_plan(json.loads(text)))


@lru_cache(maxsize=32)
def _prepare(task: Task, seed: int) -> tuple[list[Operands], list[Evidence]]:
    """The data sets, and the evidence on the plan at the start, which many checks compare with: the same for every
    submission of a student to a task."""
    data = operands_of(task, seed)
    plan = parse_plan(dict(task.start))
    result = compile_plan(plan)
    input_sets = inputs_of(task, seed)
    probes = probes_of(task, seed, compile_plan) if has_answer(task) else ()
    return data, [
        Evidence(result, operands, written=plan.schedule, inputs=inputs, probes=probes)
        for operands, inputs in zip(data, input_sets, strict=True)
    ]


IMPLICIT = Check(ANSWER, parse_condition(ANSWER), 0, SAID[ANSWER])


def _checks(task: Task) -> tuple[Check, ...]:
    """Those of the lesson, and that the result is the author's where the expression is the student's."""
    asked = any(check.text == ANSWER for check in task.checks)
    return task.checks if asked or "expression" not in task.free else (*task.checks, IMPLICIT)


def _outcome(check: Check, evidence: list[Evidence]) -> Outcome:
    """The outcome in the first data set in which the check fails, else in the one that the student sees."""
    outcome = None
    for number, record in enumerate(evidence):
        facts = tuple(_check_fact(fact, record) for fact in _list_shown_facts(check.condition))
        why = None
        try:
            passed = bool(value_of(check.condition, lambda fact, record=record: find(fact, record)))  # type: ignore[misc]
        except (Unknown, ValueError) as error:
            passed, why = False, str(error)
        if not passed and why is None:
            why = _fault(check, record)
        if not passed:
            return Outcome(check.text, check.say, False, facts, why, number)
        outcome = outcome or Outcome(check.text, check.say, True, facts)
    assert outcome is not None
    return outcome


def _fault(check: Check, evidence: Evidence) -> str | None:
    """What is wrong with the result, where the check is about nothing else."""
    match check.text:
        case "result.right":
            return evidence.wrong
        case "result.answer":
            return evidence.difference
        case _:
            return None


def _list_shown_facts(condition: Condition) -> Iterator[Fact]:
    """The facts of a condition, each once, but not those that would give away an answer that is asked for."""
    facts = list(dict.fromkeys(facts_in(condition)))
    asks = any(fact.name.startswith("answer.") for fact in facts)
    yield from (fact for fact in facts if not asks or fact.name.startswith("answer."))


def _check_fact(fact: Fact, evidence: Evidence) -> Found:
    known = TABLE[fact.name]
    try:
        value, why = find(fact, evidence), None
    except Unknown as error:
        value, why = None, str(error)
    return Found(str(fact), value, known.unit, known.summary, why)


def _holds(check: Check, evidence: list[Evidence]) -> bool:
    """A condition about what is not known does not hold, and neither does its opposite."""
    try:
        return all(
            bool(value_of(check.condition, lambda fact, record=record: find(fact, record)))  # type: ignore[misc]
            for record in evidence
        )
    except (Unknown, ValueError):
        return False


def _first_error(result: CompileResult) -> str:
    return next(diagnostic.message for diagnostic in result.diagnostics if diagnostic.severity == "error")
