"""Sparse patterns as ``.smtx`` text (the Deep Learning Matrix Collection): a line ``rows, columns, nonzeros``, a line
of row positions, a line of column coordinates, both counted from 0. There are no values: each entry is 1.

Format: Gale et al. 2020, https://github.com/google-research/google-research/tree/master/sgk
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from compiler.runtime.coordinates import Entries
from compiler.runtime.file_bytes import read_bytes
from compiler.runtime.number_lines import ReadLimits, input_error, quoted

_WHAT = "three lines: rows, columns, nonzeros; row positions; column coordinates"


def read_smtx(path: Path, limits: ReadLimits | None = None) -> Entries:
    """The entries of a ``.smtx`` file, with the value 1.0.

    Raises:
        CompileError: codes ``input/...``; the text names the line, what was expected and what was found.
    """
    limits = limits or ReadLimits()
    lines = read_bytes(path, limits, _WHAT).rstrip().split(b"\n")
    rows, columns, nonzeros = _sizes(lines[0], limits)
    if len(lines) != 3 and not (len(lines) == 2 and nonzeros == 0):
        raise input_error(
            "bad-line", f"The file has {len(lines)} lines, expected {_WHAT}.", expected=_WHAT,
            found=f"{len(lines)} lines", hint="The file may have been cut off: upload it again.",
        )  # fmt: skip
    positions = _whole(lines[1], 2, rows + 1, "row positions")
    coordinates = _whole(lines[2] if nonzeros else b"", 3, nonzeros, "column coordinates")
    falling = np.flatnonzero(np.diff(positions) < 0)
    if positions[0] != 0 or positions[-1] != nonzeros or falling.size:
        found = f"from {positions[0]} to {positions[-1]}" + (
            f", falling after row {falling[0]}" if falling.size else ""
        )
        raise input_error(
            "bad-line", f"the row positions must rise from 0 to {nonzeros}, found {found}.", line=2,
            expected=f"numbers that rise from 0 to {nonzeros}", found=found, hint="Correct the line.",
        )  # fmt: skip
    wrong = np.flatnonzero(coordinates >= columns)
    if wrong.size:
        found = str(coordinates[wrong[0]])
        raise input_error(
            "coordinate-out-of-range", f"the column is {found}, but expected are whole numbers below {columns:,}.",
            line=3, expected=f"whole numbers below {columns:,}", found=found,
            hint="Coordinates count from 0; correct the line or the sizes.",
        )  # fmt: skip
    row = np.repeat(np.arange(rows, dtype=np.int64), np.diff(positions))
    return Entries((rows, columns), (row, coordinates), np.ones(nonzeros))


def _sizes(content: bytes, limits: ReadLimits) -> tuple[int, int, int]:
    words = content.replace(b",", b" ").split()
    if len(words) != 3 or not all(word.isdigit() and len(word) <= 20 for word in words):
        raise input_error(
            "bad-size-line", f"expected rows, columns, nonzeros, found {quoted(content)}.", line=1,
            expected="three whole numbers: rows, columns, nonzeros", found=quoted(content), hint="Correct the line.",
        )  # fmt: skip
    rows, columns, nonzeros = (int(word) for word in words)
    largest = limits.dimension
    bounds = (("rows", rows, largest), ("columns", columns, largest), ("nonzeros", nonzeros, limits.entries))
    for name, size, most in bounds:
        if size > most:
            raise input_error(
                "too-large", f"the first line announces {size:,} {name}, the limit is {most:,}.", line=1,
                expected=f"at most {most:,} {name}", found=f"{size:,}", hint="Use a smaller matrix.",
            )  # fmt: skip
    return rows, columns, nonzeros


def _whole(content: bytes, line: int, count: int, what: str) -> NDArray[np.int64]:
    """Exactly ``count`` whole numbers of at most 18 digits."""
    words = content.split()
    if len(words) != count:
        raise input_error(
            "bad-line", f"expected {count:,} {what}, found {len(words):,}.", line=line,
            expected=f"{count:,} {what}", found=f"{len(words):,}", hint="The file may have been cut off.",
        )  # fmt: skip
    for word in words:
        if not word.isdigit() or len(word) > 18:
            raise input_error(
                "bad-line", f"expected {what}, found {quoted(word)}, which is not a whole number.", line=line,
                expected="whole numbers", found=quoted(word), hint="Correct the number.",
            )  # fmt: skip
    return np.array(words, dtype=object).astype(np.int64) if words else np.empty(0, dtype=np.int64)
