"""``hyb(c,k)``: rows cut at c ranges of columns, their pieces in buckets of 1, 2, 4, … 2^k slots (Ye et al. 2023)."""

from __future__ import annotations

from compiler.formats.composed.quantities import MAX_RANGES
from compiler.formats.format import Format, Level
from compiler.formats.parts import UNBOUNDED, Composition, FormatPart, Test

MAX_BUCKET = 12
"""Two to this power are the slots of the largest bucket."""


def hyb(ranges: int, buckets: int, whole: bool) -> Composition:
    """A part for each bucket b holds the pieces of 2^(b-1) + 1 to 2^b entries in 2^b slots, so that less than half of
    its places are padding. What is longer than 2^k is cut into pieces of so many entries; with ``whole`` (and one range
    of columns) it is stored in rows of its own instead, so that every row is in one part."""
    assert 1 <= ranges <= MAX_RANGES
    assert 0 <= buckets <= MAX_BUCKET
    widest = 2**buckets
    parts = []
    for bucket in range(buckets + 1):
        width, least = 2**bucket, 2**bucket // 2 + 1
        test = Test("length", (), least, width) if whole else Test("piece", (ranges, widest), least, width)
        parts.append(FormatPart(f"ell{width}", _pieces(width, ranges), (test,)))
    if whole:
        rows = Format((Level("compressed"), Level("compressed")), (0, 1))
        parts.append(FormatPart("rows", rows, (Test("length", (), widest + 1, UNBOUNDED),)))
    numbers = f"{ranges},{buckets}" + (",whole" if whole else "")
    return Composition(tuple(parts), f"hyb({numbers})")


def _pieces(width: int, ranges: int) -> Format:
    """Where columns are cut into ranges the pieces are sorted by these first, so that rows come again and again."""
    rows = Level("compressed", ordered=ranges == 1, unique=False)
    return Format((rows, Level("padded", parameter=width)), (0, 1))
