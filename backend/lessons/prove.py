"""Whether a lesson does what it says: its solutions pass on data of many students, its wrong plans fail where they
should with the hint that helps, and no check passes whatever one does."""

from __future__ import annotations

from collections.abc import Iterator

from backend.lessons.judge import COMPILES, Verdict, answers_of, judged, plan_of_attempt
from backend.lessons.lesson import Attempt, Lesson, Task, Text, Wrong
from backend.lessons.reader import LINK
from compiler.diagnostics import CompileError
from compiler.plan import parse_plan

SEEDS = 20
"""Students whose data a solution must pass on."""

SAFETY = "result.right"
"""The compiler refuses a plan or computes it right, so that no plan fails at this check: it stays as a safety net."""

Problem = tuple[int, str]


def problems_of(lesson: Lesson, known: frozenset[str], seeds: int = SEEDS) -> list[Problem]:
    """``known`` are the ids of all lessons, to which links may lead."""
    found = list(_links(lesson, known))
    for task in lesson.tasks:
        try:
            found += _of_task(task, seeds)
        except CompileError as error:
            found.append((task.line, f"the data of the task {task.id} cannot be made: {error}"))
    return found


def _links(lesson: Lesson, known: frozenset[str]) -> Iterator[Problem]:
    for block in lesson.blocks:
        if isinstance(block, Text):
            for number, line in enumerate(block.markdown.split("\n"), block.line):
                for _, _, to in LINK.findall(line):
                    if to.startswith("lesson:") and to.removeprefix("lesson:") not in known:
                        yield number, f"there is no lesson {to.removeprefix('lesson:')} for this link"


def _of_task(task: Task, seeds: int) -> Iterator[Problem]:
    failed: set[str] = set()
    for solution in task.solutions:
        for seed in range(seeds):
            verdict = _verdict(task, solution, seed)
            if isinstance(verdict, str):
                yield solution.line, verdict
                break
            if not verdict.passed:
                yield solution.line, f"this solution of {task.id} fails with seed {seed}: {_reasons(verdict)}"
                break
    begin = judged(task, parse_plan(dict(task.start)), {}, 0, explain=False)
    failed |= set(begin.failed)
    if begin.passed:
        yield task.line, f"the task {task.id} is done before anybody does anything: the plan at its start passes"
    for wrong in task.wrong:
        verdict = _verdict(task, wrong.attempt, 0)
        if isinstance(verdict, str):
            yield wrong.attempt.line, verdict
            continue
        failed |= set(verdict.failed)
        yield from _of_wrong(task, wrong, verdict)
    for check in task.checks:
        if check.text not in failed and check.text != SAFETY:
            yield check.line, f"no wrong plan of {task.id} and not its start fails at '{check.text}': can it fail?"


def _of_wrong(task: Task, wrong: Wrong, verdict: Verdict) -> Iterator[Problem]:
    line = wrong.attempt.line
    if verdict.passed:
        yield line, f"this wrong plan of {task.id} passes: it should fail at {wrong.fails}"
    elif wrong.fails not in verdict.failed:
        yield line, f"this wrong plan should fail at {wrong.fails}; it fails at {', '.join(verdict.failed)}"
    if wrong.shows is not None and not verdict.passed:
        shown = [*verdict.hints, *(one.code for one in verdict.diagnostics)]
        if not any(wrong.shows in each for each in shown):
            yield line, f"this wrong plan should show '{wrong.shows}'; it shows {'; '.join(shown) or 'no hint'}"


def _verdict(task: Task, attempt: Attempt, seed: int) -> Verdict | str:
    try:
        plan = plan_of_attempt(task, attempt, seed)
        return judged(task, plan, answers_of(attempt, task, plan, seed), seed, explain=False)
    except CompileError as error:
        return f"this is not a plan: {error}"


def _reasons(verdict: Verdict) -> str:
    parts = []
    for outcome in verdict.outcomes:
        if not outcome.passed:
            facts = ", ".join(f"{one.fact} is {one.value if one.why is None else one.why}" for one in outcome.facts)
            said = outcome.text if outcome.text != COMPILES else "it does not compile"
            parts.append(f"{said} ({facts or outcome.why}{f', data set {outcome.data + 1}' if outcome.data else ''})")
    return "; ".join(parts)
