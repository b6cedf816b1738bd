"""The header of a Matrix Market file: banner, comments and sizes, checked before anything of those sizes is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from heddle.diagnostics import CompileError, InternalError
from heddle.runtime.data_files.data_file import ReadLimits, input_error, quote, remaining_bytes, remaining_lines

_BANNER = "%%MatrixMarket matrix coordinate real general"
_BANNER_WORDS = ("%%matrixmarket", "%matrixmarket")
"""How a banner begins; the files of networkrepository.com have one % alone."""
_KNOWN = (
    ("object", ("matrix",)),
    ("format", ("coordinate", "array")),
    ("field", ("real", "integer", "pattern", "complex", "double")),
    ("symmetry", ("general", "symmetric", "skew-symmetric", "hermitian")),
)


# How many numbers make a value of each field.
VALUES = {"pattern": 0, "real": 1, "double": 1, "integer": 1, "complex": 2}


@dataclass(frozen=True, slots=True)
class Header:
    """``entries`` counts the lines to come; ``first_line`` is the number of the first of them."""

    format: str
    field: str
    symmetry: str
    rows: int
    columns: int
    entries: int
    first_line: int


def read_header(file: BinaryIO, limits: ReadLimits) -> Header:
    """Banner, comments and size line, checked against each other and against what is left of the file, which then
    stands at its first entry.

    Raises
    ------
    CompileError
        ``input/not-matrix-market``, ``input/unsupported``, ``input/bad-size-line``, ``input/too-large``,
        ``input/truncated``.
    """
    banner = _header_line(file, limits)
    words = banner[:1000].decode("latin-1").lower().split()
    if not words or words[0] not in _BANNER_WORDS:
        raise input_error(
            "not-matrix-market",
            f"expected the banner {_BANNER}, found {quote(banner)}.",
            line=1,
            expected=_BANNER,
            actual=quote(banner),
            hint="Only Matrix Market text files (.mtx) are read here.",
        )
    kind = _kind(words[1:])
    line, content = 2, _header_line(file, limits)
    while not content.strip() or content.lstrip().startswith(b"%"):
        if not content.endswith(b"\n"):
            raise _no_size_line(line)
        line, content = line + 1, _header_line(file, limits)
    sizes = _sizes(content, line, 2 if kind[0] == "array" else 3, limits)
    rows, columns, entries = sizes if len(sizes) == 3 else (*sizes, _array_entries(sizes[0], sizes[1], kind[2]))
    header = Header(*kind, rows, columns, entries, line + 1)
    _require_square(header, line)
    _require_room(file, header, limits, line)
    return header


def _header_line(file: BinaryIO, limits: ReadLimits) -> bytes:
    """The next line, as far as the header may be long; empty at the end of the file."""
    left = limits.header_bytes - file.tell()
    content = file.readline(max(left, 0))
    if len(content) == left and not content.endswith(b"\n"):
        raise input_error(
            "too-large",
            f"The header has more than {limits.header_bytes:,} bytes before its line with the sizes.",
            expected=f"at most {limits.header_bytes:,} bytes of banner and comments",
            actual="more",
            hint="Shorten the comments at the start of the file.",
        )
    return content


def _kind(words: list[str]) -> tuple[str, str, str]:
    """(format, field, symmetry) from the banner's words."""
    for place, (noun, known) in enumerate(_KNOWN):
        word = words[place] if place < len(words) else ""
        if word in known:
            continue
        expected = " or ".join(item for item in known if item != "double")
        actual = f'"{word[:40]}"' if word else "nothing"
        hint = f"Correct the banner; a complete one is: {_BANNER}"
        raise input_error(
            "unsupported",
            f"the banner's {noun} is {actual}, expected {expected}.",
            line=1,
            expected=expected,
            actual=actual,
            hint=hint,
        )
    if len(words) > len(_KNOWN):
        actual = f'"{" ".join(words[len(_KNOWN) :])[:40]}"'
        raise input_error(
            "unsupported",
            f"the banner continues with {actual} where it should end.",
            line=1,
            expected=" ".join(words[: len(_KNOWN)]),
            actual=actual,
            hint=f"Correct the banner; a complete one is: {_BANNER}",
        )
    format, field, symmetry = words[1:4]
    if field == "pattern" and symmetry == "skew-symmetric":
        raise input_error(
            "unsupported",
            "a pattern has no values whose signs could differ, so it cannot be skew-symmetric.",
            line=1,
            expected="general or symmetric",
            actual="skew-symmetric",
            hint="Use symmetric, or real values.",
        )
    if format == "array" and field == "pattern":
        raise input_error(
            "unsupported",
            "an array file has values, so its field cannot be pattern.",
            line=1,
            expected="real or integer or complex",
            actual="pattern",
            hint="Use coordinate pattern, or real values.",
        )
    if symmetry == "hermitian" and field != "complex":
        raise input_error(
            "unsupported",
            f"a hermitian matrix has complex values, but the field is {field}.",
            line=1,
            expected="the field complex",
            actual=field,
            hint="Use symmetric, which says the same of real values.",
        )
    return format, field, symmetry


def _no_size_line(line: int) -> CompileError:
    return input_error(
        "truncated",
        "the file ends before the line with the sizes.",
        line=line,
        expected="a line: rows columns entries",
        actual="the end of the file",
        hint="The file may have been cut off; upload it again.",
    )


def _sizes(content: bytes, line: int, count: int, limits: ReadLimits) -> tuple[int, ...]:
    names = "rows columns entries" if count == 3 else "rows columns"
    words = content.split()
    if len(words) != count or not all(word.isdigit() and len(word) <= 20 for word in words):
        raise input_error(
            "bad-size-line",
            f"expected {count} whole numbers ({names}), found {quote(content)}.",
            line=line,
            expected=f"{count} whole numbers: {names}",
            actual=quote(content),
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
                actual=f"{size:,}",
                hint="Use a smaller matrix.",
            )
    return sizes


def _array_entries(rows: int, columns: int, symmetry: str) -> int:
    """How many values an array file holds: all, or the lower triangle (without the diagonal when skew-symmetric)."""
    match symmetry:
        case "general":
            return rows * columns
        case "symmetric" | "hermitian":
            return rows * (rows + 1) // 2
        case "skew-symmetric":
            return rows * (rows - 1) // 2
        case _:
            raise InternalError(f"unexpected symmetry {symmetry!r}")


def _require_square(header: Header, line: int) -> None:
    if header.symmetry != "general" and header.rows != header.columns:
        raise input_error(
            "bad-size-line",
            f"a {header.symmetry} matrix must be square, but this one is {header.rows} × {header.columns}.",
            line=line,
            expected="as many rows as columns",
            actual=f"{header.rows} × {header.columns}",
            hint="Correct the sizes, or make the matrix general.",
        )


def _require_room(file: BinaryIO, header: Header, limits: ReadLimits, line: int) -> None:
    """Refuses a header that promises more than the rest of the file can hold, before anything of that size is made."""
    if header.entries > limits.entries:
        raise input_error(
            "too-large",
            f"the header announces {header.entries:,} values, the limit is {limits.entries:,}.",
            line=line,
            expected=f"at most {limits.entries:,} values",
            actual=f"{header.entries:,}",
            hint="Use a smaller matrix.",
        )
    coordinates = 0 if header.format == "array" else 2
    # A digit and a space or newline for each number; the last line may lack its newline.
    if header.entries * 2 * (coordinates + VALUES[header.field]) > remaining_bytes(file) + 1:
        lines = remaining_lines(file)
        if lines < header.entries:  # else a line is too short, which whoever reads it tells
            raise truncated_error(header, lines)


def truncated_error(header: Header, entry_count: int) -> CompileError:
    """The error for a file of which ``entry_count`` entries are there."""
    return input_error(
        "truncated",
        f"the header announces {header.entries:,} entries, but the file holds only {entry_count:,}.",
        line=header.first_line - 1,
        expected=f"{header.entries:,} entries",
        actual=f"{entry_count:,}",
        hint="The file may have been cut off: upload it again, or correct the number of entries.",
    )
