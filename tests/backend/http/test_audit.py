"""Every write is told in one line: who, what, and what came of it."""

from __future__ import annotations

import logging
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from heddle_server.http.audit import Audit, who_asks, wrote
from heddle_server.http.visitor import COOKIE, Identities, Visitor
from heddle_server.http.visitor_layer import Visitors
from heddle_server.http.writing import COMPUTATIONS, WRITING_METHODS
from heddle_server.main import create_app
from heddle_server.settings import Settings


def application() -> FastAPI:
    app = FastAPI()

    @app.post("/api/v1/runs")
    async def start() -> str:
        wrote("run-1")
        return "queued"

    @app.delete("/api/v1/runs/{id}")
    async def cancel(id: str) -> str:
        return id

    @app.post("/api/v1/compile")
    @app.get("/api/v1/runs/{id}")
    async def compute() -> str:
        return "computed"

    @app.put("/api/v1/datasets")
    async def upload() -> str:
        raise RuntimeError("a defect")

    return app


IDENTITIES = Identities()
OURS = IDENTITIES.new("192.0.2.7")


async def lines_of(caplog: pytest.LogCaptureFixture, method: str, path: str, **more: Any) -> list[dict[str, Any]]:
    caplog.set_level(logging.INFO, logger="heddle.audit")
    app = Audit(Visitors(application(), IDENTITIES))
    transport = httpx.ASGITransport(app=app, client=("192.0.2.7", 1), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as browser:
        await browser.request(method, path, **more)
    return [record.__dict__["facts"] for record in caplog.records if record.name == "heddle.audit"]


async def test_what_a_request_made_and_for_whom_is_told(caplog: pytest.LogCaptureFixture) -> None:
    cookie = f"{COOKIE}={IDENTITIES.cookie(OURS)}"
    (line,) = await lines_of(caplog, "POST", "/api/v1/runs", headers={"cookie": cookie})
    assert line == {
        "who": who_asks(Visitor(OURS, "192.0.2.7", OURS)),
        "class": None,
        "address": "192.0.2.7",
        "method": "POST",
        "path": "/api/v1/runs",
        "status": 200,
        "wrote": ["run-1"],
    }


async def test_cancellations_and_refusals_and_defects_are_told(caplog: pytest.LogCaptureFixture) -> None:
    await lines_of(caplog, "DELETE", "/api/v1/runs/7", headers={"cookie": f"{COOKIE}={'a' * 24}"})
    await lines_of(caplog, "POST", "/api/v1/no-such-route")
    lines = await lines_of(caplog, "PUT", "/api/v1/datasets")
    told = [(line["method"], line["path"], line["status"]) for line in lines]
    assert told == [
        ("DELETE", "/api/v1/runs/7", 200),
        ("POST", "/api/v1/no-such-route", 404),
        ("PUT", "/api/v1/datasets", 500),
    ]
    # Each is given an id with its answer, which the next lines of that browser have.
    assert len({line["who"] for line in lines} - {None}) == 3


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/api/v1/compile"), ("GET", "/api/v1/runs/7"), ("POST", "/api/v1/lessons/tiles/tasks/one/check")],
)
async def test_what_only_computes_or_reads_is_not(method: str, path: str, caplog: pytest.LogCaptureFixture) -> None:
    assert await lines_of(caplog, method, path) == []


def test_a_line_does_not_give_a_cookie_away() -> None:
    assert OURS not in str(who_asks(Visitor(OURS, "192.0.2.7", OURS)))
    assert who_asks(Visitor(IDENTITIES.shared_identity("192.0.2.7"), "192.0.2.7")) is None
    assert who_asks(None) is None


def test_every_computation_is_a_route_of_the_service() -> None:
    paths = create_app(Settings()).openapi()["paths"]
    writing = {path for path, methods in paths.items() if WRITING_METHODS & {method.upper() for method in methods}}
    assert writing >= COMPUTATIONS
    assert writing - COMPUTATIONS == {
        "/api/v1/access",
        "/api/v1/classrooms",
        "/api/v1/classrooms/{code}",
        "/api/v1/classrooms/{code}/lessons",
        "/api/v1/classrooms/{code}/lessons/{name}",
        "/api/v1/classrooms/{code}/students",
        "/api/v1/classrooms/{code}/students/{number}",
        "/api/v1/classrooms/{code}/submissions",
        "/api/v1/runs/{id}/stop",
        "/api/v1/searches",
        "/api/v1/tuned",
        "/api/v1/datasets",
        "/api/v1/datasets/{id}",
        "/api/v1/downloads",
        "/api/v1/downloads/{id}",
        "/api/v1/links",
        "/api/v1/links/{id}",
        "/api/v1/runs",
        "/api/v1/runs/{id}",
    }
