"""A database that takes no changes, a full disk and a client that goes away are said, and are no defects."""

from __future__ import annotations

import errno
import sqlite3

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError
from starlette.requests import ClientDisconnect

from heddle_server import errors


async def test_a_full_disk_is_said_with_a_time_to_come_back() -> None:
    app = FastAPI()
    errors.install(app)

    @app.post("/api/v1/runs")
    async def fill() -> None:
        raise OperationalError("INSERT INTO runs", {}, sqlite3.OperationalError("database or disk is full"))

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client:
        answer = await client.post("/api/v1/runs")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "30"
    assert answer.json()["title"] == "The database does not answer"
    assert "perhaps because the disk is full" in answer.json()["detail"]
    assert "INSERT" not in answer.text


async def answer_to(error: Exception) -> httpx.Response:
    app = FastAPI()
    errors.install(app)

    @app.post("/api/v1/datasets")
    async def fail() -> None:
        raise error

    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        return await client.post("/api/v1/datasets")


async def test_a_database_that_is_damaged_while_the_server_runs_is_not_a_defect() -> None:
    malformed = DatabaseError("SELECT", {}, sqlite3.DatabaseError("database disk image is malformed"))
    answer = await answer_to(malformed)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert answer.json()["detail"] == (
        "The server's database is damaged or cannot be read. The server's operator has to repair it."
    )


async def test_values_that_no_database_would_take_are_a_defect() -> None:
    error = IntegrityError("INSERT", {}, sqlite3.IntegrityError("UNIQUE constraint failed"))
    assert (await answer_to(error)).status_code == 500


async def test_a_full_disk_is_said_wherever_it_is_noticed() -> None:
    answer = await answer_to(OSError(errno.ENOSPC, "No space left on device"))
    assert (answer.status_code, answer.json()["title"]) == (507, "The disk is full")
    assert (await answer_to(OSError(errno.EIO, "Input/output error"))).status_code == 500


async def test_a_client_that_goes_away_while_it_sends_is_no_defect(caplog: pytest.LogCaptureFixture) -> None:
    assert (await answer_to(ClientDisconnect())).status_code == 400
    assert [record.levelname for record in caplog.records if record.name == "heddle"] == []
