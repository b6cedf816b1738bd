"""What lies in the packed files of public collections. One member is read; nothing is ever unpacked by its own name."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from heddle_server.datasets.collections import Collection
from heddle_server.problem import ProblemError
from heddle_server.services.data.uploads import Opener, Readable, gunzip


def collection_opener(collection: Collection, name: str, most: int) -> Opener:
    """What opens a download from ``collection``; ``most`` bounds what a tar file may unpack to on the way."""
    if collection.archive == "gz":
        return gunzip
    stem = name.rpartition("/")[2]

    def open_archive(path: Path) -> AbstractContextManager[Readable]:
        return member(path, f"{stem}/{stem}.{collection.kind}", most)

    return open_archive


@contextmanager
def member(path: Path, wanted: str, most: int) -> Iterator[Readable]:
    """One regular file of a packed tar file. Raises ProblemError when it is not among the first ``most`` bytes."""
    with tarfile.open(path, "r|gz") as archive:
        for entry in archive:
            if entry.offset > most:
                break
            if entry.name == wanted and entry.isreg():
                content = archive.extractfile(entry)
                assert content is not None, "a regular file has content"
                with content:
                    yield content
                return
    raise ProblemError(422, "unreadable-file", "The file cannot be unpacked", f"There is no {wanted} in the download.")
