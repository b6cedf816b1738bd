"""Rows of Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield line(head)
    yield f"|{'---|' * len(head)}"
    yield from map(line, rows)
    yield ""


def line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(' '.join(cell.replace('|', chr(92) + '|').split()) for cell in cells)} |"
