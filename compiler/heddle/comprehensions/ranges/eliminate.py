"""What one access leaves for one index variable, once the others of its subscript are eliminated."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.comprehensions.ranges.nodes import Constraint, Range
from heddle.symbolic.build import ceil_div, floor_div
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import Length, length

Ends = tuple[Length, Length]


def interval_of(constraint: Constraint, variable: str, known: Mapping[str, Range], facts: Facts) -> Ends:
    """What is left for ``variable``, as ``[lower, upper)``, when the others take the worst values of their ranges."""
    assert constraint.factors is not None
    rest = constraint.subscript - length(variable) * constraint.factors[variable]
    low, high = ends_of(rest, {o: f for o, f in constraint.factors.items() if o != variable}, known)
    factor = constraint.factors[variable]
    above, below = constraint.lower - low, constraint.upper - 1 - high
    if factor > 0:
        return ceil_div(above, factor, facts), floor_div(below, factor, facts) + 1
    return ceil_div(-below, -factor, facts), floor_div(-above, -factor, facts) + 1


def ends_of(subscript: Length, factors: Mapping[str, int], known: Mapping[str, Range]) -> Ends:
    """The least and the greatest value, both included, of a subscript that is affine with these factors."""
    low = high = subscript
    for other, factor in factors.items():
        first, last = known[other].lower * factor, (known[other].upper - 1) * factor
        multiple = length(other) * factor
        least, most = (first, last) if factor > 0 else (last, first)
        low, high = low - multiple + least, high - multiple + most
    return low, high
