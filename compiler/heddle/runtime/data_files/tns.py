"""Sparse tensors as FROSTT ``.tns`` text: one entry a line, its 1-based coordinates and then its value; ``#`` comments.

Format: http://frostt.io/tensors/file-formats.html
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError
from heddle.runtime.data_files.data_file import CoordinateSink, ReadLimits, input_error, open_data, remaining_lines
from heddle.runtime.data_files.entry_lines import EntryLines, LineReader, read_pieces
from heddle.runtime.data_files.number_lines import NumberLines, coordinates_of, number_lines, require_finite
from heddle.runtime.tensors.coordinates import Entries

_WHAT = "lines of coordinates and a value, such as: 1 2 3 4.5"
_LARGEST_ORDER = 9
SHAPE = "# shape:"
"""What the first line begins with that says the sizes, which entries alone do not: a comment to other readers."""


def read_tns(path: Path, limits: ReadLimits | None = None, shape: tuple[int, ...] | None = None) -> Entries:
    """The entries of a ``.tns`` file, of the order that its first line has; ``shape`` defaults to what just holds them.

    Returns
    -------
    Entries
        Entries with float64 values.

    Raises
    ------
    CompileError
        codes ``input/...``; the text names the line, what was expected and what was found.
    """
    limits = limits or ReadLimits()
    with open_data(path, limits, _WHAT) as file:
        stated, ends = _stated_shape(file, limits)
        shape = shape or stated
        if shape is not None and ends:
            return Entries(shape, tuple(np.empty(0, np.int64) for _ in shape), np.empty(0))
        order, first_line = _order(file, limits)
        most = remaining_lines(file)
        columns = [np.empty(most, np.int64) for _ in range(order)]
        values = np.empty(most)
        filled = 0
        bounds = _bounds(limits, shape, order)
        for coordinates, numbers in _blocks_of(_read_quickly(file, bounds, first_line), limits, bounds):
            here = slice(filled, filled + numbers.size)
            filled = here.stop
            for column, more in zip(columns, coordinates, strict=True):
                column[here] = more
            values[here] = numbers
    stored_columns = tuple(column[:filled] for column in columns)
    return Entries(shape or tuple(int(column.max()) + 1 for column in stored_columns), stored_columns, values[:filled])


def scan_tns(path: Path, limits: ReadLimits | None, sink: CoordinateSink) -> None:
    """The coordinates of a ``.tns`` file, those that :func:`read_tns` gives, a block at a time; raises likewise. A file
    that does not say its sizes is read twice."""
    limits = limits or ReadLimits()
    with open_data(path, limits, _WHAT) as file:
        shape, ends = _stated_shape(file, limits)
        if shape is not None and ends:
            sink.begin(shape, 0)
            return
        order, first_line = _order(file, limits)
        start, most = file.tell(), remaining_lines(file)
        if shape is None:
            largest = np.zeros(order, np.int64)
            bounds = _bounds(limits, None, order)
            for coordinates, _ in _blocks_of(_read_carefully(file, order, first_line), limits, bounds):
                if coordinates[0].size:
                    largest = np.maximum(largest, [column.max() for column in coordinates])
            shape = tuple(int(size) + 1 for size in largest)
            file.seek(start)
        sink.begin(shape, most)
        bounds = _bounds(limits, shape, order)
        for coordinates, _ in _blocks_of(_read_carefully(file, order, first_line), limits, bounds):
            sink.add(coordinates)


def _read_quickly(file: BinaryIO, bounds: tuple[int, ...], first_line: int) -> Iterator[EntryLines | NumberLines]:
    def read_carefully(rest: BinaryIO, line: int) -> Iterator[NumberLines]:
        return _read_carefully(rest, len(bounds), line)

    return read_pieces(file, first_line, LineReader(bounds, "float64"), read_carefully)


def _read_carefully(file: BinaryIO, order: int, first_line: int) -> Iterator[NumberLines]:
    return number_lines(file, first_line, (*_names(order), "value"), b"#", whole=order)


def _names(order: int) -> tuple[str, ...]:
    return tuple(f"coordinate {number}" for number in range(1, order + 1))


def _bounds(limits: ReadLimits, shape: tuple[int, ...] | None, order: int) -> tuple[int, ...]:
    if shape is not None and len(shape) != order:
        raise _other_order(order, len(shape))
    return shape or (limits.dimension,) * order


def _blocks_of(
    blocks: Iterator[EntryLines | NumberLines] | Iterator[NumberLines], limits: ReadLimits, bounds: tuple[int, ...]
) -> Iterator[tuple[tuple[NDArray[np.int64], ...], NDArray[np.float64]]]:
    """Coordinates and values of some lines at a time, checked."""
    filled = 0
    for block in blocks:
        if filled + len(block.lines) > limits.entries:
            raise _too_many(limits.entries, int(block.lines[limits.entries - filled]))
        filled += len(block.lines)
        if isinstance(block, EntryLines):
            yield tuple(block.coordinates), block.values
            continue
        coordinates = coordinates_of(block.rows, block.lines, bounds, _names(len(bounds)))
        values = block.rows[:, len(bounds)]
        if limits.finite:
            require_finite(values, block.lines)
        yield coordinates, values


def _stated_shape(file: BinaryIO, limits: ReadLimits) -> tuple[tuple[int, ...] | None, bool]:
    """The sizes in the first line, where Heddle wrote the file, and whether no entry comes after it; the place is
    kept."""
    start = file.tell()
    words = file.readline(limits.header_bytes).split()
    ends = not file.read(1)
    file.seek(start)
    prefix = SHAPE.encode("ascii").split()
    sizes = words[len(prefix) :]
    if words[: len(prefix)] != prefix or not all(word.isdigit() and len(word) < 20 for word in sizes):
        return None, False
    shape = tuple(map(int, sizes))
    if not 1 <= len(shape) <= _LARGEST_ORDER or any(not 1 <= size <= limits.dimension for size in shape):
        return None, False
    return shape, ends


def _too_many(limit: int, line: int) -> CompileError:
    return input_error(
        "too-large",
        f"the file holds more than {limit:,} entries, which is the limit.",
        line=line,
        expected=f"at most {limit:,} entries",
        actual="more",
        hint="Use a smaller tensor.",
    )


def _other_order(order: int, expected: int) -> CompileError:
    return input_error(
        "bad-line",
        f"The file holds a tensor of order {order}, but order {expected} is expected.",
        expected=f"order {expected}",
        actual=f"order {order}",
        hint="Choose another file, or change the expression.",
    )


def _order(file: BinaryIO, limits: ReadLimits) -> tuple[int, int]:
    """The number of coordinates on the first line that is no comment, at which ``file`` then stands, and its number."""
    line, in_comment = 1, False  # a comment may be longer than what is read at once
    while content := file.readline(limits.header_bytes):
        text = content.strip()
        in_comment = in_comment or text.startswith(b"#")
        if text and not in_comment:
            order = len(text.split()) - 1
            if 1 <= order <= _LARGEST_ORDER:
                file.seek(-len(content), os.SEEK_CUR)
                return order, line
            raise input_error(
                "bad-line",
                f"expected 1 to {_LARGEST_ORDER} coordinates and a value, found {order + 1} "
                f"{'number' if order == 0 else 'numbers'}.",
                line=line,
                expected=f"1 to {_LARGEST_ORDER} coordinates and a value",
                actual=f"{order + 1} numbers",
                hint=f"A .tns file holds {_WHAT}.",
            )
        if content.endswith(b"\n"):
            line, in_comment = line + 1, False
    raise input_error(
        "empty-file",
        "The file holds only comments; expected " + _WHAT + ".",
        expected=_WHAT,
        actual="comments only",
        hint="Choose another file.",
    )
