"""What a server or a worker keeps is for its user alone: directories 0700, files 0600, at every start."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

# What Heddle makes in a data directory. A person may keep other things beside it, whose modes are theirs.
BESIDE_DATABASE = ("", "-wal", "-shm", "-journal")
CONTENTS = (
    *(f"heddle.sqlite3{suffix}" for suffix in BESIDE_DATABASE),
    "machine.json", "visitors.key", "server.lock", "uploads", "copies", "checkpoints", "page-assets",
)  # fmt: skip
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


def make_private(directory: Path) -> None:
    """The data directory, which no other user of the machine may look into: plans, results and uploads are in it.
    A person's directory that is closed to its owner too stays so: raises PermissionError."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = directory.stat()
    if status.st_uid == os.geteuid() and not status.st_mode & stat.S_IWUSR:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(directory))
    if directory.stat().st_mode & 0o077:
        with suppress(PermissionError):  # of another owner, who decides
            directory.chmod(0o700)
            print(
                f"heddle: warning: {directory.absolute()} is for its owner alone from now on, because results and "
                f"uploads are in it: its mode was {stat.S_IMODE(status.st_mode):o} and is 700",
                file=sys.stderr,
            )


def make_contents_private(directory: Path, database: Path | None = None) -> None:
    """Everything that Heddle made in a data directory, whichever version it was and whatever mode a copy of it has, and
    a ``database`` elsewhere. Links are not followed, and what another owner has stays theirs."""
    places = [directory / name for name in CONTENTS]
    if database is not None:
        places += [database.with_name(database.name + suffix) for suffix in BESIDE_DATABASE]
    changed = sum(make_entry_private(path) for place in dict.fromkeys(places) for path in walk(place))
    if changed:
        print(
            f"heddle: warning: {changed} files and folders in {directory.absolute()} could be read by other users of "
            "this machine; they are for their owner alone from now on",
            file=sys.stderr,
        )


def walk(path: Path) -> Iterator[Path]:
    """``path`` and all that is below it, where it is there; a folder before what is in it."""
    try:
        is_folder = stat.S_ISDIR(path.lstat().st_mode)
    except FileNotFoundError:
        return
    yield path
    if is_folder:
        for entry in os.scandir(path):
            yield from walk(Path(entry.path))


def make_entry_private(path: Path) -> bool:
    """Whether its mode let others in."""
    status = path.lstat()
    wanted = {stat.S_IFDIR: PRIVATE_FOLDER, stat.S_IFREG: PRIVATE_FILE}.get(stat.S_IFMT(status.st_mode))
    if wanted is None or status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) == wanted:
        return False
    path.chmod(wanted)
    return bool(status.st_mode & 0o077)
