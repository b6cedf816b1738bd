"""The description of the API is written down once, however often it is asked for."""

from __future__ import annotations

import gzip

import pytest

from heddle_server.api import description
from heddle_server.main import create_app
from tests.backend.serving import Server


def test_it_is_the_application_s_and_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app()
    asked: list[int] = []
    whole = app.openapi()
    monkeypatch.setattr(app, "openapi", lambda: asked.append(1) or whole)
    first = description.description_of(app)
    assert description.description_of(app) is first
    assert asked == [1]
    assert gzip.decompress(first.content).startswith(b'{"openapi":')


def test_it_is_answered_as_it_is_taken(server: Server) -> None:
    plain = server.client.get("/api/v1/openapi.json", headers={"Accept-Encoding": "identity"})
    packed = server.client.get("/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert plain.headers["content-type"] == packed.headers["content-type"] == "application/json"
    assert packed.headers["content-encoding"] == "gzip"
    assert plain.json() == packed.json()
    assert "/api/v1/compile" in plain.json()["paths"]
    assert "/api/v1/openapi.json" not in plain.json()["paths"]


def test_every_part_of_the_api_is_under_its_prefix() -> None:
    """Two were not: written beside the change after which each part names the prefix itself, they were served at
    /account and /classrooms, and nobody knew who asked."""
    outside = {path for path in create_app().openapi()["paths"] if not path.startswith("/api/v1/")}
    assert outside == {"/healthz", "/readyz", "/metrics"}
