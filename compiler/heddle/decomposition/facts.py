"""What the tests of a composition say of every matrix that is divided by them. Nothing is assumed: what they do not say
is not known, and what they say holds because entries are divided by them alone (Ye et al. 2023)."""

from __future__ import annotations

from heddle.formats.format import Format
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.parts import UNBOUNDED, Composition, FormatPart, Test


def deciding_dimensions(composition: Composition, order: int) -> frozenset[int]:
    """The dimensions whose coordinates decide the part of an entry: two entries that agree in them are in the same one.
    The rows of ``ell(4) where length <= 4 + csr`` lie in one part each, so that this is dimension 0 alone."""
    dimensions: set[int] = set()
    for part in composition.parts:
        for test in part.tests:
            dimensions |= _decided_by(test, order)
    return frozenset(dimensions)


def _decided_by(test: Test, order: int) -> set[int]:
    match test.quantity:
        case "row":
            return {0}
        case "column":
            return {order - 1}
        case "along" | "count":
            return {test.arguments[0]}
        case "length":
            return set(range(order - 1))
        case _:
            return set(range(order))


def visits_all(format: Format, dimensions: frozenset[int]) -> bool:
    """Whether loops over the format come to coordinates of one of the dimensions where it stores nothing: rows of csr
    that are empty, rows of a block of which others have entries, places on a diagonal. What its innermost level stores
    decides, as which a coordinate becomes known."""
    pairs = zip(format.levels, format.order, strict=True)
    last = {dimension: LEVEL_KINDS[level.kind] for level, dimension in pairs}
    return any(not (last[dimension].iterated and "crd" in last[dimension].arrays) for dimension in dimensions)


def has_unique_rows(composition: Composition, number: int) -> bool:
    """Whether no row needs a second piece in part ``number``, which is made of pieces: its tests, and that of each
    part in front of it which its entries failed, admit no more entries of a row than a piece has slots."""
    part = composition.parts[number]
    levels = part.format.levels
    if len(levels) != 2 or levels[0].unique or part.format.order != (0, 1):
        return False
    slots = levels[1].parameter
    last = levels[1].stored
    if slots is None or last is None or not last.cuts_repeated:
        return False
    return any(
        most <= slots
        for most in (*map(_bound_row_by_test, part.tests), *map(_bound_remaining_row, composition.parts[:number]))
    )


def _bound_row_by_test(test: Test) -> float:
    """The most entries of one row that pass a test of matrices."""
    if test.excluded:
        return float("inf")
    match test.quantity:
        case "length":
            return test.most
        case "slot" | "column":
            return test.most - max(test.least, 0) + 1
        case _:
            return float("inf")


def _bound_remaining_row(part: FormatPart) -> float:
    """The most entries of a row that a part in front leaves because they are too few."""
    short = len(part.tests) == 1 and part.tests[0].quantity == "length" and part.tests[0].most == UNBOUNDED
    return part.tests[0].least - 1 if short and not part.tests[0].excluded else float("inf")
