"""Unpacks one file of an upload or a download, inside of a confined process: piece by piece, under bounds on what goes
in, on what comes out, and on how many members lie in it. Time is bounded by the limits of the process.

A gzip file is a series of members, and one of twenty bytes holds nothing: bounds on what comes out would never be met.
Of a tar file one member is read, and nothing is ever unpacked by its own name.
"""

from __future__ import annotations

import os
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Protocol, cast

PIECE_BYTES = 1 << 20
# Behind each member what is left of a read is copied: large ones would make many small members slow.
READ_BYTES = 1 << 16
WITH_GZIP_HEADER = 31
# Programs that pack in parallel make a member of each 64 KiB, of which a few KiB are left.
MEMBERS_FREELY, BYTES_OF_A_MEMBER = 1000, 1024
# Text of numbers packs to a tenth; what unpacks to far more than a small file is made to fill disks.
UNPACKED_FREELY, UNPACKED_RATIO = 8 << 20, 50
MOST_TAR_MEMBERS = 1000


class Reason(StrEnum):
    """Why a packed file is refused."""

    LIMIT = "limit"
    RATIO = "ratio"
    ROOM = "room"
    DISK = "disk"
    MEMBERS = "members"
    DAMAGED = "damaged"
    MISSING = "missing"


class Refused(Exception):  # noqa: N818 - reads as what happened
    """``bound`` is the number that the file is beyond; ``what`` says what is damaged."""

    def __init__(self, reason: Reason, bound: int = 0, what: str = "") -> None:
        super().__init__(reason, bound, what)
        self.reason, self.bound, self.what = reason, bound, what


class Readable(Protocol):
    """An open file."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes; none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """In bytes: what a file may unpack to, how much of it there is room for, and how much of the disk stays free."""

    unpacked: int
    room: int
    free_disk: int


def unpack(packed: Path, into: Path, bounds: Bounds, member: str | None = None) -> None:
    """Writes the plain file into one that is there already. ``member`` names that of a packed tar file. Raises
    Refused."""
    try:
        with packed.open("rb") as file, into.open("r+b") as plain:
            unpacked = Unpacked(file, os.fstat(file.fileno()).st_size, bounds)
            written = 0
            with member_of(unpacked, member) if member is not None else whole(unpacked) as source:
                while piece := source.read(PIECE_BYTES):
                    written += len(piece)
                    if written > bounds.room:
                        raise Refused(Reason.ROOM, bounds.room)
                    if shutil.disk_usage(into).free < bounds.free_disk:
                        raise Refused(Reason.DISK)
                    plain.write(piece)
    except (tarfile.TarError, EOFError, RecursionError, UnicodeError, zlib.error) as error:
        raise Refused(Reason.DAMAGED, what=str(error)[:200]) from None


@contextmanager
def whole(unpacked: Unpacked) -> Iterator[Readable]:
    yield unpacked


@contextmanager
def member_of(unpacked: Unpacked, wanted: str) -> Iterator[Readable]:
    """One regular file of a tar file."""
    with tarfile.open(fileobj=cast(BinaryIO, unpacked), mode="r|") as archive:
        for number, entry in enumerate(archive):
            if number == MOST_TAR_MEMBERS:
                raise Refused(Reason.MEMBERS, MOST_TAR_MEMBERS)
            if entry.name == wanted and entry.isreg():
                content = archive.extractfile(entry)
                assert content is not None, "a regular file has content"
                with content:
                    yield content
                return
    raise Refused(Reason.MISSING, what=wanted)


class Unpacked:
    """What all members of a gzip file hold, one after the other, read as a file.

    Raises
    ------
    Refused
        Too much comes out of it, or it has too many members.
    EOFError, zlib.error
        It is damaged.
    """

    def __init__(self, file: BinaryIO, size: int, bounds: Bounds) -> None:
        self._file = file
        self._limit, self._ratio = bounds.unpacked, max(UNPACKED_FREELY, UNPACKED_RATIO * size)
        self._most_members = MEMBERS_FREELY + size // BYTES_OF_A_MEMBER
        self._members, self._size = 0, 0
        self._packed = b""
        self._member: zlib._Decompress | None = None

    def read(self, size: int, /) -> bytes:
        """Less than ``size`` only at the end, as programs that read tar files expect."""
        pieces, wanted = list[bytes](), size
        while wanted and (piece := self._read_some(wanted)):
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def _read_some(self, most: int) -> bytes:
        """Nothing only at the end."""
        while True:
            if self._member is None and not self._begin_member():
                return b""
            assert self._member is not None
            packed = self._packed or self._file.read(READ_BYTES)
            piece = self._member.decompress(packed, most)
            if self._member.eof:
                self._packed, self._member = self._member.unused_data, None
            else:
                self._packed = self._member.unconsumed_tail
                if not packed and not piece:
                    raise EOFError("it ends in the middle")
            if piece:
                self._count(len(piece))
                return piece

    def _begin_member(self) -> bool:
        """False at the end. Zeros may stand between members, and behind the last one, to fill up a tape."""
        if self._members:
            while not (left := self._packed.lstrip(b"\0")):
                self._packed = self._file.read(READ_BYTES)
                if not self._packed:
                    return False
            self._packed = left
        self._members += 1
        if self._members > self._most_members:
            raise Refused(Reason.MEMBERS, self._most_members)
        self._member = zlib.decompressobj(WITH_GZIP_HEADER)
        return True

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > self._limit:
            raise Refused(Reason.LIMIT, self._limit)
        if self._size > self._ratio:
            raise Refused(Reason.RATIO, self._ratio)
