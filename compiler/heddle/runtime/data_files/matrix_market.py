"""Matrix Market files, read strictly (format: https://math.nist.gov/MatrixMarket/formats.html).

``coordinate`` and ``array`` files of ``real``, ``integer``, ``complex`` and ``pattern`` values, ``general``,
``symmetric``, ``skew-symmetric`` or ``hermitian``. SciPy's reader is faster, but takes ``1.0abc`` for 1 and
``2 1.5 2`` for column 1, so that a damaged file would compute with wrong numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import InternalError
from heddle.runtime.data_files.data_file import ReadLimits, input_error, open_data
from heddle.runtime.data_files.matrix_market_header import VALUES, Header, read_header, truncated_error
from heddle.runtime.data_files.number_lines import NumberLines, coordinates_of, number_lines, require_finite
from heddle.runtime.tensors.coordinates import Entries

Array = NDArray[Any]

_WHAT = "a Matrix Market file that starts with %%MatrixMarket"
_NUMBERS = {0: (), 1: ("value",), 2: ("real part", "imaginary part")}
_DTYPES = {"integer": "int64", "complex": "complex128"}


def read_mtx(path: Path, limits: ReadLimits | None = None) -> Entries:
    """The entries of a Matrix Market file; the mirrored halves of symmetric ones are added.

    In addition to the entries, only some MiB of the file are in memory at a time.

    Returns:
        Entries with shape (rows, columns); float64 values, int64 for ``integer`` files, complex128 for ``complex``
        ones, 1.0 for ``pattern`` files. Zeros of ``array`` files are left out, explicit zeros of ``coordinate`` files
        are kept.

    Raises:
        CompileError: codes ``input/...``; the text names the line, what was expected and what was found.
    """
    limits = limits or ReadLimits()
    with open_data(path, limits, _WHAT) as file:
        header = read_header(file, limits)
        return _array(file, header, limits) if header.format == "array" else _coordinate(file, header, limits)


def _coordinate(file: BinaryIO, header: Header, limits: ReadLimits) -> Entries:
    """A ``coordinate`` file has a line for each entry: its row, its column and its value."""
    names = ("row", "column", *_NUMBERS[VALUES[header.field]])
    mirrored = header.symmetry != "general"
    # The mirrored halves stand after what was read. Memory that is never written is never taken.
    room = header.entries * (2 if mirrored else 1)
    rows, columns = np.empty(room, np.int64), np.empty(room, np.int64)
    values = np.empty(room, _DTYPES.get(header.field, "float64"))
    end = header.entries
    for filled, block in _count_blocks(number_lines(file, header.first_line, names, b"%", whole=2), header):
        here = slice(filled, filled + block.lines.size)
        row, column = coordinates_of(block.rows[:, :2], block.lines, (header.rows, header.columns), names[:2])
        rows[here], columns[here] = row, column
        values[here] = _values(block, header, limits)
        if mirrored:
            off_diagonal = _off_diagonal(row, column, values[here], block.lines, header)
            there = slice(end, end + off_diagonal.size)
            rows[there], columns[there] = column[off_diagonal], row[off_diagonal]
            values[there] = _mirror(values[here][off_diagonal], header)
            end = there.stop
    return Entries((header.rows, header.columns), (rows[:end], columns[:end]), values[:end])


def _array(file: BinaryIO, header: Header, limits: ReadLimits) -> Entries:
    """An ``array`` file lists its values column by column, one per line."""
    values = np.empty(header.entries, _DTYPES.get(header.field, "float64"))
    names = _NUMBERS[VALUES[header.field]]
    lines = np.empty(header.entries, np.int64)
    for filled, block in _count_blocks(number_lines(file, header.first_line, names, b"%"), header):
        here = slice(filled, filled + block.lines.size)
        values[here], lines[here] = _values(block, header, limits), block.lines
    if header.symmetry == "general":
        columns, rows = np.divmod(np.arange(header.entries), max(header.rows, 1))
    else:
        # Row-major order of the upper triangle is column-major order of the lower one.
        columns, rows = np.triu_indices(header.rows, k=1 if header.symmetry == "skew-symmetric" else 0)
    nonzeros = np.flatnonzero(values)
    rows, columns, values = rows[nonzeros], columns[nonzeros], values[nonzeros]
    if header.symmetry != "general":
        off_diagonal = _off_diagonal(rows, columns, values, lines[nonzeros], header)
        mirrored = _mirror(values[off_diagonal], header)
        rows, columns = np.append(rows, columns[off_diagonal]), np.append(columns, rows[off_diagonal])
        values = np.append(values, mirrored)
    return Entries((header.rows, header.columns), (rows, columns), values)


def _count_blocks(blocks: Iterator[NumberLines], header: Header) -> Iterator[tuple[int, NumberLines]]:
    """Each block with the number of entries before it; in the end there are as many as the header promises."""
    filled = 0
    for block in blocks:
        if filled + block.lines.size > header.entries:
            raise input_error(
                "too-many-entries",
                f"the header announces {header.entries:,} entries, but here is one more.",
                line=int(block.lines[header.entries - filled]),
                expected=f"{header.entries:,} entries",
                actual="more",
                hint="Correct the number of entries in the size line, or remove the extra lines.",
            )
        yield filled, block
        filled += block.lines.size
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


def _off_diagonal(rows: Array, columns: Array, values: Array, lines: NDArray[np.int64], header: Header) -> Array:
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
