"""The logger ``heddle``: silent unless asked, and then it says what was compiled, built, reused and chosen."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle import logs

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "import heddle as hd; hd.compile('y(i) = A(i,j) * x(j)', formats={'A': 'csr'})"


@pytest.fixture
def logger(monkeypatch: pytest.MonkeyPatch) -> Iterator[logging.Logger]:
    fresh = logging.getLogger("heddle-test")
    monkeypatch.setattr(logs, "LOGGER", fresh)
    yield fresh
    fresh.handlers.clear()
    fresh.setLevel(logging.NOTSET)


def errors_of(program: str = PROGRAM, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
    return done.stderr


def test_it_is_silent_until_asked() -> None:
    assert errors_of(HEDDLE_LOG="") == ""
    first, *others = errors_of(HEDDLE_LOG="info").splitlines()
    assert first == "heddle: compiled 'y(i) = A(i,j) * x(j)' for c"
    assert all(line.startswith(("heddle: kernel from the cache: ", "heddle: built a kernel of ")) for line in others)


def test_a_program_that_configured_logging_reads_each_line_once() -> None:
    program = f"import logging; logging.basicConfig(level=logging.INFO); {PROGRAM}"
    lines = errors_of(program, HEDDLE_LOG="info").splitlines()
    assert lines.count("INFO:heddle:compiled 'y(i) = A(i,j) * x(j)' for c") == 1
    assert not any(line.startswith("heddle: ") for line in lines)


def test_another_level_is_named(
    logger: logging.Logger, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # those of pytest
    logs.configure({"HEDDLE_LOG": "loud"})
    assert capsys.readouterr().err == "heddle: HEDDLE_LOG is 'loud'; expected one of debug, info, warning, error\n"


def test_what_it_says(caplog: pytest.LogCaptureFixture) -> None:
    operands = {"A": np.eye(7), "x": np.arange(7.0)}
    with caplog.at_level(logging.INFO, "heddle"):
        for _ in range(2):
            hd.compile("y(i) = A(i,j) * x(j) + 0.815", formats={"A": "csr"})(**operands)
        hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, options={"schedule": "auto"})(**operands)
    text = "\n".join(record.getMessage() for record in caplog.records)
    assert text.count("compiled 'y(i) = A(i,j) * x(j) + 0.815' for c") == 2
    assert "kernel from the cache: " in text
    assert "compiled 'y(i) = A(i,j) * x(j)' for c by the rule " in text
    assert "\nthe rule " in text


def test_a_build_tells_its_command(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    from heddle.runtime.native import toolchain

    monkeypatch.setattr(toolchain, "run_compiler", lambda *_: (0, "", b"library"))
    found = toolchain.discover()
    with caplog.at_level(logging.INFO, "heddle"):
        assert toolchain.build(found, "int x;") == b"library"
    (record,) = caplog.records
    assert record.getMessage().startswith("built a kernel of 6 bytes of C in 0.")
    assert found.command[0] in record.getMessage()
