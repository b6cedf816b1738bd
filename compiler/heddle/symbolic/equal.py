"""Whether two lengths are the same whatever their names stand for."""

from __future__ import annotations

from heddle.symbolic.facts import NOTHING, Facts
from heddle.symbolic.nodes import Length
from heddle.symbolic.prove import nonnegative
from heddle.symbolic.remainders import without_remainders
from heddle.symbolic.rewrite import simplify


def equal(left: Length, right: Length, facts: Facts = NOTHING) -> bool:
    """Whether the normal form of the difference is 0, or it is proved to be neither positive nor negative."""
    if left == right:
        return True
    difference = without_remainders(simplify(left - right, facts))
    return not difference.terms or (nonnegative(difference, facts) and nonnegative(-difference, facts))
