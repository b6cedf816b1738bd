"""Data files on disk: streamed in under a cap. Uploads are named by their hash, never by a person's text; files from
public collections by the collection and their name in it, which is checked."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from heddle_server.problem import ProblemError
from heddle_server.services.data.free_disk import require_disk
from heddle_server.settings import Settings

FLUSH_BYTES = 1 << 20
# Without control characters, those that turn the direction of text among them: a name must look like what it is.
NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f/\\\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]{1,200}")
KINDS = ("mtx", "tns", "smtx")
COMPRESSED = ".gz"
# Next to each file, in place of its ending: what a preview shows, as JSON.
PREVIEW = ".preview.json"
IDENTITY = re.compile(r"sha256:([0-9a-f]{64})")
# A name has at most one folder, and no part of it begins with a dot.
COLLECTED = re.compile(r"([a-z][a-z0-9-]{0,31}):([A-Za-z0-9][A-Za-z0-9_.+-]*(?:/[A-Za-z0-9][A-Za-z0-9_.+-]*)?)")


@dataclass(frozen=True, slots=True)
class Arrived:
    """A whole file, still in the incoming directory. ``sha256`` is in hexadecimal."""

    path: Path
    sha256: str
    size: int


def arrive(path: Path) -> Arrived:
    """What is in the file, which another process has written. Blocks."""
    with path.open("rb") as file:
        return Arrived(path, hashlib.file_digest(file, "sha256").hexdigest(), os.fstat(file.fileno()).st_size)


class UploadStore:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._incoming = settings.uploads_directory / "incoming"
        self._kept = settings.uploads_directory / "sha256"
        self._collected = settings.uploads_directory / "collections"
        self.arriving = 0  # Bytes of files that are still on their way.

    def prepare(self) -> None:
        """Make the directories, and throw away what a dead server left half received."""
        shutil.rmtree(self._incoming, ignore_errors=True)
        self._incoming.mkdir(parents=True)
        self._kept.mkdir(parents=True, exist_ok=True)

    async def receive(self, chunks: AsyncIterator[bytes], room: int) -> Arrived:
        """At most ``room`` bytes. Raises whatever the stream raises (a client that goes away too), and then leaves
        nothing behind."""
        path = self._incoming / uuid4().hex
        digest = hashlib.sha256()
        size = 0
        buffer = bytearray()

        def flush() -> None:
            digest.update(buffer)
            file.write(buffer)
            buffer.clear()

        try:
            with path.open("xb") as file:
                async for chunk in chunks:
                    size += len(chunk)
                    self.arriving += len(chunk)
                    if size > room:
                        raise no_room(room)
                    buffer += chunk
                    if len(buffer) >= FLUSH_BYTES:
                        self._check_space()
                        await asyncio.to_thread(flush)
                self._check_space()
                await asyncio.to_thread(flush)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        finally:
            self.arriving -= size
        return Arrived(path, digest.hexdigest(), size)

    def place(self) -> Path:
        """An empty file in the incoming directory, for what a packed file holds."""
        path = self._incoming / uuid4().hex
        path.touch(mode=0o600, exist_ok=False)
        return path

    def keep(self, arrived: Arrived, identity: str, kind: str) -> None:
        path = self.path(identity, kind)
        path.parent.mkdir(parents=True, exist_ok=True)
        os.replace(arrived.path, path)

    def path(self, identity: str, kind: str) -> Path:
        """Where the file of a checked identity lies."""
        assert kind in KINDS
        if uploaded := IDENTITY.fullmatch(identity):
            return self._kept / f"{uploaded[1]}.{kind}"
        collected = COLLECTED.fullmatch(identity)
        assert collected is not None, "identities come from the table"
        return self._collected / collected[1] / f"{collected[2]}.{kind}"

    def keep_preview(self, identity: str, kind: str, document: str) -> None:
        self.path(identity, kind).with_suffix(PREVIEW).write_text(document, encoding="utf-8")

    def preview_of(self, identity: str) -> Path | None:
        """Where the preview of a file lies; None when there is none."""
        file = self.find(identity)
        path = file.with_suffix(PREVIEW) if file is not None else None
        return path if path is not None and path.is_file() else None

    def remove(self, identity: str, kind: str) -> None:
        """An upload that nobody names any more, with its preview."""
        for path in (self.path(identity, kind), self.preview_of(identity)):
            if path is not None:
                path.unlink(missing_ok=True)

    def find(self, identity: str) -> Path | None:
        """Where a file lies, by its identity alone; None when it is not here."""
        if IDENTITY.fullmatch(identity) is None and COLLECTED.fullmatch(identity) is None:
            return None
        return next((path for kind in KINDS if (path := self.path(identity, kind)).is_file()), None)

    def _check_space(self) -> None:
        require_disk(self._settings)


def no_room(room: int) -> ProblemError:
    detail = f"There is room for {max(0, room):,} bytes more of your data, and the file is larger. Delete data first."
    return ProblemError(507, "uploads-full", "No room for this file", detail)


def kind_of(name: str) -> str:
    """mtx, tns or smtx, from the file's name without a .gz. Raises ProblemError for a name that cannot be."""
    if NAME.fullmatch(name) is None:
        raise ProblemError(
            422,
            "invalid-name",
            "This is not a valid file name",
            "A name has 1 to 200 characters, without control characters, slashes or backslashes.",
        )
    stem, _, kind = name.lower().removesuffix(COMPRESSED).rpartition(".")
    if not stem or kind not in KINDS:
        raise ProblemError(
            415,
            "unknown-file-kind",
            "Unknown kind of file",
            f"Expected a name that ends in .mtx (Matrix Market), .tns (FROSTT) or .smtx (DLMC), or in these and .gz, "
            f"found {name!r}.",
        )
    return kind
