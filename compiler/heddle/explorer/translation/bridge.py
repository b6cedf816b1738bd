"""The bridge that starts from a plan, by its language."""

from __future__ import annotations

from heddle.explorer.translation.bridged import Bridged, no_bridge
from heddle.explorer.translation.to_notation import in_notation
from heddle.explorer.translation.to_patterns import in_patterns
from heddle.plan import Plan


def bridge_of(plan: Plan) -> Bridged:
    """``plan`` in the other language: index notation for patterns, and patterns for index notation.

    Raises
    ------
    CompileError
        what is wrong with the plan, or ``bridge/none`` where it has no counterpart.
    """
    match plan.language:
        case "patterns":
            return in_notation(plan)
        case "notation":
            return in_patterns(plan)
        case other:
            raise no_bridge(f"No bridge starts from {other}.", "index notation or patterns", other)
