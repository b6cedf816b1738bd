"""The committed API description is the API."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heddle_server import openapi
from heddle_server.version import VERSION


def test_the_committed_description_is_up_to_date() -> None:
    assert openapi.COMMITTED.read_text() == openapi.document(), "run: python -m heddle_server.openapi"


def test_an_installation_prints_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Its own copy belongs to whoever installed it."""
    monkeypatch.setattr(openapi, "INSTALLED", True)
    assert openapi.main([]) == 0
    assert capsys.readouterr().out == openapi.document()


def test_the_check_fails_on_drift(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old.json"
    old.write_text("{}")
    assert openapi.main(["--check", "--output", str(old)]) == 1
    assert "is out of date with the API. Run: python -m heddle_server.openapi" in capsys.readouterr().err
    assert openapi.main(["--output", str(old)]) == 0
    assert openapi.main(["--check", "--output", str(old)]) == 0


def test_every_reference_leads_somewhere_and_errors_are_problems() -> None:
    text = openapi.document()
    document = json.loads(text)
    schemas = document["components"]["schemas"]
    for part in text.split('"$ref": "#/components/schemas/')[1:]:
        assert part.split('"')[0] in schemas
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                if int(status) >= 400 and path.startswith("/api/"):
                    assert list(answer["content"]) == ["application/problem+json"], (method, path, status)


def test_the_version_is_the_package_s() -> None:
    assert json.loads(openapi.COMMITTED.read_text(encoding="utf-8"))["info"]["version"] == VERSION


def test_no_schema_is_named_after_a_module() -> None:
    """Two classes with one name are told apart by their modules' names, which the published description would show."""
    schemas = json.loads(openapi.document())["components"]["schemas"]
    assert [name for name in schemas if "__" in name] == []
