"""Matrix Market files, read strictly (format: https://math.nist.gov/MatrixMarket/formats.html).

``coordinate`` and ``array`` files of ``real``, ``integer``, ``complex`` and ``pattern`` values, ``general``,
``symmetric``, ``skew-symmetric`` or ``hermitian``. SciPy's reader takes ``1.0abc`` for 1 and ``2 1.5 2`` for column 1,
so that a damaged file would compute with wrong numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import InternalError
from heddle.runtime.data_files.data_file import CoordinateSink, ReadLimits, input_error, open_data
from heddle.runtime.data_files.entry_lines import EntryLines, LineNumbers, LineReader, read_pieces
from heddle.runtime.data_files.matrix_market_header import VALUES, Header, read_header, truncated_error
from heddle.runtime.data_files.number_lines import NumberLines, coordinates_of, number_lines, require_finite
from heddle.runtime.tensors.coordinates import Entries

Array = NDArray[Any]
Lines = TypeVar("Lines", bound=NumberLines | EntryLines)

_WHAT = "a Matrix Market file that starts with %%MatrixMarket"
_NUMBERS = {0: (), 1: ("value",), 2: ("real part", "imaginary part")}
_DTYPES = {"integer": "int64", "complex": "complex128"}


def read_mtx(path: Path, limits: ReadLimits | None = None) -> Entries:
    """The entries of a Matrix Market file; the mirrored halves of symmetric ones are added.

    In addition to the entries, only some MiB of the file are in memory at a time.

    Returns
    -------
    Entries
        Entries with shape (rows, columns); float64 values, int64 for ``integer`` files, complex128 for ``complex``
        ones, 1.0 for ``pattern`` files. Zeros of ``array`` files are left out, explicit zeros of ``coordinate`` files
        are kept.

    Raises
    ------
    CompileError
        codes ``input/...``; the text names the line, what was expected and what was found.
    """
    limits = limits or ReadLimits()
    with open_data(path, limits, _WHAT) as file:
        header = read_header(file, limits)
        return _array(file, header, limits) if header.format == "array" else _coordinate(file, header, limits)


def scan_mtx(path: Path, limits: ReadLimits | None, sink: CoordinateSink) -> None:
    """The coordinates that :func:`read_mtx` gives, a block at a time; raises likewise."""
    limits = limits or ReadLimits()
    with open_data(path, limits, _WHAT) as file:
        header = read_header(file, limits)
        array = header.format == "array"
        blocks = (
            _array_blocks(file, header, limits) if array else _blocks_of(_read_carefully(file, header), header, limits)
        )
        sink.begin((header.rows, header.columns), _room(header))
        for direct, mirrored in blocks:
            sink.add(direct.columns)
            if mirrored is not None:
                sink.add(mirrored.columns)


def _room(header: Header) -> int:
    return header.entries * (1 if header.symmetry == "general" else 2)


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    columns: tuple[Array, Array]
    values: Array


_Blocks = Iterator[tuple[_Block, _Block | None]]
"""What some lines hold, and where the matrix is not general its mirror image."""


def _coordinate(file: BinaryIO, header: Header, limits: ReadLimits) -> Entries:
    # The mirrored halves stand after what was read. Memory that is never written is never taken.
    room = _room(header)
    rows, columns = np.empty(room, np.int64), np.empty(room, np.int64)
    values = np.empty(room, _DTYPES.get(header.field, "float64"))
    filled, end = 0, header.entries
    for direct, mirrored in _blocks_of(_read_quickly(file, header), header, limits):
        here = slice(filled, filled + direct.values.size)
        (rows[here], columns[here]), values[here] = direct.columns, direct.values
        filled = here.stop
        if mirrored is not None:
            there = slice(end, end + mirrored.values.size)
            (rows[there], columns[there]), values[there] = mirrored.columns, mirrored.values
            end = there.stop
    return Entries((header.rows, header.columns), (rows[:end], columns[:end]), values[:end])


def _read_quickly(file: BinaryIO, header: Header) -> Iterator[EntryLines | NumberLines]:
    dtype = _DTYPES.get(header.field, "float64") if VALUES[header.field] else None
    reader = LineReader((header.rows, header.columns), dtype)

    def read_carefully(rest: BinaryIO, line: int) -> Iterator[NumberLines]:
        return _read_carefully(rest, replace(header, first_line=line))

    return read_pieces(file, header.first_line, reader, read_carefully)


def _read_carefully(file: BinaryIO, header: Header) -> Iterator[NumberLines]:
    return number_lines(file, header.first_line, _names(header), b"%", whole=2)


def _names(header: Header) -> tuple[str, ...]:
    """What the numbers are that a line of a ``coordinate`` file has for each entry."""
    return ("row", "column", *_NUMBERS[VALUES[header.field]])


def _blocks_of(
    blocks: Iterator[EntryLines | NumberLines] | Iterator[NumberLines], header: Header, limits: ReadLimits
) -> _Blocks:
    """Coordinates and values, checked."""
    for _, lines in _count_blocks(blocks, header):
        if isinstance(lines, EntryLines):
            row, column = lines.coordinates
            values = lines.values if VALUES[header.field] else np.ones(row.size)
        else:
            sizes = (header.rows, header.columns)
            row, column = coordinates_of(lines.rows[:, :2], lines.lines, sizes, _names(header)[:2])
            values = _values(lines, header, limits)
        direct = _Block((row, column), values)
        yield direct, _mirror_image(direct, lines.lines, header)


def _array(file: BinaryIO, header: Header, limits: ReadLimits) -> Entries:
    blocks = list(_array_blocks(file, header, limits))
    halves = [direct for direct, _ in blocks] + [mirrored for _, mirrored in blocks if mirrored is not None]
    rows, columns = (
        np.concatenate([np.empty(0, np.int64), *(half.columns[place] for half in halves)]) for place in (0, 1)
    )
    none = np.empty(0, _DTYPES.get(header.field, "float64"))
    return Entries((header.rows, header.columns), (rows, columns), np.concatenate([none, *(h.values for h in halves)]))


def _array_blocks(file: BinaryIO, header: Header, limits: ReadLimits) -> _Blocks:
    """An ``array`` file lists its values column by column, one per line; of those that are not general the lower
    triangle alone."""
    names = _NUMBERS[VALUES[header.field]]
    starts = None
    if header.symmetry != "general":
        lengths = np.arange(header.rows, 0, -1) - (header.symmetry == "skew-symmetric")
        starts = np.concatenate(([0], np.cumsum(lengths)))
    for filled, block in _count_blocks(number_lines(file, header.first_line, names, b"%"), header):
        values = _values(block, header, limits)
        nonzeros = np.flatnonzero(values)
        places = filled + nonzeros
        if starts is None:
            columns, rows = np.divmod(places, max(header.rows, 1))
        else:
            columns = np.searchsorted(starts, places, side="right") - 1
            rows = header.rows - (starts[columns + 1] - places)
        direct = _Block((rows, columns), values[nonzeros])
        yield direct, _mirror_image(direct, block.lines[nonzeros], header)


def _mirror_image(direct: _Block, lines: LineNumbers, header: Header) -> _Block | None:
    if header.symmetry == "general":
        return None
    rows, columns = direct.columns
    off_diagonal = _off_diagonal(rows, columns, direct.values, lines, header)
    return _Block((columns[off_diagonal], rows[off_diagonal]), _mirror(direct.values[off_diagonal], header))


def _count_blocks(blocks: Iterator[Lines], header: Header) -> Iterator[tuple[int, Lines]]:
    """Each block with the number of entries before it; in the end there are as many as the header promises."""
    filled = 0
    for block in blocks:
        if filled + len(block.lines) > header.entries:
            raise input_error(
                "too-many-entries",
                f"the header announces {header.entries:,} entries, but here is one more.",
                line=int(block.lines[header.entries - filled]),
                expected=f"{header.entries:,} entries",
                actual="more",
                hint="Correct the number of entries in the size line, or remove the extra lines.",
            )
        yield filled, block
        filled += len(block.lines)
    if filled < header.entries:
        raise truncated_error(header, filled)


def _values(block: NumberLines, header: Header, limits: ReadLimits) -> Array:
    """The values of a block from the last numbers of its lines: none, one, or two a line."""
    count, lines = VALUES[header.field], block.lines
    if count == 0:
        return np.ones(lines.size)
    numbers = block.rows[:, -count:]
    if limits.finite:
        for part in numbers.T:
            require_finite(part, lines)
    if header.field == "complex":
        # Not a + 1j * b, which is NaN where b is infinite.
        parts: Array = np.ascontiguousarray(numbers).view(np.complex128).reshape(-1)
        return parts
    values: Array = numbers[:, 0]
    return _integers(block, values, header) if header.field == "integer" else values


def _integers(block: NumberLines, values: NDArray[np.float64], header: Header) -> NDArray[np.int64]:
    """Whole numbers, exactly: those that float64 may have rounded are read again, digit by digit."""
    large = np.abs(values) >= 2**53
    wrong = ~np.isfinite(values) | (values != np.floor(values)) | (large & (np.abs(values) > 2**63))
    whole = np.where(wrong | large, 0, values).astype(np.int64)
    least = -(2**63) if header.symmetry != "skew-symmetric" else 1 - 2**63  # whose mirror image is -value
    for row in np.flatnonzero(large & ~wrong).tolist():
        number = Fraction(block.word(row, -1 + block.rows.shape[1]).decode("ascii"))
        if number.denominator != 1 or not least <= number < 2**63:
            wrong[row] = True
            break
        whole[row] = int(number)
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        word = block.word(first, block.rows.shape[1] - 1).decode("ascii", errors="replace")[:40]
        raise input_error(
            "bad-line",
            f"the value {word} of an integer file is not a whole number of 64 bits.",
            line=int(block.lines[first]),
            expected=f"a whole number from {least} to {2**63 - 1}",
            actual=word,
            hint="Correct the value, or make the field real in the banner.",
        )
    return whole


def _off_diagonal(rows: Array, columns: Array, values: Array, lines: LineNumbers, header: Header) -> Array:
    """The places of the entries that are mirrored; what stands on the diagonal must be its own mirror image."""
    on_diagonal = rows == columns
    wrong = np.flatnonzero(on_diagonal & _unlike_mirrored(values, header))
    if wrong.size:
        place, skew = wrong[0], header.symmetry == "skew-symmetric"
        expected = "zeros" if skew else "real values"
        raise input_error(
            "bad-line",
            f"a {header.symmetry} matrix has {expected} on its diagonal.",
            line=int(lines[place]),
            expected="no entry on the diagonal" if skew else "an imaginary part of 0",
            actual=f"({rows[place] + 1}, {columns[place] + 1})" if skew else f"{values[place]:g}",
            hint="Correct the entry, or make the matrix general.",
        )
    return np.flatnonzero(~on_diagonal)


def _unlike_mirrored(values: Array, header: Header) -> NDArray[np.bool_]:
    """Which values cannot stand on the diagonal; NaN may, where another number may."""
    match header.symmetry:
        case "symmetric":
            return np.zeros(values.shape, dtype=np.bool_)
        case "skew-symmetric":
            nonzero: NDArray[np.bool_] = values != 0
            return nonzero
        case "hermitian":
            unreal: NDArray[np.bool_] = values.imag != 0
            return unreal
        case _:
            raise InternalError(f"unexpected symmetry {header.symmetry!r}")


def _mirror(values: Array, header: Header) -> Array:
    """What stands at (column, row) where ``values`` stand at (row, column)."""
    match header.symmetry:
        case "symmetric":
            return values
        case "skew-symmetric":
            negated: Array = -values
            return negated
        case "hermitian":
            conjugated: Array = values.conj()
            return conjugated
        case _:
            raise InternalError(f"unexpected symmetry {header.symmetry!r}")
