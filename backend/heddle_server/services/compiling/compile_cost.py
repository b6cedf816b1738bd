"""What a compile will cost, told from the plan before any work is done: in cases, of which one takes 1 to 2 ms.

How many cases a program is, its language says. A tensor that is stored as a sum of parts has the program once for each
part, and each schedule command has all of it once more to look at.

Over 34 plans of 3 to 625 cases the processor time of their compiles correlates with the cases by 0.96.
"""

from __future__ import annotations

from heddle.diagnostics import CompileError
from heddle.formats.format import Format
from heddle.formats.parser import parse_format
from heddle.frontends.table import front_end_of
from heddle.plan import Plan, TensorSpec

# What each schedule command adds to every case: a loop that is split has a last part of its own.
SHARE_OF_A_COMMAND = 0.25
# A compile of so many takes 0.2 s.
SMALL_CASES = 100.0


def predicted_cases(plan: Plan) -> float:
    """0 for a plan that cannot be read: its compile ends at once. Takes about a millisecond, for the longest
    comprehensions a hundred."""
    front_end = front_end_of(plan.language)
    try:
        tree = front_end.parse(plan.expression)
        sparse = {name: sparse_levels(plan, name, order) for name, order in front_end.tensors(tree).items()}
    except CompileError:
        return 0.0
    most = max((len(parts) for parts in sparse.values()), default=1)
    alternatives = (
        {name: parts[min(number, len(parts) - 1)] for name, parts in sparse.items()} for number in range(most)
    )
    cases = sum(front_end.cases(tree, levels) for levels in alternatives)
    return cases * (1 + SHARE_OF_A_COMMAND * len(plan.schedule))


def sparse_levels(plan: Plan, tensor: str, order: int) -> tuple[int, ...]:
    """How many levels are sparse, of each part in which the tensor is stored."""
    text = plan.tensors.get(tensor, TensorSpec()).format
    if text is None:
        return (0,)
    format = parse_format(text, order, tensor)
    if format.composition is not None:
        return tuple(_sparse(part.format) for part in format.composition.parts)
    return (_sparse(format),)


def _sparse(format: Format) -> int:
    kinds = (level.stored for level in format.levels)
    return sum(kind is not None and not kind.full for kind in kinds)
