"""POST /trace: what a kernel does on small operands, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from heddle.plan import parse_plan
from heddle_server.engine.process_lanes import Starved, TookTooLong
from heddle_server.http.packed_answers import Answer
from heddle_server.problem import ProblemError
from heddle_server.services.compiling.compile import CompileService
from heddle_server.settings import Settings
from tests.backend.http.test_problems import problem
from tests.backend.serving import SPMV, Server

POSITIONS = ["fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 3)"]
VISITED = [[0, 0], [0, 2], [2, 0], [2, 3], [2, 5], [3, 1], [3, 4]]


def trace(server: Server, plan: dict[str, Any], **operands: object) -> dict[str, Any]:
    answer = server.client.post("/api/v1/trace", json={"plan": plan, "operands": operands})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return dict(answer.json())


@pytest.mark.parametrize("schedule", [[], POSITIONS], ids=["rows", "positions"])
def test_the_running_example_is_visited_in_order(server: Server, schedule: list[str]) -> None:
    view = trace(server, {**SPMV, "schedule": schedule})
    assert view["ok"] is True
    assert [[s["visit"]["i"], s["visit"]["j"]] for s in view["steps"] if s["visit"] is not None] == VISITED
    assert view["visits"] == view["tensors"][0]["nonzeros"] == 7


def test_operands_may_be_left_out(server: Server) -> None:
    answer = server.client.post("/api/v1/trace", json={"plan": SPMV})
    assert answer.json() == trace(server, SPMV)


def test_given_operands_are_used_and_not_mixed_up(server: Server) -> None:
    for factor in (1, 2):
        view = trace(server, SPMV, A=[[1, 0], [0, 2]], x=[factor, 0.5])
        assert view["tensors"][2]["arrays"]["y_vals"] == [factor, 1.0]


def test_mistakes_are_answered_with_diagnostics(server: Server) -> None:
    view = trace(server, {**SPMV, "schedule": ["split(q, q0, q1, 8)"]})
    assert view["ok"] is False
    assert view["diagnostics"][0]["location"]["command"] == 0
    assert view["steps"] == []
    view = trace(server, SPMV, A=[[1, 2]], x=[1])
    assert view["diagnostics"][0]["code"] == "runtime/shape-mismatch"


def test_large_operands_are_refused(server: Server) -> None:
    view = trace(server, SPMV, x=[1] * 5000)
    assert view["diagnostics"][0]["code"] == "trace/too-large"
    assert "x has 5000 elements, too many to follow step by step." in view["diagnostics"][0]["message"]


@pytest.mark.parametrize("wrong", ["1", True, None, [1, None], [[1], ["2"]], {"a": 1}], ids=str)
def test_operands_are_numbers(server: Server, wrong: object) -> None:
    answer = server.client.post("/api/v1/trace", json={"plan": SPMV, "operands": {"x": wrong}})
    detail = problem(answer, 422, "The request is not valid")
    assert "expected a number or nested lists of numbers" in detail


def test_operands_are_no_deeper_than_tensors(server: Server) -> None:
    deep: list[Any] = [1]
    for _ in range(50):
        deep = [deep]
    answer = server.client.post("/api/v1/trace", json={"plan": SPMV, "operands": {"x": deep}})
    assert "expected at most 9 levels of lists" in problem(answer, 422, "The request is not valid")


def test_a_document_that_is_no_plan(server: Server) -> None:
    answer = server.client.post("/api/v1/trace", json={"plan": {"schedule": []}})
    assert "the plan has no expression" in problem(answer, 400, "This is not a valid plan")


class Lanes:
    """Stands in for the processes: counts the calls, is late for the operand 0, and without a processor for -1."""

    def __init__(self) -> None:
        self.calls = 0

    async def call(
        self, seconds: float, answering: Any, function: Any, document: Any, operands: Any
    ) -> tuple[Answer, float]:
        self.calls += 1
        if operands["x"] == 0:
            raise TookTooLong
        if operands["x"] == -1:
            raise Starved
        return Answer(str(operands["x"]).encode()), 0.01


async def test_traces_are_remembered_by_their_operands_and_end_in_time() -> None:
    made, lanes = CompileService(Settings(compile_seconds=3)), Lanes()
    made._lanes = lanes  # type: ignore[assignment]
    plan = parse_plan(SPMV)
    assert [(await made.trace(plan, {"x": x})).content for x in (1, 2, 1)] == [b"1", b"2", b"1"]
    assert lanes.calls == 2
    with pytest.raises(ProblemError, match=r"Tracing this plan did not end within 3 s and was stopped") as late:
        await made.trace(plan, {"x": 0})
    assert (late.value.status, late.value.slug) == (422, "trace-timeout")
    with pytest.raises(ProblemError, match=r"other programs of this server keep busy. Try again in a moment") as busy:
        await made.trace(plan, {"x": -1})
    # The page asks again.
    assert (busy.value.status, busy.value.slug, busy.value.headers) == (429, "server-busy", {"Retry-After": "2"})


def test_a_run_without_a_guard_names_the_fault_it_prevents(server: Server) -> None:
    plan = {**SPMV, "schedule": ["split(i, i0, i1, 3)"]}
    code = server.client.post("/api/v1/compile", json=plan).json()["code"]["text"].split("\n")
    line = next(number for number, text in enumerate(code, start=1) if "break" in text or "if (" in text)
    view = server.client.post("/api/v1/what-if", json={"plan": plan, "line": line}).json()
    assert view["outcome"] == "fault"
    assert view["diagnostics"][0]["found"] == "OutOfBounds"
    refused = server.client.post("/api/v1/what-if", json={"plan": plan, "line": 1}).json()
    assert refused["outcome"] is None
    assert refused["diagnostics"][0]["code"] == "what-if/no-guard"
