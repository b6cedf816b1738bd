"""Mutants of solutions: what is mutated, and that a lesson which takes a mutant for a solution is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from heddle_server.lessons.commands import check
from heddle_server.lessons.course import course
from heddle_server.lessons.lesson import Lesson
from heddle_server.lessons.mutation.mutants import change_schedule, mutate
from heddle_server.lessons.mutation.texts import change_numbers, change_operators, drop_calls
from tests.backend.lessons.test_reader import LESSON

COURSE = 300
"""Mutants of the whole course at least."""


def test_numbers_are_changed_by_one_and_names_are_left() -> None:
    assert [text for _, text in change_numbers("split(i, i0, i1, 8)")] == ["split(i, i0, i1, 9)", "split(i, i0, i1, 7)"]
    assert [text for _, text in change_numbers("x.2 * 0")] == ["x.3 * 0", "x.1 * 0", "x.2 * 1"]


def test_operators_and_reductions_are_others() -> None:
    assert [text for _, text in change_operators("O(i) max=! X(3*i + k)")] == [
        "O(i) +=! X(3*i + k)",
        "O(i) min=! X(3*i + k)",
        "O(i) max=! X(3+i + k)",
        "O(i) max=! X(3*i * k)",
        "O(i) max=! X(3*i - k)",
    ]
    assert [text for _, text in change_operators("ell(4) where slot < 4 + csr")][:2] == [
        "ell(4) where slot <= 4 + csr",
        "ell(4) where slot >= 4 + csr",
    ]
    assert list(change_operators("def f(float(N) X) -> (O) { O(i) = X(i) }")) == [], "an arrow is no operator"


def test_a_call_is_one_of_its_arguments() -> None:
    assert [text for _, text in drop_calls("O(i) = fmax(A(i,j) + c(j), 0) + 1", ["fmax"])] == [
        "O(i) = A(i,j) + c(j) + 1",
        "O(i) = 0 + 1",
    ]


def test_commands_are_dropped_and_their_words_are_others() -> None:
    commands = ["divide(i, i0, i1, 8)", "parallelize(i0, CPUThread, NoRaces)"]
    schedules = [schedule for _, schedule in change_schedule(commands, "y(i) = A(i,j) * x(j)")]
    assert schedules[:3] == [[], commands[1:], ["divide(i, i0, i1, 9)", commands[1]]]
    for changed in ("divide(j, i0, i1, 8)", "divide(i, i0, i1, 7)"):
        assert [changed, commands[1]] in schedules
    for changed in ("i1, CPUThread, NoRaces", "i0, CPUVector, NoRaces", "i0, CPUThread, Atomics"):
        assert [commands[0], f"parallelize({changed})"] in schedules


def test_the_course_has_mutants_of_every_lesson() -> None:
    def mutants(lesson: Lesson) -> int:
        return sum(len(list(mutate(task, each))) for task in lesson.tasks for each in task.solutions)

    counts = {lesson.id: mutants(lesson) for lesson in course()}
    assert min(counts.values()) >= 5, counts
    assert sum(counts.values()) >= COURSE


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "right:\n  - {formats: {A: coo}}\n",
            "",
            ":21: a mutant of this solution of one passes: A is stored as coo. Add a check that it fails, or list it "
            "under right if it does what the task asks for",
        ),
        (
            "right:\n  - {formats: {A: coo}}",
            "right:\n  - {formats: {A: coo}}\n  - {formats: {A: ell}}",
            ":26: this right plan of one fails with seed 0: storage.positions(A, 1) < 16",
        ),
    ],
)
def test_a_lesson_that_takes_a_mutant_for_a_solution(
    old: str, new: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.md"
    assert old in LESSON
    file.write_text(LESSON.replace(old, new, 1))
    assert check([file], seeds=1) == 1
    assert f"{file}{message}" in capsys.readouterr().err
