"""A data file opened for reading piece by piece: however large it is, little of it is in memory at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.plan.limits import MAX_DIMENSION

BLOCK_BYTES = 1 << 20
"""The longest line."""
READ_BYTES = 1 << 17
"""What is made of so many bytes at a time takes some twenty times their room."""
_START_BYTES = 64 << 10
_NEWLINE = 10
# The first bytes of gzip, bzip2, zip, xz and zstd.
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"PK\x03\x04", b"\xfd7zX", b"\x28\xb5\x2f\xfd")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WIDE_CHARACTERS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What a file may hold. The defaults suit one machine; a service for strangers sets smaller ones.

    ``header_bytes`` bounds the lines before the entries: a banner, comments and sizes. ``finite``: NaN and infinities
    are refused, which a run that is verified against a reference cannot compare.
    """

    file_bytes: int = 2 << 30
    header_bytes: int = 1 << 20
    dimension: int = MAX_DIMENSION
    entries: int = 2**31 - 1
    finite: bool = False


class CoordinateSink(Protocol):
    """Takes the coordinates of a file, of which little is in memory at a time."""

    def begin(self, shape: tuple[int, ...], most: int) -> None:
        """Called once, before them; there are ``most`` of them at most."""
        ...

    def add(self, columns: tuple[NDArray[np.int64], ...]) -> None:
        """Those of some lines, counted from 0, by dimension."""
        ...


VERIFIED = ReadLimits(dimension=2**31 - 1, finite=True)
"""What a file may hold whose kernels are verified: those of the service."""


def input_error(
    code: str,
    message: str,
    *,
    line: int | None = None,
    expected: str | None = None,
    actual: str | None = None,
    hint: str,
) -> OperandError:
    """An error about a person's file; the message starts with the line where one is to blame."""
    text = message if line is None else f"Line {line:,}: {message}"
    return OperandError(
        Diagnostic(f"input/{code}", text, Location(Part.INPUT), expected=expected, actual=actual, hint=hint)
    )


def quote(content: bytes, limit: int = 60) -> str:
    """A piece of a file, safe and short enough for a message."""
    text = content.strip()[: 4 * limit].decode("ascii", errors="replace")
    text = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return f'"{text[:limit]}{"…" if len(text) > limit else ""}"'


@contextmanager
def open_data(path: Path, limits: ReadLimits, what: str) -> Iterator[BinaryIO]:
    """``path``, opened at its start, behind a byte-order mark; ``what`` says in messages what it should be.

    Raises
    ------
    CompileError
        ``input/too-large``, ``input/empty-file``, ``input/compressed-file``, ``input/encoding``.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > limits.file_bytes:
            raise input_error(
                "too-large",
                f"The file has {size:,} bytes, the limit is {limits.file_bytes:,}.",
                expected=f"at most {limits.file_bytes:,} bytes",
                actual=f"{size:,} bytes",
                hint="Use a smaller file.",
            )
        start = file.read(_START_BYTES)
        if not start.strip() and size <= len(start):
            raise input_error(
                "empty-file",
                f"The file is empty; expected {what}.",
                expected=what,
                actual="an empty file",
                hint="Choose another file, or upload it again.",
            )
        if start.startswith(_COMPRESSED):
            raise input_error(
                "compressed-file",
                f"The file is compressed; expected {what} as plain text.",
                expected=what,
                actual="a compressed file",
                hint="Unpack it first.",
            )
        if start.startswith(_WIDE_CHARACTERS):
            raise input_error(
                "encoding",
                f"The file is text of UTF-16; expected {what} in ASCII or UTF-8.",
                expected="text in ASCII or UTF-8",
                actual="UTF-16",
                hint="Save it as UTF-8.",
            )
        # Editors on Windows put the mark in front of UTF-8.
        file.seek(len(_BYTE_ORDER_MARK) if start.startswith(_BYTE_ORDER_MARK) else 0)
        yield file


def remaining_bytes(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size - file.tell()


def count_lines(text: bytes) -> int:
    """How many lines end in ``text``: in a fraction of the time that ``bytes.count`` takes for short lines."""
    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == _NEWLINE))


def remaining_lines(file: BinaryIO) -> int:
    """How many lines there are from here to the end, in which the last one may lack its newline; the place is kept."""
    start, lines, last = file.tell(), 0, b"\n"
    while block := file.read(BLOCK_BYTES):
        lines += count_lines(block)
        last = block[-1:]
    file.seek(start)
    return lines + (last != b"\n")


def blocks_of_lines(file: BinaryIO, first_line: int, read_bytes: int | None = None) -> Iterator[bytes]:
    """The rest of ``file`` in pieces of about ``read_bytes`` (None: of some hundred KiB) that end with a line.

    Raises
    ------
    CompileError
        ``input/bad-line`` for a line that is longer than a MiB.
    """
    carried, line = b"", first_line
    size = min(READ_BYTES, BLOCK_BYTES) if read_bytes is None else read_bytes
    while read := file.read(size):
        end = read.rfind(b"\n") + 1
        if end == 0:
            carried += read
            if len(carried) > BLOCK_BYTES:
                raise input_error(
                    "bad-line",
                    f"the line is longer than {BLOCK_BYTES:,} characters; it begins {quote(carried)}.",
                    line=line,
                    expected="one entry a line",
                    actual=quote(carried),
                    hint="Check that this is the right kind of file, and that its lines end with newlines.",
                )
            continue
        block = carried + read[:end]
        carried = read[end:]
        line += count_lines(block)
        yield block
    if carried:
        yield carried


def obstacle_at(file: Path) -> str | None:
    """Why a new file cannot take the place of ``file``, in words; None where it can."""
    if file.is_dir():
        return f"{file} is a folder"
    if not file.parent.is_dir():
        return f"the folder {file.parent} does not exist"
    return f"{file} is a device or a pipe" if file.exists() and not file.is_file() else None
