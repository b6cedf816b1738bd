"""Where a place in the loop nest stands in the coordinates that it appends to the result."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir.nodes import Var


@dataclass(frozen=True, slots=True)
class Appending:
    """Inside a segment of an appended result. ``counters``: where the next coordinate of each group of levels (by its
    first) goes. ``counted_rows``: the groups (by their first level) whose row at hand notes how many coordinates it
    gets. ``presence`` is set as soon as a value is computed for the coordinates that are being appended."""

    counters: dict[int, Var]
    counted_rows: frozenset[int] = frozenset()
    presence: Var | None = None
