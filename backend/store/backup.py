"""Backup and restore of everything that a server keeps: the SQLite database, uploads and downloads, in one tar file.

The copy of the database is consistent although the server goes on. For PostgreSQL use ``pg_dump``, and copy
``uploads/sha256`` and ``uploads/collections``.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import sys
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

from backend.services.server_lock import server_lock
from backend.settings import Settings

DATABASE = "heddle.sqlite3"
UPLOADS = ("uploads/sha256", "uploads/collections")


def backup(settings: Settings, target: Path) -> int:
    """Writes ``target``, which must not exist."""
    data = settings.data_directory.resolve()
    if settings.database_url is not None or not (data / DATABASE).is_file():
        print(f"heddle: there is no SQLite database in {data}", file=sys.stderr)
        return 1
    try:
        with (
            tempfile.TemporaryDirectory(dir=target.resolve().parent) as folder,
            tarfile.open(target, "x:gz") as archive,
        ):
            copy = Path(folder) / DATABASE
            with (
                contextlib.closing(sqlite3.connect(data / DATABASE)) as source,
                contextlib.closing(sqlite3.connect(copy)) as copied,
            ):
                source.backup(copied)
            archive.add(copy, DATABASE)
            for folder_of_uploads in UPLOADS:
                if (data / folder_of_uploads).is_dir():
                    archive.add(data / folder_of_uploads, folder_of_uploads)
    except OSError as error:
        print(f"heddle: {target}: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"{target}: {target.stat().st_size:,} bytes")
    return 0


def restore(settings: Settings, source: Path) -> int:
    """Unpacks into a data directory that has no database yet."""
    data = settings.data_directory.resolve()
    if (data / DATABASE).exists():
        print(f"heddle: {data} holds a database already; restore into another --data-directory", file=sys.stderr)
        return 1
    data.mkdir(parents=True, exist_ok=True)
    try:
        with server_lock(data), tarfile.open(source, "r:gz") as archive:
            for member in archive:
                if member.name == DATABASE or member.name.startswith(UPLOADS):
                    _unpack(archive, member, data)
    except (OSError, tarfile.TarError, EOFError) as error:
        print(f"heddle: {source}: {error}", file=sys.stderr)
        return 1
    print(f"{data}: restored")
    return 0


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, data: Path) -> None:
    """By hand, for Python has filters against links, devices and paths that lead elsewhere only since 3.11.4."""
    path = PurePosixPath(member.name)
    if ".." in path.parts:
        raise tarfile.ExtractError(f"{member.name} leads outside of the data directory")
    if not (member.isreg() or member.isdir()):
        raise tarfile.ExtractError(f"{member.name} is no plain file or folder")
    if member.isdir():
        (data / path).mkdir(parents=True, exist_ok=True)
        return
    (data / path).parent.mkdir(parents=True, exist_ok=True)
    stored = archive.extractfile(member)
    assert stored is not None, "a plain file has content"
    with stored, (data / path).open("xb") as kept:
        shutil.copyfileobj(stored, kept)
