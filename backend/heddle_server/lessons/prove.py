"""Whether a lesson does what it says: its solutions pass on data of many students, its wrong plans fail where they
should with the hint that helps, no check passes whatever one does, and no mutant of a solution is taken for one."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.diagnostics import CompileError
from heddle.plan import parse_plan
from heddle_server.lessons.answer import probes_of
from heddle_server.lessons.judge import COMPILES, Verdict, answers_of, compile_plan, judge, plan_of_attempt
from heddle_server.lessons.lesson import Attempt, Lesson, Task, Text, Wrong
from heddle_server.lessons.mutation.trial import try_mutants
from heddle_server.lessons.probe import difference
from heddle_server.lessons.reader import LINK

SEEDS = 20
"""Students whose data a solution must pass on."""

SAFETY = "result.right"
"""The compiler refuses a plan or computes it right, so that no plan fails at this check: it stays as a safety net."""

RIGHT_SEEDS = 3
"""Students on whose data a mutant that the author calls right must do what the solution does."""

Problem = tuple[int, str]


def problems_of(lesson: Lesson, known: frozenset[str], seeds: int = SEEDS) -> list[Problem]:
    """``known`` are the ids of all lessons, to which links may lead."""
    problems = list(_links(lesson, known))
    for task in lesson.tasks:
        try:
            problems += _of_task(task, seeds)
        except CompileError as error:
            problems.append((task.line, f"the data of the task {task.id} cannot be made: {error}"))
    return problems


def prove_mutants(lesson: Lesson) -> tuple[int, list[Problem]]:
    """How many mutants of a lesson's solutions were tried, and those that are taken for solutions. The lesson holds
    what it says otherwise: :func:`problems_of` is empty."""
    trials = [(task, trial) for task in lesson.tasks for trial in try_mutants(task)]
    return len(trials), [
        (
            trial.mutant.attempt.line,
            f"a mutant of this solution of {task.id} passes: {trial.mutant.change}. Add a check that it fails, or list "
            "it under right if it does what the task asks for",
        )
        for task, trial in trials
        if trial.passed
    ]


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
            problem = _why_not_passed(task, solution, seed, "solution")
            if problem is not None:
                yield solution.line, problem
                break
    begin = judge(task, parse_plan(dict(task.start)), {}, 0, explain=False)
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
    yield from _of_right(task)
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
        shown = [*verdict.hints, *(diagnostic.code for diagnostic in verdict.diagnostics)]
        if not any(wrong.shows in text for text in shown):
            yield line, f"this wrong plan should show '{wrong.shows}'; it shows {'; '.join(shown) or 'no hint'}"


def _of_right(task: Task) -> Iterator[Problem]:
    """Each mutant that the author calls right passes every check and computes what the solution does."""
    for attempt in task.right:
        for seed in range(RIGHT_SEEDS):
            problem = _why_not_passed(task, attempt, seed, "right plan")
            if problem is not None:
                yield attempt.line, problem
                break
            result = compile_plan(plan_of_attempt(task, attempt, seed))
            differs = None if task.may_be_refused else difference(result, probes_of(task, seed, compile_plan))
            if differs is not None:
                yield attempt.line, f"this right plan of {task.id} computes something else with seed {seed}: {differs}"
                break


def _why_not_passed(task: Task, attempt: Attempt, seed: int, what: str) -> str | None:
    """Why ``attempt``, which is called ``what``, does not pass on the data of one student; None where it does."""
    verdict = _verdict(task, attempt, seed)
    if isinstance(verdict, str):
        return verdict
    return None if verdict.passed else f"this {what} of {task.id} fails with seed {seed}: {_reasons(verdict)}"


def _verdict(task: Task, attempt: Attempt, seed: int) -> Verdict | str:
    try:
        plan = plan_of_attempt(task, attempt, seed)
        return judge(task, plan, answers_of(attempt, task, plan, seed), seed, explain=False)
    except CompileError as error:
        return f"this is not a plan: {error}"


def _reasons(verdict: Verdict) -> str:
    parts = []
    for outcome in verdict.outcomes:
        if not outcome.passed:
            facts = ", ".join(
                f"{fact.fact} is {fact.value if fact.why is None else fact.why}" for fact in outcome.facts
            )
            said = outcome.text if outcome.text != COMPILES else "it does not compile"
            parts.append(f"{said} ({facts or outcome.why}{f', data set {outcome.data + 1}' if outcome.data else ''})")
    return "; ".join(parts)
