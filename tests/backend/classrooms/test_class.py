"""A small class attends a lesson without an error; ``heddle prove class`` measures the large one."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofs.class_of_100 import LIMITS, attend, broken_limits
from tests.backend.serving import Server

pytestmark = pytest.mark.takes_turns(4)


def test_a_small_class_meets_no_error_but_those_that_there_are(tmp_path: Path) -> None:
    page = tmp_path / "page"
    server = Server(tmp_path / "data", frontend_directory=page, visitor_queued=2).start()
    try:
        without_page = attend(server, tmp_path, students=2, lesson_seconds=1)
        page.mkdir()
        (page / "index.html").write_text("<!doctype html>")
        requests, errors = attend(server, tmp_path, students=10, lesson_seconds=6)
    finally:
        server.stop()
    assert errors == {}
    assert requests["run, from click to result"]["requests"] == 10
    assert {limit.name for limit in LIMITS} <= set(requests)
    requests, errors = without_page
    ((what, times),) = errors.items()
    assert what.startswith("page: ")
    assert "503" in what
    assert times == requests["page"]["errors"] == 2


def test_a_broken_limit_is_named() -> None:
    fast = {"requests": 1, "errors": 0, "milliseconds": {"0.5": 1.0, "0.95": 1.0, "1.0": 1.0}}
    requests = {limit.name: fast for limit in LIMITS}
    assert broken_limits(requests, {}) == []
    slow = {**fast, "milliseconds": {"0.95": 51.0}}
    assert broken_limits({**requests, "compile cached": slow}, {"page: status 500": 2}) == [
        "page: status 500: 2 times",
        "compile cached: 51.0 ms at 0.95, allowed 50 ms",
    ]
    assert broken_limits({}, {})[0] == "compile cached: None ms at 0.95, allowed 50 ms"
