"""Lessons that a teacher wrote for one class, over HTTP: posted, done by students, seen, graded, replaced, deleted."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heddle_server.cli import main
from tests.backend.classrooms.test_api import CLASSES, WRONG, headers, joined, made, seen, submit
from tests.backend.serving import Server

pytestmark = pytest.mark.takes_turns(2)

NAME, TASK = "empty-rows", "no-empty-rows"
TEXT = """---
id: empty-rows
number: 17
title: Empty rows
goal: Store no row that is empty.
minutes: 5
needs: [what-a-format-stores]
version: 1
---
Most rows of this matrix are empty. `csr` has an offset for each of them.

```task
id: no-empty-rows
say: Store A so that no empty row is visited.
start: {expression: "y(i) = A(i,j) * x(j)", formats: {A: csr}}
inputs: {A: {generator: hypersparse, shape: [64, 64], rows: 5, nnz: 12, seed: per-student}}
free: [formats]
checks:
  - result.right
  - {check: "storage.positions(A, 1) == storage.filled(A, 1)", say: A position for each row that holds something.}
hints:
  - {when: "storage.positions(A, 1) == 64", say: "Which level stores rows that hold nothing?"}
solutions:
  - {formats: {A: dcsr}}
wrong:
  - {formats: {A: csc}, fails: "storage.positions(A, 1) == storage.filled(A, 1)", shows: rows that hold nothing}
```
"""


@pytest.fixture
def room(server: Server) -> Iterator[Any]:
    room = made(server)
    yield room
    server.client.delete(f"{CLASSES}/{room['code']}", headers=headers(room["key"]))


def post(server: Server, room: Any, text: str = TEXT, key: str | None = None) -> Any:
    return server.client.post(
        f"{CLASSES}/{room['code']}/lessons", json={"text": text}, headers=headers(key or room["key"])
    )


def refused(answer: Any, status: int) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_class_does_the_lesson_of_its_teacher(
    server: Server, room: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    posted = post(server, room)
    assert posted.status_code == 201, posted.text
    lesson = f"{room['code']}.{NAME}"
    assert posted.json() == {
        "name": NAME, "lesson": lesson, "title": "Empty rows", "tasks": [TASK],
        "link": f"/?class={room['code']}&lesson={lesson}", "replaced": False,
    }  # fmt: skip
    (listed,) = server.client.get(f"{CLASSES}/{room['code']}/lessons").json()
    assert (listed["id"], listed["tasks"]) == (lesson, [TASK])
    view = server.client.get(f"/api/v1/lessons/{lesson}", params={"seed": 7}).json()
    assert (view["id"], view["title"]) == (lesson, "Empty rows")
    assert "solutions" not in str(view)
    check = server.client.post(f"/api/v1/lessons/{lesson}/tasks/{TASK}/check", json={"plan": WRONG}).json()
    assert (check["passed"], check["hints"]) == (False, ["Which level stores rows that hold nothing?"])

    ann = joined(server, room["code"], "Ann")
    assert submit(server, ann, WRONG, lesson=lesson).json()["passed"] is False
    assert submit(server, ann, lesson=lesson).json()["passed"] is True
    table = seen(server, room).json()
    assert next((task["lesson"], task["task"]) for task in table["tasks"]) == (lesson, TASK)
    assert [(work["lesson"], work["tries"], work["solved"]) for work in table["work"]] == [(lesson, 2, True)]
    (solution,) = seen(server, room, "/solutions", lesson=lesson, task=TASK).json()
    assert solution["students"] == ["Ann"]

    text = seen(server, room, "/table.csv").text
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["lesson"], row["result"]) == (lesson, "passed")
    receipts, file = tmp_path / "class.csv", tmp_path / "homework.md"
    receipts.write_text(text)
    file.write_text(seen(server, room, f"/lessons/{NAME}").text)
    assert main(["grade", str(receipts), "--lesson", str(file)]) == 0
    assert f'"{lesson}","{TASK}","passed"' in capsys.readouterr().out
    assert main(["grade", str(receipts)]) == 1
    assert f"{lesson} is a lesson of the class {room['code']}: give its file with --lesson" in capsys.readouterr().out

    again = post(server, room, TEXT.replace("Empty rows", "Rows that are empty"))
    assert (again.status_code, again.json()["replaced"]) == (201, True)
    assert seen(server, room).json()["work"]
    gone = server.client.delete(f"{CLASSES}/{room['code']}/lessons/{NAME}", headers=headers(room["key"]))
    assert gone.json() == {"lessons": 1}
    assert seen(server, room).json()["work"] == []
    assert refused(server.client.get(f"/api/v1/lessons/{lesson}"), 404)["type"].endswith("unknown-lesson")


def test_only_the_teacher_posts_reads_and_deletes_the_file(server: Server, room: Any) -> None:
    ann, other = joined(server, room["code"], "Ann"), made(server, "Another")
    for key in (ann["key"], other["key"], "guessed"):
        assert refused(post(server, room, key=key), 401)["type"].endswith("no-class-key")
    assert post(server, room).status_code == 201
    address = f"{CLASSES}/{room['code']}/lessons/{NAME}"
    for key in (ann["key"], other["key"], "guessed"):
        assert server.client.get(address, headers=headers(key)).status_code == 401
        assert server.client.delete(address, headers=headers(key)).status_code == 401
    assert server.client.get(f"{CLASSES}/{other['code']}/lessons").json() == []
    assert server.client.get(f"/api/v1/lessons/{other['code']}.{NAME}").status_code == 404
    server.client.delete(f"{CLASSES}/{other['code']}", headers=headers(other["key"]))


BROKEN = [
    ("no lesson", "line 1: a lesson begins with its front matter"),
    (TEXT.replace("A: dcsr", "A: csc"), "line 24: this solution of no-empty-rows fails"),
    (TEXT.replace("A: dcsr", "A: csr9"), "line 24: this solution of no-empty-rows fails"),
    (TEXT.replace("needs: [what-a-format-stores]", "needs: [nothing]"), "needs nothing: there is no such lesson"),
    (TEXT.replace("id: empty-rows", "id: equal-work", 1), "the course has a lesson"),
    (TEXT.replace("id: empty-rows", f"id: {'a' * 39}", 1), "at most 38 letters, found 39"),
    (TEXT.replace("Most rows", "[" * 4001), "a line has at most 4,000 characters"),
    (TEXT.replace("shape: [64, 64]", "shape: [640, 6400]"), "more than the data of a task may have"),
    (TEXT.replace("Most rows", "[this](javascript:alert(1))"), "expected a link to https://"),
]


def test_a_lesson_that_does_not_hold_is_not_kept(server: Server, room: Any) -> None:
    for text, said in BROKEN:
        answer = refused(post(server, room, text), 422)
        assert answer["type"].endswith("broken-lesson")
        assert said in answer["detail"]
    assert server.client.get(f"{CLASSES}/{room['code']}/lessons").json() == []


def test_what_is_too_long_is_refused_before_it_is_read(server: Server, room: Any) -> None:
    assert post(server, room, "x" * 64_001).status_code == 422
