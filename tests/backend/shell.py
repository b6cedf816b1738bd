"""Commands of the service's command line in the process of the test: what a start imports is there already."""

from __future__ import annotations

import io
import json
from typing import Any, NamedTuple

import pytest

from heddle_server import cli


class Ended(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(document: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *options: str) -> Ended:
    """``heddle run -`` with that document, or that text, on its standard input."""
    text = document if isinstance(document, str) else json.dumps(document)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    capsys.readouterr()
    code = cli.main(["run", "-", *options])
    return Ended(code, *capsys.readouterr())
