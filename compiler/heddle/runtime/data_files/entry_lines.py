"""Lines of coordinates and values by compiled C: what is as it should be, on as many threads as kernels run on.

What C does not take (a blank line, a comment, ``inf``, a number that is none) is handed, with the lines around it, to
the careful reader (``number_lines.py``), which reads it or says what is wrong with which line.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from heddle.runtime.data_files.data_file import blocks_of_lines, count_lines
from heddle.runtime.native import c_files, library, native_helpers

Lines = TypeVar("Lines")
LineNumbers = NDArray[np.int64] | range
"""Of the line in which each entry stands, from 1."""

_READ_BYTES = 1 << 20
"""What threads share; the text and its entries are in memory at a time."""
_LEAST_BYTES = 1 << 16
"""Less is read sooner than C is loaded."""
_NUMBERS = {"float64": ("double", 1), "complex128": ("double", 2), "int64": ("int64_t", 1)}


@dataclass(frozen=True, slots=True, eq=False)
class EntryLines:
    """``coordinates[d]`` counts from 0; there are ``values`` where lines have any. Entry e stands in ``lines[e]``."""

    coordinates: NDArray[np.int64]
    values: NDArray[Any]
    lines: range


@dataclass(frozen=True, slots=True)
class LineReader:
    """Reads lines of a coordinate below each of ``sizes`` and a value of ``dtype`` (None: of none)."""

    sizes: tuple[int, ...]
    dtype: str | None

    def read(self, text: bytes, first_line: int) -> EntryLines | None:
        """The entries of ``text``; None where the careful reader must look at it."""
        calls = self._functions() if len(text) >= _LEAST_BYTES else None
        if calls is None:
            return None
        if not text.endswith(b"\n"):
            text += b"\n"
        count, read_lines = calls
        parts, characters = native_helpers.threads(len(text) // 8), np.frombuffer(text, np.uint8)
        counts = np.empty(parts, np.int64)
        sizes, read = map(library.dimension, (parts, len(text))), library.pointer(characters)
        dimensions = list(sizes)
        count(*dimensions, read, library.pointer(counts))
        entries = int(counts.sum())
        coordinates = np.empty((len(self.sizes), entries), np.int64)
        values = np.empty(0 if self.dtype is None else entries, self.dtype or "float64")
        arrays = (counts, np.array(self.sizes, np.int64), coordinates, values)
        failed = read_lines(*dimensions, library.dimension(entries), read, *map(library.pointer, arrays))
        return None if failed else EntryLines(coordinates, values, range(first_line, first_line + entries))

    def _functions(self) -> tuple[library.Call, library.Call] | None:
        number, values = ("double", 0) if self.dtype is None else _NUMBERS[self.dtype]
        macros: dict[str, str | int] = {
            "COORDINATES": len(self.sizes),
            "NUMBERS": values,
            "NUMBER": number,
            "WHOLE_VALUES": int(number == "int64_t"),
        }
        text = c_files.defining(macros, c_files.text_of("entry_lines.c"))
        count = native_helpers.moving(text, "count_lines", 8, "int64")
        read_lines = native_helpers.moving(text, "read_lines", 8, "int64")
        return None if count is None or read_lines is None else (count, read_lines)


def read_pieces(
    file: BinaryIO, first_line: int, reader: LineReader, careful: Callable[[BinaryIO, int], Iterator[Lines]]
) -> Iterator[EntryLines | Lines]:
    """All further lines of ``file``, a MiB at a time by the ``reader`` or, where that declines, as ``careful`` reads
    a file from a line on.

    Raises
    ------
    CompileError
        what ``careful`` raises, and ``input/bad-line`` for a line that is too long.
    """
    line = first_line
    for piece in blocks_of_lines(file, first_line, _READ_BYTES):
        entries = reader.read(piece, line)
        if entries is None:
            yield from careful(io.BytesIO(piece), line)
        else:
            yield entries
        line += count_lines(piece) if entries is None else len(entries.lines)
