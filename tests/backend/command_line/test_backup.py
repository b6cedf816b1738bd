"""``heddle backup`` and ``restore`` do all of it or nothing, and take nothing that is not whole."""

from __future__ import annotations

import errno
import gzip
import sqlite3
import stat
import tarfile
from pathlib import Path

import pytest

from heddle_server.settings import Settings
from heddle_server.store import backup as module
from heddle_server.store.backup import DATABASE, backup, restore

ROWS = 2000


@pytest.fixture
def server(tmp_path: Path) -> Settings:
    """What a server left: a database of some pages, and an upload."""
    data = tmp_path / "old"
    uploads = data / "uploads" / "sha256"
    uploads.mkdir(parents=True)
    (uploads / "a.mtx").write_text("matrix")
    connection = sqlite3.connect(data / DATABASE)
    with connection:
        connection.execute("CREATE TABLE kept (text)")
        connection.executemany("INSERT INTO kept VALUES (?)", [(f"{row:0100}",) for row in range(ROWS)])
    connection.close()
    return Settings(data_directory=data)


@pytest.fixture
def archive(server: Settings, tmp_path: Path) -> Path:
    target = tmp_path / "kept.tar.gz"
    assert backup(server, target) == 0
    return target


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def refusal(folder: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What a restore says that fails, and leaves nothing behind."""
    capsys.readouterr()
    assert restore(Settings(data_directory=folder), source) == 1
    assert [name for name in everything_in(folder) if not name.endswith(".lock")] == []
    return capsys.readouterr().err


def test_a_backup_and_what_is_restored_are_for_this_user_alone(archive: Path, tmp_path: Path) -> None:
    """Everybody on the machine could read the runs and uploads in it."""
    assert restore(Settings(data_directory=tmp_path / "new"), archive) == 0
    kept = [archive, tmp_path / "new", tmp_path / "new" / DATABASE, tmp_path / "new" / "uploads/sha256/a.mtx"]
    assert [oct(stat.S_IMODE(path.stat().st_mode)) for path in kept] == ["0o600", "0o700", "0o600", "0o600"]


def test_a_full_disk_leaves_nothing_behind(
    server: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "full"
    folder.mkdir()

    def full(self: tarfile.TarFile, *_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tarfile.TarFile, "add", full)
    assert backup(server, folder / "kept.tar.gz") == 1
    assert capsys.readouterr().err == f"heddle: {folder / 'kept.tar.gz'}: No space left on device\n"
    assert list(folder.iterdir()) == []


def test_a_backup_replaces_no_file(server: Settings, archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = archive.read_bytes()
    assert backup(server, archive) == 1
    assert "File exists" in capsys.readouterr().err
    assert archive.read_bytes() == before
    assert [path.name for path in archive.parent.iterdir() if path.name.startswith(module.UNFINISHED)] == []


def test_a_damaged_database_is_not_kept(server: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = server.data_directory / DATABASE
    content = bytearray(database.read_bytes())
    content[4096:12288] = b"\xff" * 8192
    database.write_bytes(content)
    assert backup(server, tmp_path / "kept.tar.gz") == 1
    told = capsys.readouterr().err
    assert f"the database in {server.data_directory} " in told
    assert not (tmp_path / "kept.tar.gz").exists()


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_a_truncated_archive_spoils_nothing(
    part: float, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = tmp_path / "short.tar.gz"
    content = archive.read_bytes()
    short.write_bytes(content[: int(part * len(content))])
    refusal(tmp_path / "new", short, capsys)
    assert restore(Settings(data_directory=tmp_path / "new"), archive) == 0  # the directory takes the whole one


def test_an_archive_without_a_database_is_no_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mtx").write_text("matrix")
    other = tmp_path / "other.tar.gz"
    with tarfile.open(other, "w:gz") as written:
        written.add(tmp_path / "a.mtx", "uploads/sha256/a.mtx")
    assert f"it has no {DATABASE}: it is not a backup of a Heddle server" in refusal(tmp_path / "new", other, capsys)


def test_a_database_in_an_archive_must_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / DATABASE).write_text("not a database, " * 100)
    other = tmp_path / "other.tar.gz"
    with tarfile.open(other, "w:gz") as written:
        written.add(tmp_path / DATABASE, DATABASE)
    assert "the database in it cannot be read: file is not a database" in refusal(tmp_path / "new", other, capsys)


def test_what_is_no_archive_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.tar.gz").write_bytes(gzip.compress(b"a text"))
    assert "text.tar.gz" in refusal(tmp_path / "new", tmp_path / "text.tar.gz", capsys)


def test_uploads_that_are_there_are_not_mixed_with_others(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "new" / "uploads" / "sha256" / "mine.mtx"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine")
    assert restore(Settings(data_directory=tmp_path / "new"), archive) == 1
    assert "already holds files; restore into another --data-directory" in capsys.readouterr().err
    assert everything_in(tmp_path / "new") == ["uploads/sha256/mine.mtx"]
