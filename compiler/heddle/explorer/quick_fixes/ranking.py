"""The order in which repairs are offered: the likeliest first, as only it is seen without a press.

Likely is what leaves most of the program as it was written. Whoever typed a command meant nearly that command, so a
repair that changes a word comes before one that adds a command, and that before one that stores a tensor in another
way, which has a price outside of the schedule. What the refusal itself proposes knows the cause and comes before
guesses. What only takes a command away loses what was wanted and comes last, however little it changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from heddle.diagnostics import Fix
from heddle.plan import Plan


def rank(fixes: Sequence[Fix], proposed: Sequence[Fix], plan: Plan) -> list[Fix]:
    """``fixes`` in the order to offer them; equally likely ones stay in theirs.

    Parameters
    ----------
    fixes
        Repairs of one refusal, with those that it proposes.
    proposed
        What the refusal itself proposes.
    plan
        What was refused.
    """
    return sorted(fixes, key=lambda fix: (is_removal(fix, plan), fix not in proposed, *_change(fix, plan)))


def is_removal(fix: Fix, plan: Plan) -> bool:
    """Whether the repair leaves fewer commands."""
    return fix.schedule is not None and len(fix.schedule) < len(plan.schedule)


def _change(fix: Fix, plan: Plan) -> tuple[int, int, int]:
    """Parts besides the schedule that change, commands that are added, letters of the schedule that are new."""
    parts = len(fix.formats or ()) + len(fix.options or ()) + (fix.expression is not None)
    if fix.schedule is None:
        return parts, 0, 0
    before, after = "\n".join(plan.schedule), "\n".join(fix.schedule)
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return parts, len(fix.schedule) - len(plan.schedule), len(after) - sum(block.size for block in blocks)
