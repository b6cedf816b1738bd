"""The class of ``heddle prove classroom``, small and short; its limits hold on a machine that does nothing else."""

from __future__ import annotations

import asyncio
from pathlib import Path

from proofs.classroom import attend, broken_limits, summary, works
from tests.backend.serving import Server


def test_a_small_class_does_the_course_without_an_error(tmp_path: Path) -> None:
    server = Server(tmp_path / "data").start()
    try:
        seen, view = asyncio.run(attend(server.url, students=4, seconds=15, alone=1))
    finally:
        server.stop()
    assert dict(seen.errors) == {}
    assert len(view["students"]) == 4
    found = summary(seen)
    assert set(found) == {"join", "submission", "view", "until the teacher sees it", "check alone"}
    assert found["until the teacher sees it"]["times"] == found["submission"]["times"] == len(view["work"])
    assert "Traceback" not in server.log


def test_many_tasks_can_be_submitted_without_computing_answers() -> None:
    assert len({(work.lesson, work.task.id) for work in works()}) >= 10


def test_a_broken_limit_is_named() -> None:
    held = {
        "submission": {"0.95": 900.0},
        "check alone": {"0.95": 100.0},
        "until the teacher sees it": {"1.0": 1900.0},
    }
    assert broken_limits(held, {}) == []
    assert broken_limits({**held, "submission": {"0.95": 1001.0}}, {"join: 429": 3}) == [
        "join: 429: 3 times",
        "submission: 1001.0 ms at 0.95, allowed 1000 ms",
    ]
    assert broken_limits({}, {})[-1] == "until the teacher sees it: None ms at 1.0, allowed 2000 ms"
