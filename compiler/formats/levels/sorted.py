"""The sorted level: blocks of places for the rows of a matrix, by their number of entries (Kreutzer et al. 2014).

``rows[place]`` is the row that stands at a place, each row once, so that the rows of a slice have like lengths. It is a
relation of the iteration graph that recovers the row from the place. Append and insert: none.
"""

from __future__ import annotations

from compiler.formats.levels.dense import Dense


class Sorted(Dense):
    """The coordinate is the number of a block of places; ``rows`` has an element for each row of the matrix."""

    name = "sorted"
    arrays: tuple[str, ...] = ("rows",)


SORTED = Sorted()
