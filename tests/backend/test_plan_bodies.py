"""A plan is sent as ``{"plan": …}`` to every route that takes one, or alone, as programs of before send it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.backend.http.test_problems import problem
from tests.backend.serving import SPMV, Server

ROUTES = ("compile", "legal", "suggest", "bridge", "occupancy", "runs/measured", "tuned/lookup")


@pytest.mark.parametrize("route", ROUTES)
def test_a_plan_is_taken_in_both_shapes(server: Server, route: str) -> None:
    answers = [server.client.post(f"/api/v1/{route}", json=body) for body in (SPMV, {"plan": SPMV})]
    assert [answer.status_code for answer in answers] == [200, 200]
    alone, wrapped = (answer.json() for answer in answers)
    assert _timeless(alone) == _timeless(wrapped)


def test_runs_are_made_of_both_shapes(server: Server) -> None:
    runs = [server.client.post("/api/v1/runs", json=body).json() for body in (SPMV, {"plan": SPMV})]
    assert runs[0]["plan_hash"] == runs[1]["plan_hash"]


def test_what_stands_beside_the_plan_is_named(server: Server) -> None:
    answer = server.client.post("/api/v1/compile", json={"plan": SPMV, "colour": 1})
    assert "no entry `colour`" in problem(answer, 400, "This is not a valid plan")
    answer = server.client.post("/api/v1/compile", json={"plan": [1]})
    assert problem(answer, 400, "This is not a valid plan")


def _timeless(part: Any) -> Any:
    """Without what a compile took."""
    if isinstance(part, dict):
        return {name: _timeless(value) for name, value in part.items() if name not in ("ms", "milliseconds", "seconds")}
    return [_timeless(value) for value in part] if isinstance(part, list) else part
