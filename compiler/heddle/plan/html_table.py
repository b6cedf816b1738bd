"""Tables of what notebooks show: escaped, without scripts and without colours."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def table(rows: Iterable[tuple[str, ...]]) -> str:
    """A table whose first cells are heads of their rows."""
    lines = (
        f"<tr><th style='text-align:left'>{escape(head)}</th>"
        + "".join(f"<td style='text-align:left'>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for head, *cells in rows
    )
    return f"<table>{''.join(lines)}</table>"
