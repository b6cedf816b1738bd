"""A database that takes no changes is said, and is not a defect."""

from __future__ import annotations

import sqlite3

import httpx
from fastapi import FastAPI
from sqlalchemy.exc import OperationalError

from backend import errors


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
    assert "perhaps for want of disk space" in answer.json()["detail"]
    assert "INSERT" not in answer.text
