"""A class over HTTP: made, joined, worked in, looked at and deleted; and everything that somebody else might try."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from heddle_server.cli import main
from tests.backend.http.test_problems import problem
from tests.backend.serving import Server

pytestmark = pytest.mark.takes_turns(4)

LESSON, TASK = "what-a-format-stores", "no-empty-rows"
PLAN = {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "dcsr"}}}
WRONG = {**PLAN, "tensors": {"A": {"format": "csr"}}}
REFUSED = {**PLAN, "tensors": {"A": {"format": "csr9"}}}
CLASSES = "/api/v1/classrooms"


def headers(key: str) -> dict[str, str]:
    return {"Heddle-Key": key}


def made(server: Server, title: str = "Sparse, spring") -> Any:
    answer = server.client.post(CLASSES, json={"title": title})
    assert answer.status_code == 201, answer.text
    return answer.json()


def joined(server: Server, code: str, nickname: str) -> Any:
    answer = server.client.post(f"{CLASSES}/{code}/students", json={"nickname": nickname})
    assert answer.status_code == 201, answer.text
    return answer.json()


def submit(server: Server, student: Any, plan: Any = PLAN, **changed: Any) -> httpx.Response:
    body = {"lesson": LESSON, "task": TASK, "plan": plan, **changed}
    return server.client.post(f"{CLASSES}/{student['code']}/submissions", json=body, headers=headers(student["key"]))


def seen(server: Server, room: Any, path: str = "", **asked: Any) -> httpx.Response:
    return server.client.get(f"{CLASSES}/{room['code']}{path}", headers=headers(room["key"]), params=asked)


@pytest.fixture
def room(server: Server) -> Iterator[Any]:
    found = made(server)
    yield found
    server.client.delete(f"{CLASSES}/{found['code']}", headers=headers(found["key"]))


def test_what_students_do_is_in_the_table_of_their_teacher(server: Server, room: Any) -> None:
    ann, ben = joined(server, room["code"], "Ann"), joined(server, room["code"].lower().replace("-", ""), "ben")
    assert ann["seed"] != ben["seed"]
    assert submit(server, ann, REFUSED).json()["passed"] is False
    assert submit(server, ann, WRONG).json()["hints"][0].startswith("Which level stores rows that hold nothing?")
    assert submit(server, ann).json()["medals"] == ["gold"]
    assert submit(server, ben, WRONG).json()["passed"] is False
    view = seen(server, room).json()
    assert [student["nickname"] for student in view["students"]] == ["Ann", "ben"]
    assert {(task["lesson"], task["task"]) for task in view["tasks"]} >= {(LESSON, TASK)}
    work = {one["student"]: one for one in view["work"]}
    assert (work[ann["number"]]["tries"], work[ann["number"]]["solved"]) == (3, True)
    assert work[ann["number"]]["medals"] == ["gold"]
    assert work[ann["number"]]["minutes"] >= 0
    assert (work[ben["number"]]["tries"], work[ben["number"]]["minutes"]) == (1, None)
    check, refusal = view["obstacles"]
    assert (check["kind"], check["lesson"], check["task"], check["students"]) == ("check", LESSON, TASK, 2)
    assert check["code"].startswith("storage.positions(A, 1)")
    assert (refusal["kind"], refusal["code"], refusal["students"]) == ("refusal", "format/unknown", 1)
    assert "csr9" in refusal["says"]
    assert seen(server, room, known=view["revision"]).json() is None
    assert seen(server, room, known=view["revision"] - 1).json() == view


def test_equal_solutions_are_one_group_whatever_their_data(server: Server, room: Any) -> None:
    students = [joined(server, room["code"], name) for name in ("Ann", "Ben", "Cleo")]
    for student, plan in zip(students, (PLAN, {**PLAN, "run": {"threads": 1}}, WRONG), strict=True):
        submit(server, student, plan)
    groups = seen(server, room, "/solutions", lesson=LESSON, task=TASK).json()
    assert [group["students"] for group in groups] == [["Ann", "Ben"]]
    first = groups[0]["plan"]
    assert first["tensors"] == {"A": {"format": "dcsr"}}
    assert server.client.post("/api/v1/compile", json=first).json()["ok"]
    assert set(first["inputs"]) == {"A"}
    problem(seen(server, room, "/solutions", lesson=LESSON, task="zero"), 404, "Unknown task")


def test_the_table_as_csv_holds_no_formula(server: Server, room: Any) -> None:
    student = joined(server, room["code"], '=HYPERLINK("http://evil","x")')
    joined(server, room["code"], 'Quiet, "one"')
    submit(server, student)
    answer = seen(server, room, "/table.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["student"] for row in rows] == ['\'=HYPERLINK("http://evil","x")', 'Quiet, "one"']
    assert (rows[0]["result"], rows[0]["medals"], rows[0]["tries"]) == ("passed", "gold", "1")
    assert rows[1]["task"] == ""


def test_the_table_as_csv_is_graded_as_it_is(
    server: Server, room: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, ben = joined(server, room["code"], "Ann"), joined(server, room["code"], "Ben")
    joined(server, room["code"], "Cy")
    assert submit(server, ann).json()["passed"]
    submit(server, ben, WRONG)
    answer = seen(server, room, "/table.csv")
    file = tmp_path / "class.csv"
    file.write_bytes(answer.content)
    assert main(["grade", str(file)]) == 0, "nothing is wrong with the table"
    said = capsys.readouterr()
    kept, graded = (list(csv.DictReader(io.StringIO(text))) for text in (answer.text, said.out))
    assert [(row["student"], row["result"], row["medals"]) for row in graded] == [
        ("Ann", "passed", "gold"),
        ("Ben", "no receipt", ""),
        ("Cy", "no receipt", ""),
    ]
    assert graded[0]["plan"] == kept[0]["plan"] != "", "a plan has one id everywhere"
    assert (kept[0]["receipt"].startswith(str(server.client.base_url)), kept[1]["receipt"]) == (True, "")
    assert said.err == "1 receipt of 3 students: 1 passed, 2 rows without one\n"


def test_the_plan_is_checked_on_the_students_own_data_whatever_is_sent(server: Server, room: Any) -> None:
    ann, ben = joined(server, room["code"], "Ann"), joined(server, room["code"], "Ben")
    assert submit(server, ann, passed=True).status_code == 422
    assert submit(server, ann, seed=ben["seed"]).status_code == 422
    other = submit(server, ann, {**PLAN, "expression": "y(i) = A(i,j)"})
    assert other.json()["checks"][0]["why"].startswith("this task is about y(i) = A(i,j) * x(j)")
    problem(submit(server, ann, task="zero"), 404, "Unknown task")
    problem(submit(server, ann, lesson="none"), 404, "Unknown lesson")
    assert submit(server, ann, {"expresion": "y"}).status_code == 400
    long = {**PLAN, "schedule": [f"split({'i' * 400}, i0, i1, {number})" for number in range(90)]}
    assert "a submission at most 32,768" in problem(submit(server, ann, long), 413, "The plan is too large")
    assert seen(server, room).json()["work"][0]["tries"] == 1


def test_a_submission_that_is_replayed_counts_once(server: Server, room: Any) -> None:
    ann = joined(server, room["code"], "Ann")
    with ThreadPoolExecutor(4) as hands:
        answers = list(hands.map(lambda _: submit(server, ann), range(4)))
    assert {answer.status_code for answer in answers} == {200}
    assert [one["tries"] for one in seen(server, room).json()["work"]] == [1]


def test_names_that_are_none_and_that_are_taken(server: Server, room: Any) -> None:
    where = f"{CLASSES}/{room['code']}/students"
    joined(server, room["code"], "\u202eMina\u202c")
    taken = server.client.post(where, json={"nickname": "MINA"})
    assert problem(taken, 409, "The nickname is taken") == (
        "Somebody in this class is called 'MINA' already. Choose another nickname."
    )
    problem(server.client.post(where, json={"nickname": "\u200b"}), 422, "This is not a nickname")
    problem(server.client.post(where, json={"nickname": "x" * 41}), 422, "This nickname is too long")
    half = server.client.post(where, content=b'{"nickname": "\\ud800"}', headers={"Content-Type": "application/json"})
    assert half.status_code in (400, 422)
    problem(server.client.post(CLASSES, json={"title": "\x00"}), 422, "This is not a title")
    with ThreadPoolExecutor(4) as hands:
        statuses = list(hands.map(lambda _: server.client.post(where, json={"nickname": "Ben"}).status_code, range(4)))
    assert sorted(statuses) == [201, 409, 409, 409]
    assert [one["nickname"] for one in seen(server, room).json()["students"]] == ["Ben", "Mina"]


def test_nobody_gets_in_without_the_key(server: Server, room: Any) -> None:
    other, ann = made(server, "Other"), joined(server, room["code"], "Ann")
    mine = f"{CLASSES}/{room['code']}"
    for key in (None, "", other["key"], ann["key"], "é" * 20, room["code"]):
        shown = {} if key is None else {"Heddle-Key": key.encode()}
        for method, path in (
            ("GET", ""), ("DELETE", ""), ("GET", "/table.csv"), ("GET", f"/solutions?lesson={LESSON}&task={TASK}"),
            *([] if key == ann["key"] else [("DELETE", f"/students/{ann['number']}")]),
        ):  # fmt: skip
            answer = server.client.request(method, mine + path, headers=shown)
            problem(answer, 401, "The key of this class is needed")
    problem(submit(server, {**ann, "key": room["key"]}), 401, "The key of this class is needed")
    problem(submit(server, {**ann, "code": other["code"]}), 401, "The key of this class is needed")
    problem(server.client.get(f"{CLASSES}/AAAA-2222", headers=headers(room["key"])), 404, "No such class")
    assert seen(server, room).status_code == 200


def test_a_student_who_leaves_takes_everything_along(server: Server, room: Any) -> None:
    ann, ben = joined(server, room["code"], "Ann"), joined(server, room["code"], "Ben")
    submit(server, ann)
    where = f"{CLASSES}/{room['code']}/students"
    assert server.client.delete(f"{where}/{ann['number']}", headers=headers(ann["key"])).json() == {"students": 1}
    view = seen(server, room).json()
    assert (len(view["students"]), view["work"], view["obstacles"]) == (1, [], [])
    problem(submit(server, ann), 401, "The key of this class is needed")
    problem(server.client.delete(f"{where}/{ann['number']}", headers=headers(room["key"])), 404, "No such student")
    assert server.client.delete(f"{where}/{ben['number']}", headers=headers(room["key"])).status_code == 200
    assert seen(server, room).json()["students"] == []


def test_a_class_is_deleted_with_all_that_is_in_it(server: Server) -> None:
    room = made(server)
    ann = joined(server, room["code"], "Ann")
    submit(server, ann)
    answer = server.client.delete(f"{CLASSES}/{room['code']}", headers=headers(room["key"]))
    assert answer.json() == {"students": 1}
    problem(seen(server, room), 404, "No such class")
    problem(submit(server, ann), 404, "No such class")
    problem(server.client.post(f"{CLASSES}/{room['code']}/students", json={"nickname": "x"}), 404, "No such class")


def test_nothing_of_a_person_is_kept_but_the_nickname(server: Server, room: Any) -> None:
    ann = joined(server, room["code"], "Ann the tester")
    submit(server, ann)
    kept = b"".join(path.read_bytes() for path in server.data.glob("heddle.sqlite3*"))
    assert b"Ann the tester" in kept
    for secret in (ann["key"], room["key"]):
        assert secret.encode() not in kept


def test_submissions_that_come_faster_than_hands_can_make_them(data: Path) -> None:
    server = Server(data, class_students=2, class_total=1, class_bytes=150).start()
    try:
        server.client.post("/api/v1/compile", json=PLAN)  # Gives the browser its id, as the page does.
        room = made(server)
        ann = joined(server, room["code"], "Ann")
        answers = [submit(server, ann, {**PLAN, "run": {"threads": n + 1}}) for n in range(20)]
        refused = next(answer for answer in answers if answer.status_code != 200)
        assert "A student may submit 30 plans a minute." in problem(refused, 429, "Too many submissions")
        assert int(refused.headers["retry-after"]) >= 1
        ben = joined(server, room["code"], "Ben")
        words = problem(submit(server, ben, REFUSED), 507, "No room for more submissions")
        assert "as much as a class may. Its teacher can remove students." in words
        full = server.client.post(f"{CLASSES}/{room['code']}/students", json={"nickname": "Cleo"})
        problem(full, 409, "The class is full")
        problem(server.client.post(CLASSES, json={}), 507, "No room for more classes")
        assert seen(server, room).json()["work"][0]["tries"] == sum(one.status_code == 200 for one in answers)
    finally:
        server.stop()
    assert "Traceback" not in server.log
