"""Entering the code of a class."""

from __future__ import annotations

import re

import httpx
import pytest
from pydantic import ValidationError

from heddle_server.http.writing import COMPUTATIONS, WRITING_METHODS
from heddle_server.main import create_app
from heddle_server.settings import Settings


def browser(**settings: object) -> httpx.AsyncClient:
    """Of an application that has not started its services: what gets past the gate fails."""
    app = create_app(Settings.model_validate(settings))
    transport = httpx.ASGITransport(app=app, client=("192.0.2.7", 1), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://test")


async def test_a_student_enters_the_code_once() -> None:
    async with browser(class_codes={"spring": "warp and weft"}, access_token="a long token") as student:
        assert (await student.get("/api/v1/access")).json() == {"needed": True, "granted": None}
        wrong = await student.post("/api/v1/access", json={"code": "weft"})
        assert (wrong.status_code, wrong.json()["title"]) == (403, "The code is not right")
        assert (await student.post("/api/v1/links", json={})).status_code == 401
        right = await student.post("/api/v1/access", json={"code": " warp and weft "})
        assert right.json() == {"needed": True, "granted": "spring"}
        assert "HttpOnly; SameSite=strict" in right.headers["set-cookie"]
        assert "warp" not in str(right.headers)
        assert (await student.get("/api/v1/access")).json()["granted"] == "spring"
        assert (await student.post("/api/v1/links", json={})).status_code == 500
        assert (await student.post("/api/v1/access", json={"code": "a long token"})).json()["granted"] == "token"


async def test_everything_that_is_kept_needs_a_code_and_nothing_else_does() -> None:
    """Searches, which have the machine for minutes, needed none: they came after the list of what is guarded."""
    free = {*COMPUTATIONS, "/api/v1/access"}
    asked: set[str] = set()
    async with browser(class_codes={"spring": "warp and weft"}, quota_factor=0) as stranger:
        for path, methods in create_app(Settings()).openapi()["paths"].items():
            for method in {name.upper() for name in methods} & WRITING_METHODS:
                answer = await stranger.request(method, re.sub(r"\{\w+\}", "x", path), json={})
                assert (answer.status_code == 401) is (path not in free), (method, path, answer.text)
                asked.add(path)
    assert asked > free


@pytest.mark.parametrize(
    ("operator", "shown", "status"),
    [(None, None, 401), (None, "any", 401), ("op", "warp and weft", 401), ("op", "op", 500)],
)
async def test_what_visitors_are_told_was_measured_comes_from_the_operator_alone(
    operator: str | None, shown: str | None, status: int
) -> None:
    """A file of tuned schedules says what it likes of times, and each of its schedules is compiled in the server."""
    headers = {} if shown is None else {"Authorization": f"Bearer {shown}"}
    async with browser(operator_token=operator, class_codes={"spring": "warp and weft"}) as visitor:
        answer = await visitor.post("/api/v1/tuned", json=[], headers=headers)
    assert answer.status_code == status, answer.text


async def test_codes_cannot_be_tried_out() -> None:
    async with browser(class_codes={"spring": "warp and weft"}) as guesser:
        statuses = [(await guesser.post("/api/v1/access", json={"code": str(n)})).status_code for n in range(30)]
    assert set(statuses) == {403, 429}
    assert statuses.count(403) < 25


async def test_without_codes_nothing_is_asked() -> None:
    async with browser() as visitor:
        assert (await visitor.get("/api/v1/access")).json() == {"needed": False, "granted": None}
        assert (await visitor.post("/api/v1/access", json={"code": "any"})).json()["granted"] is None


@pytest.mark.parametrize("codes", [{"spring": "short"}, {"spring.term": "warp and weft"}])
def test_codes_that_can_be_guessed_and_names_that_cannot_be_kept_are_refused(codes: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate({"class_codes": codes})
