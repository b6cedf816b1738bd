"""``hyb(c,k,r)``: rows cut at c ranges of columns, their pieces in buckets of 1, 2, 4, … 2^k slots (Ye et al. 2023)."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from heddle.formats.composed.quantities import MAX_RANGES
from heddle.formats.format import Format, Level
from heddle.formats.parts import UNBOUNDED, Composition, FormatPart, Test

MAX_BUCKET = 12
"""Two to this power are the slots of the largest bucket."""


@dataclass(frozen=True, slots=True)
class Hyb:
    """The numbers of a ``hyb``: ranges of columns, the largest bucket, ranges of rows (None: they are not cut), and
    whether longer rows stay whole."""

    ranges: int
    buckets: int
    rows: int | None
    whole: bool


@functools.lru_cache(256)
def hyb_of(composition: Composition) -> Hyb | None:
    """The numbers of the ``hyb`` with the parts of ``composition``, whatever these are called; None where none has."""
    first = composition.parts[0]
    if len(first.tests) != 1 or first.tests[0].quantity not in ("piece", "length"):
        return None
    whole = first.tests[0].quantity == "length"
    buckets = len(composition.parts) - 1 - whole
    ranges = 1 if whole else first.tests[0].arguments[0]
    rows = first.format.cuts[0].parts if 0 in first.format.cuts else None
    if not 0 <= buckets <= MAX_BUCKET or first.format.dimensions != 2:
        return None
    meant = zip(hyb(ranges, buckets, rows, whole).parts, composition.parts, strict=True)
    same = all((part.format, part.tests) == (other.format, other.tests) for part, other in meant)
    return Hyb(ranges, buckets, rows, whole) if same else None


def hyb(ranges: int, buckets: int, rows: int | None, whole: bool) -> Composition:
    """A part for each bucket b holds the pieces of 2^(b-1) + 1 to 2^b entries in 2^b slots, so that less than half of
    its places are padding. What is longer than 2^k is cut into pieces of so many entries; with ``whole`` (and one range
    of columns) it is stored in rows of its own instead, so that every row is in one part. With ``rows`` all this lies
    below so many ranges of rows with about equally many entries, the same ones in every part."""
    assert 1 <= ranges <= MAX_RANGES
    assert 0 <= buckets <= MAX_BUCKET
    widest = 2**buckets
    parts = []
    for bucket in range(buckets + 1):
        width, least = 2**bucket, 2**bucket // 2 + 1
        test = Test("length", (), least, width) if whole else Test("piece", (ranges, widest), least, width)
        parts.append(FormatPart(f"ell{width}", _pieces(width, ranges, rows), (test,)))
    if whole:
        longer = _below(rows, None, Level("compressed"), Level("compressed"))
        parts.append(FormatPart("rows", longer, (Test("length", (), widest + 1, UNBOUNDED),)))
    words = (str(ranges), str(buckets), *([] if rows is None else [str(rows)]), *(["whole"] if whole else []))
    return Composition(tuple(parts), f"hyb({','.join(words)})")


def _pieces(width: int, ranges: int, rows: int | None) -> Format:
    """Where columns are cut into ranges the pieces are sorted by these first, so that rows come again and again: in one
    list, or in one for each range of columns below each range of rows."""
    slots = Level("padded", parameter=width)
    if rows is None:
        return Format((Level("compressed", ordered=ranges == 1, unique=False), slots), (0, 1))
    return _below(rows, ranges if ranges > 1 else None, Level("compressed", unique=False), slots)


def _below(rows: int | None, columns: int | None, *levels: Level) -> Format:
    """A matrix of these levels below so many ranges of its rows and of its columns, where there are any."""
    by_rows = () if rows is None else (Level("parts", parameter=rows, even=True),)
    by_columns = () if columns is None else (Level("parts", parameter=columns),)
    return Format((*by_rows, *by_columns, *levels), (*(0 for _ in by_rows), *(1 for _ in by_columns), 0, 1))
