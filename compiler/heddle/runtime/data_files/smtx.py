"""Sparse patterns as ``.smtx`` text (the Deep Learning Matrix Collection): a line ``rows, columns, nonzeros``, a line
of row positions, a line of column coordinates, both counted from 0. There are no values: each entry is 1.

Format: Gale et al. 2020, https://github.com/google-research/google-research/tree/master/sgk
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError
from heddle.runtime.data_files.data_file import (
    BLOCK_BYTES,
    READ_BYTES,
    CoordinateSink,
    ReadLimits,
    input_error,
    open_data,
    quote,
    remaining_bytes,
)
from heddle.runtime.tensors.coordinates import Entries

_WHAT = "three lines: rows, columns, nonzeros; row positions; column coordinates"
_WHOLE = b"0123456789 \t\r\n\v\f"


def read_smtx(path: Path, limits: ReadLimits | None = None) -> Entries:
    """The entries of a ``.smtx`` file, with the value 1.0.

    Raises
    ------
    CompileError
        codes ``input/...``; the text names the line, what was expected and what was found.
    """
    with open_data(path, limits := limits or ReadLimits(), _WHAT) as file:
        sizes = _sizes(file.readline(limits.header_bytes), limits)
        room, filled = min(sizes.nonzeros, remaining_bytes(file) // 2 + 1), 0
        rows, columns = np.empty(room, np.int64), np.empty(room, np.int64)
        for row, column in _blocks(file, path, sizes):
            here = slice(filled, filled + column.size)
            rows[here], columns[here] = row, column
            filled = here.stop
    return Entries((sizes.rows, sizes.columns), (rows, columns), np.ones(filled))


def scan_smtx(path: Path, limits: ReadLimits | None, sink: CoordinateSink) -> None:
    """The coordinates that :func:`read_smtx` gives, a block at a time; raises likewise."""
    with open_data(path, limits := limits or ReadLimits(), _WHAT) as file:
        sizes = _sizes(file.readline(limits.header_bytes), limits)
        sink.begin((sizes.rows, sizes.columns), sizes.nonzeros)
        for columns in _blocks(file, path, sizes):
            sink.add(columns)


@dataclass(frozen=True, slots=True)
class _Sizes:
    """What the first line announces."""

    rows: int
    columns: int
    nonzeros: int


def _blocks(file: BinaryIO, path: Path, sizes: _Sizes) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Rows and columns of some entries at a time. The row positions are read twice, since neither of the two lines may
    fit into memory: first by themselves, then beside the columns."""
    begin = file.tell()
    positions_fault = _positions_fault(_whole(file, 2, sizes.rows + 1, "row positions"), sizes.nonzeros)
    seen, columns_fault = 0, None
    with path.open("rb") as again:
        again.seek(begin)
        rows = _Rows(_whole(again, 2, sizes.rows + 1, "row positions"))
        for columns in _whole(file, 3, sizes.nonzeros, "column coordinates"):
            columns_fault = columns_fault or _columns_fault(columns, sizes.columns)
            # Of a file with a fault the rest is read for what is wrong in front of that.
            if positions_fault is None and columns_fault is None:
                yield rows.take(seen, seen + columns.size), columns
            seen += columns.size
    rest = file.read(BLOCK_BYTES)
    if rest.strip():
        raise input_error(
            "bad-line", f"there is more here than expected; expected {_WHAT}.", line=4, expected=_WHAT,
            actual=quote(rest), hint="Remove what comes after the column coordinates.",
        )  # fmt: skip
    if (fault := positions_fault or columns_fault) is not None:
        raise fault


def _positions_fault(pieces: Iterator[NDArray[np.int64]], nonzeros: int) -> CompileError | None:
    """What is wrong with row positions that are whole numbers and as many as there should be."""
    first, last, falling, seen = None, 0, None, 0
    for piece in pieces:
        if first is None:
            first = last = int(piece[0])
        falls = np.flatnonzero(np.diff(piece, prepend=last) < 0)
        if falls.size and falling is None:
            falling = seen + int(falls[0]) - 1
        last, seen = int(piece[-1]), seen + piece.size
    if first == 0 and last == nonzeros and falling is None:
        return None
    actual = f"from {first} to {last}" + (f", falling after row {falling}" if falling is not None else "")
    return input_error(
        "bad-line", f"the row positions must rise from 0 to {nonzeros}, found {actual}.", line=2,
        expected=f"numbers that rise from 0 to {nonzeros}", actual=actual, hint="Correct the line.",
    )  # fmt: skip


def _columns_fault(columns: NDArray[np.int64], width: int) -> CompileError | None:
    wrong = np.flatnonzero(columns >= width)
    if not wrong.size:
        return None
    actual = str(columns[wrong[0]])
    return input_error(
        "coordinate-out-of-range", f"the column is {actual}, expected whole numbers below {width:,}.",
        line=3, expected=f"whole numbers below {width:,}", actual=actual,
        hint="Coordinates count from 0; correct the line or the sizes.",
    )  # fmt: skip


class _Rows:
    """Rows of entries that are asked for in their order, by row positions that rise and come in pieces."""

    def __init__(self, positions: Iterator[NDArray[np.int64]]) -> None:
        self._positions = positions
        # Where each row of the present piece ends, and how many rows are before it: none ends at the first position.
        self._ends: NDArray[np.int64] = np.empty(0, np.int64)
        self._before = -1

    def take(self, begin: int, end: int) -> NDArray[np.int64]:
        pieces = []
        while begin < end:
            while not self._ends.size or self._ends[-1] <= begin:
                self._before += self._ends.size
                self._ends = next(self._positions)
            until = min(end, int(self._ends[-1]))
            entries = np.arange(begin, until, dtype=np.int64)
            pieces.append(self._before + np.searchsorted(self._ends, entries, side="right"))
            begin = until
        return np.concatenate([np.empty(0, np.int64), *pieces])


def _sizes(content: bytes, limits: ReadLimits) -> _Sizes:
    words = content.replace(b",", b" ").split()
    if len(words) != 3 or not all(word.isdigit() and len(word) <= 20 for word in words):
        raise input_error(
            "bad-size-line", f"expected rows, columns, nonzeros, found {quote(content)}.", line=1,
            expected="three whole numbers: rows, columns, nonzeros", actual=quote(content), hint="Correct the line.",
        )  # fmt: skip
    rows, columns, nonzeros = (int(word) for word in words)
    largest = limits.dimension
    bounds = (("rows", rows, largest), ("columns", columns, largest), ("nonzeros", nonzeros, limits.entries))
    for name, size, most in bounds:
        if size > most:
            raise input_error(
                "too-large", f"the first line announces {size:,} {name}, the limit is {most:,}.", line=1,
                expected=f"at most {most:,} {name}", actual=f"{size:,}", hint="Use a smaller matrix.",
            )  # fmt: skip
    return _Sizes(rows, columns, nonzeros)


def _whole(file: BinaryIO, line: int, count: int, what: str) -> Iterator[NDArray[np.int64]]:
    """Exactly ``count`` whole numbers, which are the next line of the file, some at a time."""
    read_count = 0
    for piece in _pieces_of_line(file):
        if piece.translate(None, _WHOLE):
            word = next(word for word in piece.split() if not word.isdigit())
            raise input_error(
                "bad-line", f"expected {what}, found {quote(word)}, which is not a whole number.", line=line,
                expected="whole numbers", actual=quote(word), hint="Correct the number.",
            )  # fmt: skip
        if not piece.strip():
            continue
        # Numbers that do not fit come back as the largest, which is out of every range.
        numbers = np.fromstring(piece.decode("ascii"), dtype=np.int64, sep=" ")
        if read_count < count:
            yield numbers[: count - read_count]
        read_count += numbers.size
    if read_count != count:
        raise input_error(
            "bad-line", f"expected {count:,} {what}, found {read_count:,}.", line=line,
            expected=f"{count:,} {what}", actual=f"{read_count:,}", hint="The file may have been cut off.",
        )  # fmt: skip


def _pieces_of_line(file: BinaryIO) -> Iterator[bytes]:
    """The next line in pieces that end between two numbers."""
    carried = b""
    while read := file.readline(READ_BYTES):
        whole = read.endswith(b"\n")
        end = len(read) if whole else max(read.rfind(b" "), read.rfind(b"\t")) + 1
        yield carried + read[:end]
        carried = read[end:]
        if whole:
            return
        if len(carried) >= READ_BYTES:
            break
    yield carried
