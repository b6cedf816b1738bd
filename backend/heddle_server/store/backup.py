"""Backup and restore of everything that a server keeps: the SQLite database, uploads and downloads, in one tar file.

The copy of the database is consistent although the server goes on. For PostgreSQL use ``pg_dump``, and copy
``uploads/sha256`` and ``uploads/collections``.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path, PurePosixPath

from heddle_server.settings import Settings
from heddle_server.start_failure import CannotStartError
from heddle_server.store.server_lock import server_lock

DATABASE = "heddle.sqlite3"
UPLOADS = ("uploads/sha256", "uploads/collections", "uploads/models")
UNFINISHED = "heddle-unfinished-"


class UnusableError(Exception):
    """What was to be kept or restored is not whole; the text says what is wrong with it."""


def backup(settings: Settings, target: Path, *, as_json: bool = False) -> int:
    """Writes ``target``, which must not exist: all of it, or nothing. It is this user's alone, like the directory."""
    data = settings.data_directory.resolve()
    if settings.database_url is not None or not (data / DATABASE).is_file():
        print(f"heddle: there is no SQLite database in {data}", file=sys.stderr)
        return 1
    try:
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=target.resolve().parent) as folder:
            copy, packed = Path(folder) / DATABASE, Path(folder) / "packed.tar.gz"
            with (
                contextlib.closing(sqlite3.connect(data / DATABASE)) as source,
                contextlib.closing(sqlite3.connect(copy)) as copied,
            ):
                source.backup(copied)
            _require_whole(copy, f"the database in {data}")
            with tarfile.open(packed, "x:gz") as archive:
                archive.add(copy, DATABASE)
                for folder_of_uploads in UPLOADS:
                    if (data / folder_of_uploads).is_dir():
                        archive.add(data / folder_of_uploads, folder_of_uploads)
            packed.chmod(0o600)
            with packed.open("rb") as written:
                os.fsync(written.fileno())
            os.link(packed, target)  # unlike a rename it never replaces a file
    except (OSError, sqlite3.Error, UnusableError) as error:
        print(f"heddle: {target}: {_text_of(error)}", file=sys.stderr)
        return 1
    size = target.stat().st_size
    print(json.dumps({"file": str(target), "bytes": size}) if as_json else f"{target}: {size:,} bytes")
    return 0


def restore(settings: Settings, source: Path, *, as_json: bool = False) -> int:
    """Unpacks into a data directory that has neither a database nor uploads: all of it, or nothing."""
    data = settings.data_directory.resolve()
    if (data / DATABASE).exists():
        print(f"heddle: {data} already holds a database; restore into another --data-directory", file=sys.stderr)
        return 1
    uploads_folder = next((folder for folder in UPLOADS if any((data / folder).glob("*"))), None)
    if uploads_folder is not None:
        print(
            f"heddle: {data / uploads_folder} already holds files; restore into another --data-directory",
            file=sys.stderr,
        )
        return 1
    begun = _first_missing(data)
    try:
        _require_archive(source)
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with server_lock(data), tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=data) as folder:
            unpacked = Path(folder)
            with tarfile.open(source, "r:gz") as archive:
                for member in archive:
                    if member.name == DATABASE or member.name.startswith(UPLOADS):
                        _unpack(archive, member, unpacked)
            if not (unpacked / DATABASE).is_file():
                raise UnusableError(f"it has no {DATABASE}: it is not a backup of a Heddle server")
            _require_whole(unpacked / DATABASE, "the database in it")
            for folder_of_uploads in UPLOADS:
                if (unpacked / folder_of_uploads).is_dir():
                    (data / folder_of_uploads).parent.mkdir(parents=True, exist_ok=True)
                    with contextlib.suppress(FileNotFoundError):
                        (data / folder_of_uploads).rmdir()
                    (unpacked / folder_of_uploads).rename(data / folder_of_uploads)
            (unpacked / DATABASE).rename(data / DATABASE)  # last: a directory with a database is a restored one
    except (CannotStartError, OSError, sqlite3.Error, tarfile.TarError, EOFError, zlib.error, UnusableError) as error:
        in_data = isinstance(error, FileExistsError | NotADirectoryError) and error.filename != str(source)
        about = data if in_data else source
        print(f"heddle: {about}: {_text_of(error)}", file=sys.stderr)
        if begun is not None:
            shutil.rmtree(begun, ignore_errors=True)
        return 1
    print(json.dumps({"data_directory": str(data)}) if as_json else f"{data}: restored")
    return 0


def _first_missing(folder: Path) -> Path | None:
    """The outermost folder that making ``folder`` makes; None where it is there."""
    missing = None
    for place in (folder, *folder.parents):
        if place.exists():
            break
        missing = place
    return missing


def _require_archive(source: Path) -> None:
    """Before anything is made. Raises OSError and TarError."""
    with tarfile.open(source, "r:gz"):
        pass


def _require_whole(database: Path, what: str) -> None:
    """Raises UnusableError where SQLite finds fault with the file."""
    try:
        with contextlib.closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
            (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise UnusableError(f"{what} cannot be read: {error}") from error
    if answer != "ok":
        raise UnusableError(f"{what} is damaged: {' '.join(str(answer).split())}")


def _text_of(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, data: Path) -> None:
    """By hand, for Python has filters against links, devices and paths that lead elsewhere only since 3.11.4."""
    path = PurePosixPath(member.name)
    if ".." in path.parts:
        raise tarfile.ExtractError(f"{member.name} leads outside the data directory")
    if not (member.isreg() or member.isdir()):
        raise tarfile.ExtractError(f"{member.name} is not a plain file or folder")
    if member.isdir():
        (data / path).mkdir(parents=True, exist_ok=True)
        return
    (data / path).parent.mkdir(parents=True, exist_ok=True)
    stored = archive.extractfile(member)
    assert stored is not None, "a plain file has content"
    with stored, open(data / path, "xb", opener=_for_this_user) as target:
        shutil.copyfileobj(stored, target)


def _for_this_user(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
