"""What /readyz says of how runs are confined: each lack by its name."""

from __future__ import annotations

import asyncio
import threading
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from heddle.plan import parse_plan
from heddle_server.api.health import LACKS, check_queue, hint, lacks_of
from heddle_server.services.runs import dispatch
from heddle_server.services.services import running_services
from heddle_server.settings import Settings
from tests.backend.serving import PATIENCE_SECONDS, SPMV

WHOLE = {part: safe[0] for part, safe, _ in LACKS}


def test_a_sandbox_that_lacks_nothing_is_told_so() -> None:
    assert hint(WHOLE) == "Runs are confined in every way that Heddle knows."
    assert hint({**WHOLE, "file_system": "rules"}) == hint(WHOLE)
    assert lacks_of(WHOLE) == lacks_of({}) == []


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ("network", "open", "runs reach the network"),
        ("processes", "visible", "runs see other processes"),
        ("file_system", "open", "runs write wherever the server's user may"),
        ("data", "visible", "runs can read the database and all uploads"),
        ("home", "visible", "runs can read this user's home, temporary files, and other servers' data and sockets"),
        ("devices", "all", "runs can open every device that the server's user may"),
        ("system_calls", "open", "no system calls are refused"),
        (
            "cache",
            "shared",
            "runs write their kernels to the disk of the server until that is too much",
        ),
    ],
)
def test_each_lack_is_told(part: str, value: str, told: str) -> None:
    said = hint({**WHOLE, part: value})
    assert said.startswith(f"On this system {told}. ")
    assert "docs/reference/service.md, What a run may do" in said
    assert lacks_of({**WHOLE, part: value}) == [told]
    missing = {name: safe for name, safe in WHOLE.items() if name != part}
    assert hint(missing) == said


def test_without_a_worker_nobody_can_say() -> None:
    assert hint({}) == "No worker is connected that could say."


async def test_a_server_compiles_before_it_can_time_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A restart took as long as Dask and its processes need to start."""
    begin, begun, released = dispatch.begin_placement, threading.Event(), threading.Event()

    def begin_late(*arguments: Any) -> Any:
        begun.set()
        released.wait()
        return begin(*arguments)

    monkeypatch.setattr(dispatch, "begin_placement", begin_late)
    settings = Settings(data_directory=tmp_path, timing_lock=tmp_path / "lock", compile_processes=1)
    async with AsyncExitStack() as ends:
        services = await ends.enter_async_context(running_services(settings))
        ends.callback(released.set)  # whatever fails here, nothing waits for ever
        await asyncio.to_thread(begun.wait)
        assert (check_queue(services), services.running.dispatcher.measuring) == ("ok", "starting")
        answer = await services.compiles.compile(parse_plan(SPMV))
        assert b'"ok":true' in answer.head
        monkeypatch.setattr(dispatch, "STARTING_SECONDS", 0.0)
        assert check_queue(services) == services.running.dispatcher.measuring == "no scheduler is connected"
        released.set()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while services.running.dispatcher.measuring != "ready":
                await asyncio.sleep(0.05)
        assert check_queue(services) == "ok"
