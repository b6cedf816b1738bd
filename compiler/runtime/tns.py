"""Sparse tensors as FROSTT ``.tns`` text: one entry a line, its 1-based coordinates and then its value; ``#`` comments.

Format: http://frostt.io/tensors/file-formats.html
"""

from __future__ import annotations

from pathlib import Path

from compiler.runtime.coordinates import Entries
from compiler.runtime.file_bytes import read_bytes
from compiler.runtime.number_lines import ReadLimits, coordinates_of, input_error, parse_lines, require_finite

_WHAT = "lines of coordinates and a value, such as: 1 2 3 4.5"
_LARGEST_ORDER = 9


def read_tns(path: Path, limits: ReadLimits | None = None, shape: tuple[int, ...] | None = None) -> Entries:
    """The entries of a ``.tns`` file, of the order that its first line has; ``shape`` defaults to what just holds them.

    Returns:
        Entries with float64 values.

    Raises:
        CompileError: codes ``input/...``; the text names the line, what was expected and what was found.
    """
    limits = limits or ReadLimits()
    data = read_bytes(path, limits, _WHAT)
    order = _order(data)
    names = (*(f"coordinate {number}" for number in range(1, order + 1)), "value")
    numbers = parse_lines(data, 0, 1, names, b"#")
    if numbers.lines.size > limits.entries:
        raise input_error(
            "too-large",
            f"The file holds {numbers.lines.size:,} entries, the limit is {limits.entries:,}.",
            expected=f"at most {limits.entries:,} entries",
            found=f"{numbers.lines.size:,}",
            hint="Use a smaller tensor.",
        )
    bounds = shape or (limits.dimension,) * order
    if len(bounds) != order:
        raise input_error(
            "bad-line",
            f"The file holds a tensor of order {order}, but order {len(bounds)} is expected.",
            expected=f"order {len(bounds)}",
            found=f"order {order}",
            hint="Choose another file, or change the expression.",
        )
    columns = coordinates_of(numbers.rows[:, :order], numbers.lines, bounds, names[:-1])
    values = numbers.rows[:, order].copy()
    require_finite(values, numbers.lines)
    return Entries(shape or tuple(int(column.max()) + 1 for column in columns), columns, values)


def _order(data: bytes) -> int:
    """Number of coordinates on the first line that is no comment."""
    start, line = 0, 1
    while start < len(data):
        end = data.find(b"\n", start)
        content = data[start : end if end >= 0 else len(data)].strip()
        if content and not content.startswith(b"#"):
            order = len(content.split()) - 1
            if 1 <= order <= _LARGEST_ORDER:
                return order
            raise input_error(
                "bad-line",
                f"expected 1 to {_LARGEST_ORDER} coordinates and a value, found {order + 1} "
                f"{'number' if order == 0 else 'numbers'}.",
                line=line,
                expected=f"1 to {_LARGEST_ORDER} coordinates and a value",
                found=f"{order + 1} numbers",
                hint=f"A .tns file holds {_WHAT}.",
            )
        start, line = (end + 1 if end >= 0 else len(data)), line + 1
    raise input_error(
        "empty-file",
        "The file holds only comments; expected " + _WHAT + ".",
        expected=_WHAT,
        found="comments only",
        hint="Choose another file.",
    )
