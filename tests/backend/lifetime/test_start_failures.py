"""A server that cannot start says why in a sentence, without a traceback."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from heddle_server.settings import Settings
from heddle_server.start_failure import start_failure
from heddle_server.store.backup import DATABASE
from heddle_server.store.database import Database
from heddle_server.store.private_files import make_private
from tests.backend.serving import ROOT, START_SECONDS

pytestmark = pytest.mark.takes_turns(4)


def garbage(data: Path) -> str:
    data.mkdir()
    (data / DATABASE).write_text("this is no database, " * 300)
    return f"The database in {data} cannot be used: file is not a database. Restore a backup"


def newer_schema(data: Path) -> str:
    data.mkdir()
    asyncio.run(Database(Settings(data_directory=data).database).migrate())
    with closing(sqlite3.connect(data / DATABASE)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    return "The database has schema 9999, which this version of Heddle does not know"


def occupied(data: Path) -> str:
    data.write_text("a file")
    return f"The data directory {data} cannot be used: File exists ({data}). It must be a directory"


@pytest.mark.parametrize("prepare", [garbage, newer_schema, occupied], ids=lambda one: one.__name__)
def test_a_directory_that_cannot_be_used(prepare: Callable[[Path], str], tmp_path: Path) -> None:
    data = tmp_path / "data"
    expected = prepare(data)
    ended = serve(data)
    assert ended.returncode == 1
    assert expected in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "OperationalError" not in ended.stderr


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = serve(tmp_path / "data", port)
    assert (ended.returncode, ended.stderr) == (
        1,
        f"heddle: starting (Ctrl+C stops it)\nheddle: cannot listen on 127.0.0.1 port {port}: Address already in use\n",
    )


def test_a_scheduler_whose_address_is_none(tmp_path: Path) -> None:
    ended = serve(tmp_path / "data", 0, "--scheduler", "tcp://127.0.0.1:99999")
    assert ended.returncode == 1
    assert "heddle: tcp://127.0.0.1:99999 is no address (" in ended.stderr
    assert "Traceback" not in ended.stderr


def serve(data: Path, port: int = 0, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "heddle_server.cli", "serve", "--port", str(port), "--data-directory", str(data)]
    command += more
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=START_SECONDS, check=False)


def test_a_directory_that_nobody_may_write_to() -> None:
    settings = Settings(data_directory=Path("/proc/heddle"))
    error = PermissionError(13, "Permission denied", "/proc/heddle/server.lock")
    assert start_failure(error, settings) == (
        "The data directory /proc/heddle cannot be used: Permission denied (/proc/heddle/server.lock). It must be a "
        "directory that this user may write to; --data-directory gives another."
    )


def test_a_directory_below_a_file(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (tmp_path / "file").write_text("a file")
    data.symlink_to(tmp_path / "file" / "data")
    with pytest.raises(OSError) as caught:
        make_private(data)
    told = start_failure(caught.value, Settings(data_directory=data))
    assert told is not None
    assert told.startswith(f"The data directory {data} cannot be used: ")


def test_a_database_server_that_does_not_answer_is_named_without_its_password() -> None:
    settings = Settings(database_url="postgresql+asyncpg://heddle:secret@db/heddle")
    told = start_failure(OperationalError("SELECT", {}, OSError("connection refused")), settings)
    assert told == "The database of HEDDLE_DATABASE_URL cannot be used: connection refused."


def test_a_defect_keeps_its_traceback() -> None:
    assert start_failure(KeyError("a defect"), Settings()) is None
    assert start_failure(FileNotFoundError(2, "No such file", "/usr/lib/other"), Settings()) is None
