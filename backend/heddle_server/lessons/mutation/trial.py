"""Every mutant of a task's solutions, tried as a student would hand it in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heddle.diagnostics import CompileError
from heddle.plan import Plan, plan_hash
from heddle_server.lessons.judge import answers_of, compile_plan, judge, plan_of_attempt
from heddle_server.lessons.lesson import Attempt, Task
from heddle_server.lessons.mutation.mutants import Mutant, mutate

Answers = Mapping[str, str | float]


@dataclass(frozen=True, slots=True)
class Trial:
    """Whether the task takes a mutant that neither is nor compiles to what the author wrote."""

    mutant: Mutant
    passed: bool


@dataclass(frozen=True, slots=True)
class _Submission:
    plan: Plan
    answers: Answers

    @property
    def identity(self) -> str:
        """Equal for attempts that say the same."""
        return json.dumps([plan_hash(self.plan), dict(self.answers)], sort_keys=True)

    @property
    def kernel(self) -> str | None:
        """The loops, the formats of all tensors and the answers: mutants with those of a solution are this solution."""
        result = compile_plan(self.plan)
        if result.structured is None or result.signature is None:
            return None
        formats = {name: str(tensor.format) for name, tensor in result.signature.tensors.items()}
        return json.dumps([result.structured.text, formats, dict(self.answers)], sort_keys=True)


def try_mutants(task: Task, seed: int = 0) -> Iterator[Trial]:
    """Each mutant of each solution once. What is not a plan at all cannot be handed in, and is left out."""
    listed = [_submission(task, attempt, seed) for attempt in (*task.solutions, *task.right)]
    seen = {submission.identity for submission in listed if submission is not None}
    kernels = {_kernel(task, solution, seed) for solution in task.solutions}
    for solution in task.solutions:
        for mutant in mutate(task, solution):
            submission = _submission(task, mutant.attempt, seed)
            if submission is None or submission.identity in seen:
                continue
            seen.add(submission.identity)
            verdict = judge(task, submission.plan, submission.answers, seed, explain=False)
            yield Trial(mutant, verdict.passed and submission.kernel not in kernels)


def _kernel(task: Task, attempt: Attempt, seed: int) -> str | None:
    submission = _submission(task, attempt, seed)
    return None if submission is None else submission.kernel


def _submission(task: Task, attempt: Attempt, seed: int) -> _Submission | None:
    """None for an attempt that is not a plan."""
    try:
        plan = plan_of_attempt(task, attempt, seed)
    except CompileError:
        return None
    return _Submission(plan, answers_of(attempt, task, plan, seed))
