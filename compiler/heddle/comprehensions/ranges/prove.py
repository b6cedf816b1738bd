"""Does a read stay inside of its tensor, given the ranges of its variables and the conditions that guard it?"""

from __future__ import annotations

from heddle.comprehensions.ranges.nodes import Constraint
from heddle.symbolic.facts import Facts
from heddle.symbolic.prove import nonnegative


def follows(constraint: Constraint, facts: Facts) -> bool:
    """Whether ``lower <= subscript < upper`` is proved for all sizes."""
    guarded = facts
    for test in constraint.guards:
        match test.operator:
            case ">=":
                guarded = guarded.assuming(test.difference)
            case "<":
                guarded = guarded.assuming(-test.difference - 1)
            case "==":
                guarded = guarded.assuming(test.difference, -test.difference)
            case _:
                pass
    return _is_within(constraint, facts) or _is_within(constraint, guarded)


def _is_within(constraint: Constraint, facts: Facts) -> bool:
    low = constraint.subscript - constraint.lower
    return nonnegative(low, facts) and nonnegative(constraint.upper - 1 - constraint.subscript, facts)


def guarded_alone(constraint: Constraint, facts: Facts) -> bool:
    """Whether only a condition keeps the read inside."""
    return not _is_within(constraint, facts)
