"""POST /compile: cached, single-flight, bounded in time."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from heddle.plan import Plan, parse_plan
from heddle_server.engine.process_lanes import ProcessDied, ProcessKilled
from heddle_server.http.packed_answers import Answer
from heddle_server.problem import ProblemError
from heddle_server.services.compiling import compile_worker
from heddle_server.services.compiling.compile import CompileService
from heddle_server.settings import Settings
from tests.backend.serving import PATIENCE_SECONDS, SPMV, Server

pytestmark = pytest.mark.takes_turns(4)


def test_a_plan_is_compiled(server: Server) -> None:
    answer = server.client.post("/api/v1/compile", json=SPMV)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    view = answer.json()
    assert view["ok"] is True
    assert view["plan"] == {"version": 1, **SPMV}
    assert "A2_crd" in view["code"]["text"]


def test_a_mistake_is_answered_with_diagnostics(server: Server) -> None:
    answer = server.client.post("/api/v1/compile", json={**SPMV, "schedule": ["split(q, q0, q1, 8)"]})
    assert answer.status_code == 200
    view = answer.json()
    assert view["ok"] is False
    assert view["diagnostics"][0]["location"]["part"] == "schedule"
    assert view["diagnostics"][0]["location"]["command"] == 0


def test_a_large_answer_is_packed_for_those_who_take_it(server: Server) -> None:
    plain = server.client.post("/api/v1/compile", json=SPMV, headers={"Accept-Encoding": "identity"})
    packed = server.client.post("/api/v1/compile", json=SPMV, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 3


class CountedLanes:
    """Stands in for the processes: counts the calls, which end when they may."""

    def __init__(self) -> None:
        self.calls = 0
        self.may_end = asyncio.Event()

    async def call(
        self, seconds: float, answering: Any, function: Any, document: dict[str, Any]
    ) -> tuple[Answer, float]:
        self.calls += 1
        await self.may_end.wait()
        return Answer(json.dumps(document).encode()), 0.01


def service(**settings: Any) -> tuple[CompileService, CountedLanes]:
    made, lanes = CompileService(Settings(**settings)), CountedLanes()
    made._lanes = lanes  # type: ignore[assignment]
    return made, lanes


async def begun(lanes: CountedLanes, calls: int) -> None:
    while lanes.calls < calls:
        await asyncio.sleep(0)


def spmv(size: int) -> Plan:
    return parse_plan({**SPMV, "schedule": [f"split(i, i0, i1, {size})"]})


async def test_a_hundred_readers_of_one_plan_cost_one_compile() -> None:
    made, lanes = service()
    asking = [asyncio.create_task(made.compile(spmv(8))) for _ in range(100)]
    await begun(lanes, 1)
    lanes.may_end.set()
    answers = await asyncio.gather(*asking)
    assert len(set(answers)) == 1
    await made.compile(spmv(8))
    assert lanes.calls == 1


async def test_a_reader_that_goes_away_does_not_end_the_compile() -> None:
    made, lanes = service()
    first = asyncio.create_task(made.compile(spmv(8)))
    await begun(lanes, 1)
    first.cancel()
    lanes.may_end.set()
    assert json.loads((await made.compile(spmv(8))).content)["schedule"] == ["split(i, i0, i1, 8)"]
    assert lanes.calls == 1


async def test_too_many_waiting_plans_are_sent_away_for_a_moment() -> None:
    made, lanes = service(compile_processes=1, compile_queue_limit=2)
    waiting = [asyncio.create_task(made.compile(spmv(size))) for size in (8, 16, 24)]
    await begun(lanes, 1)
    with pytest.raises(ProblemError, match="More compiles are waiting") as refused:
        await made.compile(spmv(32))
    assert refused.value.status == 429
    assert refused.value.headers["Retry-After"] == "2"
    lanes.may_end.set()
    await asyncio.gather(*waiting)


@pytest.mark.parametrize(
    ("ending", "status", "told"), [(ProcessKilled, 503, "ended from outside, twice"), (ProcessDied, 500, "crashed")]
)
async def test_a_killed_process_is_no_defect(ending: type[Exception], status: int, told: str) -> None:
    made, lanes = service()

    async def end(*_: object) -> Any:
        raise ending

    lanes.call = end  # type: ignore[method-assign, assignment]
    with pytest.raises(ProblemError, match=told) as problem:
        await made.compile(parse_plan(SPMV))
    assert problem.value.status == status
    assert ("defect in Heddle" in problem.value.detail) == (status == 500)
    assert problem.value.headers.get("Retry-After") == ("5" if status == 503 else None)


async def test_a_compile_that_hangs_is_named_and_the_next_one_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = CompileService(Settings(compile_processes=1, compile_seconds=3))
    monkeypatch.setattr(compile_worker, "compile_answer", hang)
    await made.start()
    try:
        with pytest.raises(ProblemError, match=r"did not end within 3 s and was stopped") as late:
            await made.compile(spmv(8))
        assert late.value.status == 422
        made._seconds = PATIENCE_SECONDS  # What follows ends on its own, in a process that has yet to start.
        monkeypatch.setattr(compile_worker, "compile_answer", answer_at_once)
        assert (await made.compile(spmv(8))).plain() == b"{}"
        monkeypatch.setattr(compile_worker, "compile_answer", break_down)
        with pytest.raises(ProblemError, match=r"ZeroDivisionError: the reason.*please report it with plan") as broken:
            await made.compile(spmv(16))
        assert broken.value.status == 500
    finally:
        await made.stop()


def hang(_: dict[str, Any]) -> bytes:
    time.sleep(600)
    return b""


def answer_at_once(_: dict[str, Any]) -> bytes:
    return b"{}"


def break_down(_: dict[str, Any]) -> bytes:
    raise ZeroDivisionError("the reason")
