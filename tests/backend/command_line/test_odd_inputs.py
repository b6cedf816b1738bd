"""Every command that reads a file, on files of every odd kind; places where nothing can be written. None ends in a
traceback: each answer is a sentence behind ``heddle:`` that names the file, with one of the four statuses."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from heddle.cli.program import main
from heddle.cli.status import Status

DEEP = 100_000
PLAN = b'{"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}'

FILES: dict[str, bytes] = {
    "bytes": bytes(range(256)) * 4,
    "empty": b"",
    "deep list": b"[" * DEEP,
    "deep object": b'{"a":' * DEEP,
    "list": b"[]",
    "null": b"null",
    "number": b"3",
    "text": b'"x"',
    "other version": b'{"version": 99, "expression": "y(i) = A(i,j) * x(j)"}',
    "utf-16": PLAN.decode().encode("utf-16"),
    "infinite version": b'{"version": 1e999}',
    "no number": b'{"version": NaN}',
    "long number": b'{"version": ' + b"9" * 5000 + b"}",
    "half a letter": b'{"version": 2, "expression": "y(i) = A(i,j) * \\ud800(j)"}',
    "wrong types": b'{"version": 2, "expression": ["y"], "tensors": 3, "schedule": {"a": 1}}',
    "wrong program": b'{"version": 2, "expression": "y(i) = A(i,j) * "}',
    "archive": b"\x1f\x8b" + b"0" * 50,
}

READERS: dict[str, Callable[[str], list[str]]] = {
    "compile": lambda file: ["compile", file],
    "import": lambda file: ["import", file],
    "link": lambda file: ["link", file, "--server", "http://127.0.0.1:1"],
    "tuned show": lambda file: ["tuned", "show", file],
    "tuned import": lambda file: ["tuned", "import", file],
    "tune": lambda file: ["tune", file, "--budget", "1"],
    "tune --replay": lambda file: ["tune", "--replay", file],
    "replay": lambda file: ["replay", file],
    "run": lambda file: ["run", file],
    "bench": lambda file: ["bench", "--plan", file],
    "grade": lambda file: ["grade", file],
    "lesson": lambda file: ["lesson", "check", file],
    "restore": lambda file: ["restore", file, "--data-directory", "restored"],
}

WITH_CHILDREN = ("half a letter", "wrong program")
"""What only the compiler refuses, in a process of its own: that takes seconds."""
CHOSEN: dict[str, tuple[str, ...]] = {
    "lesson": ("bytes", "deep list"),
    "grade": ("bytes", "deep list", "null"),
    "restore": ("empty", "null", "archive"),
    **dict.fromkeys(("run", "tune", "replay", "bench"), tuple(kind for kind in FILES if kind not in WITH_CHILDREN)),
}
"""Kinds for readers of something else than plans, which do not tell them apart, and for slow ones."""
WITH_DIAGNOSTICS = ("compile",)
"""What shows mistakes in a plan by their place in its text."""

OUTPUTS: dict[str, Callable[[str], list[str]]] = {
    "compile": lambda path: ["compile", "-e", "y(i) = A(i,j) * x(j)", "--emit", "graph", "-o", path],
    "completion": lambda path: ["completion", "bash", "-o", path],
    "tuned list": lambda path: ["tuned", "list", "-o", path],
    "lesson facts": lambda path: ["lesson", "facts", "-o", path],
    "openapi": lambda path: ["openapi", "-o", path],
    "run": lambda path: ["run", "plan.json", "-o", path],
    "tune": lambda path: ["tune", "plan.json", "--budget", "1", "--log", path],
}

FOLDERS: dict[str, Callable[[str], list[str]]] = {
    "certificates": lambda path: ["certificates", path, "name"],
    "backup": lambda path: ["backup", "kept.tar.gz", "--data-directory", path],
    "restore": lambda path: ["restore", "kept.tar.gz", "--data-directory", path],
    "static": lambda path: ["static", path],
    "worker": lambda path: ["worker", "tcp://127.0.0.1:1", "--trusted-network", "--data-directory", path],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty one to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEDDLE_DATA_DIRECTORY", str(tmp_path / "data"))
    (tmp_path / "plan.json").write_bytes(PLAN)
    return tmp_path


def refused(words: list[str], name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command says that refuses its input, with the status for it."""
    try:
        status = main(words)
    except SystemExit as ending:
        status = int(ending.code or 0)
    message = capsys.readouterr().err
    assert status == Status.REFUSED, message
    lines = [line for line in message.splitlines() if not line.startswith(" ")]  # without progress and details
    assert any(line.startswith(("heddle: ", "error")) for line in lines), message
    assert name in message
    assert "Errno" not in message
    assert "NoneType" not in message
    assert "Traceback" not in message
    return message


@pytest.mark.parametrize("reader", READERS)
def test_no_file_ends_in_a_traceback(reader: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, kind in enumerate(CHOSEN.get(reader, tuple(FILES))):
        content = FILES[kind]
        name = f"odd{number}.json"
        (folder / name).write_bytes(content)
        if reader == "tuned import" and content == b"[]":
            continue  # what tuned export prints where nothing is known
        said = refused(READERS[reader](name), "", capsys)
        assert name in said or reader in WITH_DIAGNOSTICS, said
    assert not (folder / "restored").exists()


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_named(reader: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "loop.json").symlink_to("loop.json")
    for name in ("missing.json", "loop.json", "plan.json/x", "."):
        refused(READERS[reader](name), name, capsys)
    assert not (folder / "restored").exists()


@pytest.mark.parametrize("writer", OUTPUTS)
def test_an_output_that_cannot_be_is_told(writer: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("missing/out", "plan.json/out", "."):
        refused(OUTPUTS[writer](path), path, capsys)
    refused(OUTPUTS[writer](""), "expected the name of a file" if writer != "tune" else "", capsys)
    assert sorted(os.listdir(folder)) == ["plan.json"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_log_takes_the_place_of_no_pipe(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "pipe")
    refused(["tune", "plan.json", "--budget", "1", "--log", "pipe"], "pipe: expected a file to go on with", capsys)
    assert (folder / "pipe").is_fifo()


@pytest.mark.parametrize("user", FOLDERS)
def test_a_file_is_no_folder(user: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(FOLDERS[user]("plan.json"), "", capsys)
    refused(FOLDERS[user]("plan.json/x"), "", capsys)
    (folder / "loop").symlink_to("loop")
    refused(FOLDERS[user]("loop"), "", capsys)
    assert (folder / "plan.json").read_bytes() == PLAN


def test_certificates_without_a_scheduler_are_not_ignored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(["serve", "--port", "0", "--certificates", "certificates"], "expected --scheduler", capsys)
