"""Which levels a kernel can make: those of results, and of temporaries that are stored."""

from __future__ import annotations

from collections.abc import Sequence

from heddle.formats.compositions import lists_coordinates
from heddle.formats.format import Level


def can_be_assembled(levels: Sequence[Level], number: int) -> bool:
    """Whether a kernel can append level ``number`` (from 0): coordinates that repeat, with one for each position below
    them."""
    kind = levels[number].stored
    if kind is None or not kind.assembled or (levels[number].size is not None and not kind.full):
        return False
    if kind.branchless:
        return number > 0 and lists_coordinates(levels[number - 1].kind)
    below = levels[number + 1].stored if number + 1 < len(levels) else None
    return levels[number].unique or (below is not None and below.branchless)
