"""Files of numbers, one entry per line, read strictly: every line has its numbers, or the error names the line.

Parsing is vectorised over blocks of lines; only a faulty block is looked at line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError, InternalError
from heddle.runtime.data_files.data_file import blocks_of_lines, input_error, quote

_NEWLINE = 10
_LONGEST_NUMBER = 1000
"""Characters of a number that is looked at again."""
_FORTRAN_EXPONENT = re.compile(rb"(?<=[0-9.])[dD](?=[-+0-9])")


@dataclass(frozen=True, slots=True, eq=False)
class NumberLines:
    """``rows[k]`` are the numbers of the k-th line that holds any, ``lines[k]`` is that line's 1-based number.
    ``text`` is what they were read from, in which ``starts`` are the places of their words."""

    rows: NDArray[np.float64]
    lines: NDArray[np.int64]
    text: bytes
    starts: NDArray[np.int64]

    def word(self, row: int, column: int) -> bytes:
        """The text of one number."""
        start = int(self.starts[row * self.rows.shape[1] + column])
        return self.text[start : start + _LONGEST_NUMBER].split(maxsplit=1)[0]


def number_lines(
    file: BinaryIO, first_line: int, names: tuple[str, ...], comment: bytes, whole: int = 0
) -> Iterator[NumberLines]:
    """The numbers of all further lines of ``file``, a block of lines at a time; blank lines and lines that start with
    ``comment`` are passed over.

    Parameters
    ----------
    first_line
        the 1-based number of the line at which the file stands.
    names
        what each number of a line is, for messages; every line must have exactly these.
    whole
        so many numbers at the start of each line are coordinates, which have digits alone: 1.00000000000000001 would be
        read as 1.

    Raises
    ------
    CompileError
        ``input/bad-line``.
    """
    line = first_line
    for block in blocks_of_lines(file, first_line):
        text = re.sub(rb"(?m)^[ \t]*" + re.escape(comment) + rb"[^\n]*", b"", block) if comment in block else block
        characters = np.frombuffer(text, dtype=np.uint8)
        blank = (characters == 32) | ((characters >= 9) & (characters <= 13))
        starts = ~blank
        starts[1:] &= blank[:-1]
        ends = np.append(np.flatnonzero(characters == _NEWLINE), characters.size)
        words = np.flatnonzero(starts)
        counts = np.diff(np.searchsorted(words, ends), prepend=0)
        wrong = (counts != 0) & (counts != len(names))
        numbers = None if wrong.any() else _numbers(text)
        if numbers is None and not wrong.any() and _FORTRAN_EXPONENT.search(text):
            text = _FORTRAN_EXPONENT.sub(b"e", text)  # Fortran writes 1.5D+02 in double precision
            characters, numbers = np.frombuffer(text, dtype=np.uint8), _numbers(text)
        if numbers is not None and whole:
            _require_digits(text, characters, words, line, names, whole)
        if numbers is None:
            raise _first_fault(text, line, names)
        yield NumberLines(numbers.reshape(-1, len(names)), np.flatnonzero(counts) + line, text, words)
        line += ends.size - 1


def _require_digits(
    text: bytes,
    characters: NDArray[np.uint8],
    words: NDArray[np.int64],
    line: int,
    names: tuple[str, ...],
    whole: int,
) -> None:
    """Refuses coordinates with a decimal point or an exponent; ``words`` are where the words of ``text`` begin."""
    marks = np.flatnonzero((characters == ord(".")) | ((characters | 0x20) == ord("e")))
    places = np.searchsorted(words, marks, side="right") - 1
    wrong = places[places % len(names) < whole]
    if not wrong.size:
        return
    place = int(wrong[0])
    actual = quote(text[int(words[place]) :].split(maxsplit=1)[0])
    raise input_error(
        "bad-line",
        f"the {names[place % len(names)]} is {actual}, but must be a whole number in digits.",
        line=line + text.count(b"\n", 0, int(words[place])),
        expected="a whole number in digits",
        actual=actual,
        hint="Write coordinates without a decimal point or an exponent.",
    )


def _numbers(text: bytes) -> NDArray[np.float64] | None:
    """All numbers of a text, None when something in it is not a number."""
    if not text.strip():
        return np.empty(0)
    try:
        # Control characters would end the conversion early and unnoticed.
        return np.fromstring(text.decode("ascii"), sep=" ") if b"\0" not in text else None
    except (ValueError, DeprecationWarning):
        return None


def _first_fault(text: bytes, line: int, names: tuple[str, ...]) -> CompileError:
    """The error for the first line of ``text`` that is not as it should be."""
    expected = f"{len(names)} {'number' if len(names) == 1 else 'numbers'} ({', '.join(names)})"
    for number, content in enumerate(text.split(b"\n"), start=line):
        words = content.split()
        if not words:
            continue
        if len(words) != len(names):
            actual = f"{len(words)}: {quote(content)}"
        elif (bad := next((word for word in words if not _is_number(word)), None)) is not None:
            actual = f"{quote(bad)}, which is not a number"
        else:
            continue
        return input_error(
            "bad-line",
            f"expected {expected}, found {actual}.",
            line=number,
            expected=expected,
            actual=actual,
            hint="Correct the line; if it is the last one, the file may have been cut off.",
        )
    raise InternalError(f"Lines from {line} on could not be read, but none of them is wrong")


def _is_number(word: bytes) -> bool:
    numbers = _numbers(word)
    return numbers is not None and numbers.size == 1


def coordinates_of(
    numbers: NDArray[np.float64], lines: NDArray[np.int64], sizes: tuple[int, ...], names: tuple[str, ...]
) -> tuple[NDArray[np.int64], ...]:
    """The columns of ``numbers`` as 0-based coordinates, checked to be whole and within ``sizes``.

    Raises
    ------
    CompileError
        ``input/coordinate-out-of-range``.
    """
    columns = []
    for dimension, (size, name) in enumerate(zip(sizes, names, strict=True)):
        column = numbers[:, dimension]
        wrong = ~((column >= 1) & (column <= size) & (column == np.floor(column)))
        if wrong.any():
            place = int(np.flatnonzero(wrong)[0])
            expected = f"whole numbers from 1 to {size:,}" if size else "no entries, since the size is 0"
            raise input_error(
                "coordinate-out-of-range",
                f"the {name} is {_plain(column[place])}, expected {expected}.",
                line=int(lines[place]),
                expected=expected,
                actual=_plain(column[place]),
                hint="Coordinates count from 1; correct the line or the size in the header.",
            )
        columns.append(column.astype(np.int64) - 1)
    return tuple(columns)


def _plain(value: float) -> str:
    return f"{value:.0f}" if value == np.floor(value) and abs(value) < 1e15 else f"{value:g}"


def require_finite(values: NDArray[np.float64], lines: NDArray[np.int64]) -> None:
    """Refuses NaN and infinities: a run is verified against a reference, which needs numbers that can be compared.

    Raises
    ------
    CompileError
        ``input/not-finite``.
    """
    wrong = ~np.isfinite(values)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise input_error(
            "not-finite",
            f"the value is {values[place]:g}; results are verified against a reference, which needs finite numbers.",
            line=int(lines[place]),
            expected="a finite number",
            actual=f"{values[place]:g}",
            hint="Replace or remove the entry.",
        )
