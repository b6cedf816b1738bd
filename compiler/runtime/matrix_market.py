"""Matrix Market files, read strictly (format: https://math.nist.gov/MatrixMarket/formats.html).

``coordinate`` and ``array`` files of ``real``, ``integer`` and ``pattern`` values, ``general``, ``symmetric`` or
``skew-symmetric``. SciPy's reader is faster, but takes ``1.0abc`` for 1 and ``2 1.5 2`` for column 1, so that a damaged
file would compute with wrong numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from compiler.diagnostics import CompileError
from compiler.runtime.coordinates import Entries
from compiler.runtime.file_bytes import read_bytes
from compiler.runtime.number_lines import (
    NumberLines,
    ReadLimits,
    coordinates_of,
    input_error,
    parse_lines,
    quoted,
    require_finite,
)

_WHAT = "a Matrix Market file that starts with %%MatrixMarket"
_BANNER = "%%MatrixMarket matrix coordinate real general"
_KNOWN = (
    ("object", ("matrix",)),
    ("format", ("coordinate", "array")),
    ("field", ("real", "integer", "pattern", "double")),
    ("symmetry", ("general", "symmetric", "skew-symmetric")),
)


@dataclass(frozen=True, slots=True)
class Header:
    """``entries`` counts the lines to come; ``start`` and ``first_line`` say where they begin."""

    format: str
    field: str
    symmetry: str
    rows: int
    columns: int
    entries: int
    start: int
    first_line: int


def read_mtx(path: Path, limits: ReadLimits | None = None) -> Entries:
    """The entries of a Matrix Market file; the mirrored halves of symmetric ones are added.

    Returns:
        Entries with shape (rows, columns); float64 values, int64 for ``integer`` files, 1.0 for ``pattern`` files.
        Zeros of ``array`` files are left out, explicit zeros of ``coordinate`` files are kept.

    Raises:
        CompileError: codes ``input/...``; the text names the line, what was expected and what was found.
    """
    limits = limits or ReadLimits()
    data = read_bytes(path, limits, _WHAT)
    header = read_header(data, limits)
    if header.format == "array":
        return _array(data, header)
    names = ("row", "column") if header.field == "pattern" else ("row", "column", "value")
    numbers = parse_lines(data, header.start, header.first_line, names, b"%")
    _require_count(numbers, header)
    rows, columns = coordinates_of(numbers.rows[:, :2], numbers.lines, (header.rows, header.columns), names[:2])
    values = np.ones(header.entries) if header.field == "pattern" else numbers.rows[:, 2]
    entries = Entries((header.rows, header.columns), (rows, columns), _typed(values, numbers.lines, header))
    return entries if header.symmetry == "general" else _mirrored(entries, header, numbers.lines)


def read_header(data: bytes, limits: ReadLimits) -> Header:
    """Banner, comments and size line, checked against each other and against the length of the file.

    Raises:
        CompileError: ``input/not-matrix-market``, ``input/unsupported``, ``input/bad-size-line``, ``input/too-large``,
            ``input/truncated``.
    """
    banner, _, _ = data.partition(b"\n")
    words = banner.decode("latin-1").lower().split()
    if not words or words[0] != "%%matrixmarket":
        raise input_error(
            "not-matrix-market",
            f"expected the banner {_BANNER}, found {quoted(banner)}.",
            line=1,
            expected=_BANNER,
            found=quoted(banner),
            hint="Only Matrix Market text files (.mtx) are read here.",
        )
    kind = _kind(words[1:])
    line, start = 2, len(banner) + 1
    while True:
        end = data.find(b"\n", start)
        content = data[start : end if end >= 0 else len(data)]
        if content.strip() and not content.lstrip().startswith(b"%"):
            break
        if end < 0:
            raise _no_size_line(line)
        line, start = line + 1, end + 1
    sizes = _sizes(content, line, 2 if kind[0] == "array" else 3, limits)
    after = end + 1 if end >= 0 else len(data)
    rows, columns, entries = sizes if len(sizes) == 3 else (*sizes, _array_entries(sizes[0], sizes[1], kind[2]))
    header = Header(*kind, rows, columns, entries, after, line + 1)
    _require_square(header, line)
    _require_room(data, header, limits, line)
    return header


def _kind(words: list[str]) -> tuple[str, str, str]:
    """(format, field, symmetry) from the banner's words."""
    for place, (noun, known) in enumerate(_KNOWN):
        word = words[place] if place < len(words) else ""
        if word in known:
            continue
        expected = " or ".join(item for item in known if item != "double")
        found = f'"{word[:40]}"' if word else "nothing"
        hint = f"Correct the banner; a complete one is: {_BANNER}"
        if word in ("complex", "hermitian"):
            hint = "Complex matrices are not supported; save the real and the imaginary part as two files."
        raise input_error(
            "unsupported",
            f"the banner's {noun} is {found}, expected {expected}.",
            line=1,
            expected=expected,
            found=found,
            hint=hint,
        )
    format, field, symmetry = words[1:4]
    if format == "array" and field == "pattern":
        raise input_error(
            "unsupported",
            "an array file has values, so its field cannot be pattern.",
            line=1,
            expected="real or integer",
            found="pattern",
            hint="Use coordinate pattern, or real values.",
        )
    return format, field, symmetry


def _no_size_line(line: int) -> CompileError:
    return input_error(
        "truncated",
        "the file ends before the line with the sizes.",
        line=line,
        expected="a line: rows columns entries",
        found="the end of the file",
        hint="The file may have been cut off; upload it again.",
    )


def _sizes(content: bytes, line: int, count: int, limits: ReadLimits) -> tuple[int, ...]:
    names = "rows columns entries" if count == 3 else "rows columns"
    words = content.split()
    if len(words) != count or not all(word.isdigit() and len(word) <= 20 for word in words):
        raise input_error(
            "bad-size-line",
            f"expected {count} whole numbers ({names}), found {quoted(content)}.",
            line=line,
            expected=f"{count} whole numbers: {names}",
            found=quoted(content),
            hint="Correct the size line; it follows the comments.",
        )
    sizes = tuple(int(word) for word in words)
    most = (limits.dimension, limits.dimension, limits.entries)[:count]
    for name, size, limit in zip(names.split(), sizes, most, strict=True):
        if size > limit:
            raise input_error(
                "too-large",
                f"the header announces {size:,} {name}, the limit is {limit:,}.",
                line=line,
                expected=f"at most {limit:,} {name}",
                found=f"{size:,}",
                hint="Use a smaller matrix.",
            )
    return sizes


def _array_entries(rows: int, columns: int, symmetry: str) -> int:
    """How many values an array file holds: all, or the lower triangle (without the diagonal when skew-symmetric)."""
    match symmetry:
        case "general":
            return rows * columns
        case "symmetric":
            return rows * (rows + 1) // 2
        case _:
            return rows * (rows - 1) // 2


def _require_square(header: Header, line: int) -> None:
    if header.symmetry != "general" and header.rows != header.columns:
        raise input_error(
            "bad-size-line",
            f"a {header.symmetry} matrix must be square, but this one is {header.rows} × {header.columns}.",
            line=line,
            expected="as many rows as columns",
            found=f"{header.rows} × {header.columns}",
            hint="Correct the sizes, or make the matrix general.",
        )


def _require_room(data: bytes, header: Header, limits: ReadLimits, line: int) -> None:
    """Refuses a header that promises more than the rest of the file can hold, before anything of that size is made."""
    if header.entries > limits.entries:
        raise input_error(
            "too-large",
            f"the header announces {header.entries:,} values, the limit is {limits.entries:,}.",
            line=line,
            expected=f"at most {limits.entries:,} values",
            found=f"{header.entries:,}",
            hint="Use a smaller matrix.",
        )
    shortest = 2 if header.format == "array" else 4 if header.field == "pattern" else 6
    if header.entries * shortest > len(data) - header.start + 1:
        raise _truncated(header, data.count(b"\n", header.start) + (not data.endswith(b"\n")), line)


def _truncated(header: Header, found: int, line: int) -> CompileError:
    return input_error(
        "truncated",
        f"the header promises {header.entries:,} entries, but the file holds only {found:,}.",
        line=line,
        expected=f"{header.entries:,} entries",
        found=f"{found:,}",
        hint="The file may have been cut off: upload it again, or correct the number of entries.",
    )


def _require_count(numbers: NumberLines, header: Header) -> None:
    found = int(numbers.lines.size)
    if found < header.entries:
        raise _truncated(header, found, header.first_line - 1)
    if found > header.entries:
        raise input_error(
            "too-many-entries",
            f"the header promises {header.entries:,} entries, but here comes another one; the file holds {found:,}.",
            line=int(numbers.lines[header.entries]),
            expected=f"{header.entries:,} entries",
            found=f"{found:,}",
            hint="Correct the number of entries in the size line, or remove the surplus lines.",
        )


def _typed(values: NDArray[np.float64], lines: NDArray[np.int64], header: Header) -> NDArray[np.float64 | np.int64]:
    require_finite(values, lines)
    if header.field != "integer":
        return values
    wrong = (values != np.floor(values)) | (np.abs(values) > 2**53)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise input_error(
            "bad-line",
            f"the value {values[place]:g} of an integer file is not a whole number of at most 2^53.",
            line=int(lines[place]),
            expected="a whole number",
            found=f"{values[place]:g}",
            hint="Correct the value, or make the field real in the banner.",
        )
    return values.astype(np.int64)


def _mirrored(entries: Entries, header: Header, lines: NDArray[np.int64]) -> Entries:
    """Adds the other half of a symmetric matrix, with the sign changed when skew-symmetric."""
    rows, columns = entries.columns
    off_diagonal = rows != columns
    sign = 1
    if header.symmetry == "skew-symmetric":
        sign = -1
        wrong = np.flatnonzero(~off_diagonal & (entries.values != 0))
        if wrong.size:
            raise input_error(
                "bad-line",
                "a skew-symmetric matrix has zeros on its diagonal.",
                line=int(lines[wrong[0]]),
                expected="no entry on the diagonal",
                found=f"({rows[wrong[0]] + 1}, {columns[wrong[0]] + 1})",
                hint="Remove the entry, or make the matrix general.",
            )
    return Entries(
        entries.shape,
        (np.append(rows, columns[off_diagonal]), np.append(columns, rows[off_diagonal])),
        np.append(entries.values, sign * entries.values[off_diagonal]),
    )


def _array(data: bytes, header: Header) -> Entries:
    """An ``array`` file lists its values column by column, one a line."""
    numbers = parse_lines(data, header.start, header.first_line, ("value",), b"%")
    _require_count(numbers, header)
    values = _typed(numbers.rows[:, 0], numbers.lines, header)
    if header.symmetry == "general":
        columns, rows = np.divmod(np.arange(header.entries), max(header.rows, 1))
    else:
        # Row-major order of the upper triangle is column-major order of the lower one.
        columns, rows = np.triu_indices(header.rows, k=0 if header.symmetry == "symmetric" else 1)
    kept = np.flatnonzero(values)
    entries = Entries((header.rows, header.columns), (rows[kept], columns[kept]), values[kept])
    return entries if header.symmetry == "general" else _mirrored(entries, header, numbers.lines[kept])
