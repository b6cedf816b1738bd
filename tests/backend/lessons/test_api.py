"""The course over HTTP: lessons, and submissions that are checked on the server whatever the page says."""

from __future__ import annotations

from typing import Any

from tests.backend.serving import Server

CHECK = "/api/v1/lessons/what-a-format-stores/tasks/no-empty-rows/check"
PLAN = {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "dcsr"}}}


def submitted(server: Server, body: dict[str, Any], path: str = CHECK) -> Any:
    return server.client.post(path, json=body)


def test_the_course_and_one_lesson(server: Server) -> None:
    lessons = server.client.get("/api/v1/lessons").json()
    first = next(lesson for lesson in lessons if lesson["id"] == "what-a-format-stores")
    assert first["tasks"] == ["which-row", "no-empty-rows"]
    lesson = server.client.get("/api/v1/lessons/what-a-format-stores?seed=7").json()
    tasks = [block["task"] for block in lesson["blocks"] if block["task"] is not None]
    assert [task["id"] for task in tasks] == first["tasks"]
    other = server.client.get("/api/v1/lessons/what-a-format-stores?seed=8").json()
    assert lesson != other, "each student has data of their own"
    assert "solutions" not in str(lesson)
    assert server.client.get("/api/v1/lessons/none").json()["detail"] == "There is no lesson 'none'."


def test_a_solution_passes_and_a_wrong_plan_gets_its_hint(server: Server) -> None:
    done = submitted(server, {"plan": PLAN, "seed": 3}).json()
    assert (done["passed"], done["hints"], done["medals"]) == (True, [], ["gold"])
    assert done["after"].startswith("`dcsr` compresses both levels.")
    wrong = submitted(server, {"plan": {**PLAN, "tensors": {"A": {"format": "csr"}}}, "seed": 3}).json()
    assert (wrong["passed"], wrong["after"]) == (False, None)
    assert wrong["hints"][0] == "Which level stores rows that hold nothing? Choose another kind for it."
    failed = [check for check in wrong["checks"] if not check["passed"]]
    assert failed[0]["facts"][0]["fact"] == "storage.positions(A, 1)"
    assert failed[0]["facts"][0]["value"] == 64


def test_a_plan_that_is_refused_is_an_answer(server: Server) -> None:
    answer = submitted(server, {"plan": {**PLAN, "schedule": ["split(q, q0, q1, 4)"]}})
    assert answer.status_code == 200
    view = answer.json()
    assert (view["passed"], view["diagnostics"][0]["code"]) == (False, "schedule/unknown-variable")


def test_what_is_not_free_stays(server: Server) -> None:
    view = submitted(server, {"plan": {**PLAN, "expression": "y(i) = A(i,j)"}}).json()
    assert not view["passed"]
    assert view["checks"][0]["why"] == "this task is about y(i) = A(i,j) * x(j): the expression stays as it is"


def test_submissions_that_are_none(server: Server) -> None:
    assert submitted(server, {"plan": {"expresion": "y"}}).status_code == 400
    assert submitted(server, {"plan": PLAN, "passed": True}).status_code == 422
    assert submitted(server, {"plan": PLAN, "seed": -1}).status_code == 422
    assert submitted(server, {"plan": PLAN, "answers": {"row": "x" * 201}}).status_code == 422
    assert submitted(server, {"plan": PLAN, "answers": {f"q{n}": 1 for n in range(17)}}).status_code == 422
    other = submitted(server, {"plan": PLAN}, CHECK.replace("no-empty-rows", "zero"))
    assert other.json()["detail"].startswith("The lesson what-a-format-stores has no task 'zero'; it has which-row")
    assert submitted(server, {"plan": PLAN, "run": "nothing"}).status_code == 404
