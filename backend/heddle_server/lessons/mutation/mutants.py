"""A solution -> its mutants: another operator, constant, loop, strategy or format, a dropped call or command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from heddle_server.lessons.lesson import Attempt, Task
from heddle_server.lessons.mutation.texts import Change, change_numbers, change_operators, change_words, drop_calls

FORMATS: Mapping[int, tuple[str, ...]] = {
    1: ("dense", "sparse"),
    2: ("dense", "csr", "csc", "dcsr", "coo", "ell"),
    3: ("dense", "csf", "coo", "csf : 1,0,2"),
}
"""By the order of a tensor."""
RACES = ("NoRaces", "Atomics", "ParallelReduction")
UNITS = ("CPUThread", "CPUVector")
STRATEGIES = ("closed", "memo", "loop")
FUNCTIONS = ("fmax", "fmin", "max", "min", "exp", "sqrt", "fabs", "abs", "tanh", "select")
_NAMED = re.compile(r"[A-Za-z_]\w*")
_LOOP = re.compile(r"[a-z]+\d*(?:_\w+)?")


@dataclass(frozen=True, slots=True)
class Mutant:
    """``change`` says how the attempt differs from the solution."""

    change: str
    attempt: Attempt


def mutate(task: Task, solution: Attempt) -> Iterator[Mutant]:
    """All of them, in the order of the parts of a plan. Some are refused by the compiler, and some may be right."""
    written = {**task.start, **solution.plan}
    if "expression" in task.free:
        for change, text in change_expression(str(written["expression"])):
            yield _mutant(solution, change, expression=text)
    if "formats" in task.free:
        yield from _of_formats(task, solution)
    if "schedule" in task.free:
        commands = [str(command) for command in written.get("schedule", [])]
        for change, schedule in change_schedule(commands, str(written["expression"])):
            yield _mutant(solution, change, schedule=schedule)
    yield from _of_answers(task, solution)


def change_expression(text: str) -> Iterator[Change]:
    for change, changed in (*change_operators(text), *change_numbers(text), *drop_calls(text, FUNCTIONS)):
        yield f"in the expression {change}", changed


def change_schedule(commands: Sequence[str], expression: str) -> Iterator[tuple[str, list[str]]]:
    """No command at all, each command dropped, and each number, loop, strategy and unit of each another one."""
    if commands:
        yield "the schedule is empty", []
    for place, command in enumerate(commands):
        if len(commands) > 1:
            yield f"{command} is dropped", [*commands[:place], *commands[place + 1 :]]
        families = (loops_of(commands, expression), RACES, UNITS, STRATEGIES)
        for change, changed in (*change_numbers(command), *change_words(command, families)):
            yield f"in {command} {change}", [*commands[:place], changed, *commands[place + 1 :]]


def loops_of(commands: Sequence[str], expression: str) -> tuple[str, ...]:
    """The index variables of an expression, and what its schedule makes of them."""
    indices = {name.strip() for listed in re.findall(r"\(([^()]*)\)", expression) for name in listed.split(",")}
    variables = [name for name in _NAMED.findall(expression) if name in indices and name.islower()]
    words = [name for command in commands for name in _NAMED.findall(command.partition("(")[2])]
    derived = [name for name in words if _LOOP.fullmatch(name) and name not in STRATEGIES]
    return tuple(dict.fromkeys([*variables, *derived]))


def _of_formats(task: Task, solution: Attempt) -> Iterator[Mutant]:
    written: dict[str, Any] = dict(solution.plan.get("formats", {}))
    start = {name: spec.get("format", "dense") for name, spec in task.start.get("tensors", {}).items()}
    orders = orders_of(str(task.start["expression"]))
    for tensor, format in {**start, **written}.items():
        for other in dict.fromkeys([start.get(tensor, "dense"), *FORMATS.get(orders.get(tensor, 2), ())]):
            if other != format:
                yield _mutant(solution, f"{tensor} is stored as {other}", formats={**written, tensor: other})
        for change, changed in (*change_numbers(str(format)), *change_operators(str(format))):
            yield _mutant(solution, f"in the format of {tensor} {change}", formats={**written, tensor: changed})


def orders_of(expression: str) -> dict[str, int]:
    """How many indices each tensor of an expression has."""
    return {name: indices.count(",") + 1 for name, indices in re.findall(r"(\w+)\(([^()]*)\)", expression)}


def _of_answers(task: Task, solution: Attempt) -> Iterator[Mutant]:
    choices = {question.name: question.choices for question in task.questions}
    for name, answer in solution.answers.items():
        others: Sequence[str | float]
        if choices.get(name):
            others = choices[name]
        elif isinstance(answer, str) and answer.startswith("="):
            others = (f"{answer} + 1", f"{answer} - 1", f"= 2 * ({answer[1:].strip()})")
        else:
            others = tuple(float(answer) + step for step in (1, -1)) if isinstance(answer, int | float) else ()
        for other in others:
            answers = {**solution.answers, name: other}
            yield Mutant(f"the answer to {name} is {other}", replace(solution, answers=answers))


def _mutant(solution: Attempt, change: str, **parts: Any) -> Mutant:
    return Mutant(change, replace(solution, plan={**solution.plan, **parts}))
