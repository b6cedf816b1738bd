"""Sparse patterns as ``.smtx`` text (the Deep Learning Matrix Collection): a line ``rows, columns, nonzeros``, a line
of row positions, a line of column coordinates, both counted from 0. There are no values: each entry is 1.

Format: Gale et al. 2020, https://github.com/google-research/google-research/tree/master/sgk
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from heddle.counts import repeat
from heddle.runtime.data_files.data_file import (
    BLOCK_BYTES,
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
    limits = limits or ReadLimits()
    with open_data(path, limits, _WHAT) as file:
        rows, columns, nonzeros = _sizes(file.readline(limits.header_bytes), limits)
        positions = _whole(file, 2, rows + 1, "row positions")
        coordinates = _whole(file, 3, nonzeros, "column coordinates")
        rest = file.read(BLOCK_BYTES)
        if rest.strip():
            raise input_error(
                "bad-line", f"there is more here than expected; expected {_WHAT}.", line=4, expected=_WHAT,
                actual=quote(rest), hint="Remove what comes after the column coordinates.",
            )  # fmt: skip
    falling = np.flatnonzero(np.diff(positions) < 0)
    if positions[0] != 0 or positions[-1] != nonzeros or falling.size:
        actual = f"from {positions[0]} to {positions[-1]}" + (
            f", falling after row {falling[0]}" if falling.size else ""
        )
        raise input_error(
            "bad-line", f"the row positions must rise from 0 to {nonzeros}, found {actual}.", line=2,
            expected=f"numbers that rise from 0 to {nonzeros}", actual=actual, hint="Correct the line.",
        )  # fmt: skip
    wrong = np.flatnonzero(coordinates >= columns)
    if wrong.size:
        actual = str(coordinates[wrong[0]])
        raise input_error(
            "coordinate-out-of-range", f"the column is {actual}, expected whole numbers below {columns:,}.",
            line=3, expected=f"whole numbers below {columns:,}", actual=actual,
            hint="Coordinates count from 0; correct the line or the sizes.",
        )  # fmt: skip
    row = repeat(np.arange(rows, dtype=np.int64), np.diff(positions))
    return Entries((rows, columns), (row, coordinates), np.ones(nonzeros))


def scan_smtx(path: Path, limits: ReadLimits | None, sink: CoordinateSink) -> None:
    """The coordinates of a ``.smtx`` file, which are in memory; raises as :func:`read_smtx`."""
    entries = read_smtx(path, limits)
    sink.begin(entries.shape, entries.values.size)
    sink.add(entries.columns)


def _sizes(content: bytes, limits: ReadLimits) -> tuple[int, int, int]:
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
    return rows, columns, nonzeros


def _whole(file: BinaryIO, line: int, count: int, what: str) -> NDArray[np.int64]:
    """Exactly ``count`` whole numbers, which are the next line of the file."""
    # Each number takes a digit and a space; the last line may lack its newline.
    numbers = np.empty(min(count, remaining_bytes(file) // 2 + 1), dtype=np.int64)
    read_count = 0
    for piece in _pieces_of_line(file):
        if piece.translate(None, _WHOLE):
            word = next(word for word in piece.split() if not word.isdigit())
            raise input_error(
                "bad-line", f"expected {what}, found {quote(word)}, which is not a whole number.", line=line,
                expected="whole numbers", actual=quote(word), hint="Correct the number.",
            )  # fmt: skip
        # Numbers that do not fit come back as the largest, which is out of every range.
        more = np.fromstring(piece.decode("ascii"), dtype=np.int64, sep=" ") if piece.strip() else numbers[:0]
        chunk = more[: max(numbers.size - read_count, 0)]
        numbers[read_count : read_count + chunk.size] = chunk
        read_count += more.size
    if read_count != count:
        raise input_error(
            "bad-line", f"expected {count:,} {what}, found {read_count:,}.", line=line,
            expected=f"{count:,} {what}", actual=f"{read_count:,}", hint="The file may have been cut off.",
        )  # fmt: skip
    return numbers


def _pieces_of_line(file: BinaryIO) -> Iterator[bytes]:
    """The next line in pieces that end between two numbers."""
    carried = b""
    while read := file.readline(BLOCK_BYTES):
        whole = read.endswith(b"\n")
        end = len(read) if whole else max(read.rfind(b" "), read.rfind(b"\t")) + 1
        yield carried + read[:end]
        carried = read[end:]
        if whole:
            return
        if len(carried) >= BLOCK_BYTES:
            break
    yield carried
