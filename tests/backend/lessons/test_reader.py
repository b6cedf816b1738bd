# ruff: noqa: E501 - a case for each line
"""Lessons that are wrong: each problem with the line at which it stands, and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from heddle_server.lessons.commands import check
from heddle_server.lessons.course import between
from heddle_server.lessons.lesson import Text
from heddle_server.lessons.places import LessonError
from heddle_server.lessons.reader import LARGEST, lesson_of, read_lesson

FRONT = "---\nid: own\nnumber: 1\ntitle: A lesson\ngoal: To see\nminutes: 5\nneeds: []\nversion: 1\n---\n"
TASK = """```task
id: one
say: Store A so that its empty rows are not visited.
start: {expression: "y(i) = A(i,j) * x(j)", formats: {A: csr}}
inputs: {A: {generator: hypersparse, shape: [16, 16], rows: 3, nnz: 9, seed: per-student}}
free: [formats]
checks: ["storage.positions(A, 1) < 16"]
hints: [Compress the level of the rows.]
solutions:
  - {formats: {A: dcsr}}
wrong:
  - {formats: {A: csc}, fails: "storage.positions(A, 1) < 16", shows: Compress}
right:
  - {formats: {A: coo}}
```
"""
LESSON = FRONT + "Some prose.\n\n" + TASK


def refused(text: str) -> str:
    with pytest.raises(LessonError) as found:
        lesson_of(text)
    return str(found.value)


def test_a_lesson_is_read_in_the_order_of_its_file() -> None:
    lesson = lesson_of(LESSON)
    prose, task = lesson.blocks
    assert isinstance(prose, Text)
    assert (prose.markdown, prose.line) == ("Some prose.", 10)
    assert lesson.tasks == (task,)
    assert task.line == 13


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("positions(A, 1) <", "postions(A, 1) <", "line 18: there is no fact storage.postions: did you mean storage.positions"),
        ("positions(A, 1) <", "positions(A) <", "line 18: expected storage.positions(tensor, level), found storage.positions(A)"),
        ("positions(A, 1) <", "positions(1, 1) <", "line 18: expected a word as the tensor of storage.positions(tensor, level), found 1"),
        ("< 16\"]", "<\"]", "line 18: at character 26 of 'storage.positions(A, 1) <': expected a fact or a number"),
        ("free: [formats]", "free: [shapes]", "line 17: free has expression, formats, schedule, target, found 'shapes'"),
        ("needs: []", "needs: [own]", "line 7: a lesson cannot need itself"),
        ("minutes: 5", "minutes: long", "line 6: minutes must be a whole number from 1 to 240, found 'long'"),
        ("solutions:\n  - {formats: {A: dcsr}}\n", "", "line 13: the task one has no solution"),
        ("id: one", "id: one\nid: two", "line 14: id stands here twice"),
        ("goal: To see\n", "", "line 2: goal is missing"),
        ("free: [formats]", "fre: [formats]", "line 17: unknown key fre: expected after, also, ask"),
        ("fails: \"storage.positions(A, 1) < 16\"", "fails: other", "line 23: fails names a check of this task or compiles, found 'other'"),
        ("Some prose.", "[this](javascript:alert)", "line 10: expected a link to https://… or lesson:<id>, found 'javascript:alert'"),
        ("Some prose.", "![](images/a.png)", "line 10: the picture images/a.png needs a text in its brackets"),
        ("Some prose.", "```panel\nunderstand/movie\n```", "line 11: expected a panel, one of understand/graphs, "),
        ("Some prose.", "```predict\nask: Why?\nchoices: [a, b]\nanswer: c\nbecause: So.\n```", "line 13: expected one of the choices as the answer, found 'c'"),
        ("say: Store", "say: &a Store", "line 14: anchors and aliases (& and *) are not read here"),
        ("say: Store", "say: [Store", "this is not YAML"),
        ("  - {formats: {A: csc}", "  - {formats: {A: csc}, answers: {x: 1}", "line 23: there is no question x in this task"),
        ("---\nid: own", "id: own", "line 1: a lesson begins with its front matter"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(old: str, new: str, message: str) -> None:
    assert old in LESSON
    assert message in refused(LESSON.replace(old, new, 1))


def test_all_problems_are_named_at_once() -> None:
    text = LESSON.replace("goal: To see\n", "").replace("free: [formats]", "free: [shapes]")
    assert refused(text).count("line ") == 2


def test_two_tasks_of_one_name() -> None:
    assert refused(LESSON + TASK) == "line 28: there is a task one in line 13 already: names differ"


def test_a_block_that_does_not_end() -> None:
    assert refused(LESSON.removesuffix("```\n")) == "line 12: this block of task does not end: expected a line of ```"


def test_measured_times_decide_no_task() -> None:
    text = LESSON.replace('checks: ["', 'checks: ["run.ratio(scipy) > 1", "')
    assert "line 18: what was timed may give a medal, and never decides a task" in refused(text)


def test_a_lesson_of_a_megabyte_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "long.md"
    file.write_text(LESSON + "word " * (LARGEST // 5))
    with pytest.raises(LessonError, match="a lesson has at most 1,000,000 bytes, this file has 1,00"):
        read_lesson(file)
    file.write_bytes(b"---\n\xff")
    with pytest.raises(LessonError, match="expected text in UTF-8, found the byte 0xff"):
        read_lesson(file)


def test_needs_that_lead_back_to_themselves() -> None:
    named = {
        Path(f"{name}.md"): lesson_of(LESSON.replace("id: own", f"id: {name}").replace("needs: []", f"needs: [{need}]"))
        for name, need in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "zero"))
    }
    found = {file.name: str(error) for file, error in between(named)}
    assert found == {
        "a.md": "line 1: needs lead in a circle: a → b → c → a",
        "b.md": "line 1: needs lead in a circle: b → c → a → b",
        "c.md": "line 1: needs lead in a circle: c → a → b → c",
        "d.md": "line 1: needs zero: there is no such lesson",
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  - {formats: {A: dcsr}}", "  - {formats: {A: csc}}", ":21: this solution of one fails with seed 0: storage.positions(A, 1) < 16"),
        ("{A: csc}, fails", "{A: dcsr}, fails", ":23: this wrong plan of one passes: it should fail at storage.positions(A, 1) < 16"),
        ("shows: Compress", "shows: Expand", ":23: this wrong plan should show 'Expand'; it shows Compress the level of the rows."),
        ("checks: [", "checks: [\"storage.bytes(A) > 0\", ", ":18: no wrong plan of one and not its start fails at 'storage.bytes(A) > 0'"),
        ("formats: {A: csr}", "formats: {A: dcsr}", ":13: the task one is done before anybody does anything"),
        ("{A: csc}, fails: \"storage.positions(A, 1) < 16\"", "{A: nothing}, fails: \"storage.positions(A, 1) < 16\"", ":23: this wrong plan should fail at storage.positions(A, 1) < 16; it fails at compiles"),
        ("rows: 3", "rows: many", ":13: the data of the task one cannot be made"),
        ("Some prose.", "[There](lesson:nowhere)", ":10: there is no lesson nowhere for this link"),
    ],
)  # fmt: skip
def test_a_lesson_that_does_not_do_what_it_says(
    old: str, new: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.md"
    file.write_text(LESSON.replace(old, new, 1))
    assert check([file], seeds=1) == 1
    assert f"{file}{message}" in capsys.readouterr().err


def test_a_lesson_outside_the_repository_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.md"
    file.write_text(LESSON)
    assert check([file], seeds=2) == 0
    assert capsys.readouterr().out.startswith("own.md: 1 task holds")
    assert check([tmp_path / "none.md"]) == 1
    assert "none.md does not exist" in capsys.readouterr().err
