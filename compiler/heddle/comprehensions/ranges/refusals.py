"""What to say about ranges that cannot be found or do not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.checks.resolved import Step
from heddle.comprehensions.ranges.by_cases import ALL, NEVER, Left, left_by_cases
from heddle.comprehensions.ranges.eliminate import ends_of
from heddle.comprehensions.ranges.nodes import Constraint, Range
from heddle.comprehensions.ranges.search import variables_of
from heddle.comprehensions.ranges.text import text
from heddle.diagnostics import Fix
from heddle.notation.nodes import Span
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import FloorDiv, Max, Min, Mod
from heddle.symbolic.walk import all_atoms, free_names


def _where(step: Step, ranges: Sequence[str], problems: Problems) -> Fix:
    """The statement with these ranges given."""
    added = ", ".join(ranges)
    end = step.source.span.end
    lead = ", " if step.source.where else " where "
    return problems.replacement(f"Write where {added}", Span(end, end), f"{lead}{added}")


def refuse_unresolved(
    step: Step,
    waiting: Sequence[str],
    constraints: Sequence[Constraint],
    known: Mapping[str, Range],
    facts: Facts,
    problems: Problems,
) -> None:
    """No access decides these variables."""
    names = " and ".join(waiting)
    bent, cased = _find_nonlinear(step, waiting, constraints, known, facts)
    if bent is not None:
        others = sorted(_multipliers([bent, *constraints], waiting) - set(step.variables))
        fixed = f"{_how_to_fix(others)}, or " if others else ""
        if any(constraint is bent for constraint, _ in cased):
            within = f"{text(bent.lower)}:{text(bent.upper)}"
            what = f"which is inside {within} for values of {names} that are no interval, or another one by the sizes"
        else:
            what = "which is not a sum of index variables times known numbers"
        problems.add(
            "tc/not-affine",
            f"{bent.access} reads {text(bent.subscript)}, {what}, so that no range of {names} follows from it",
            bent.span,
            expected="a sum of multiples of index variables, or a where",
            actual=text(bent.subscript),
            hint=f"{fixed}say the range: where {', '.join(f'{name} in 0:…' for name in waiting)}",
            fixes=[_where(step, [f"{name} in 0:1" for name in waiting], problems)],
        )
        return
    stuck = [c for c in constraints if c.exact and sum(v not in known for v in variables_of(c, step)) > 1]
    said = [(c, left) for c, left in cased if left is not None]
    if stuck:
        shown = "; ".join(
            dict.fromkeys(f"{c.access} holds {text(c.subscript)} inside {text(c.lower)}:{text(c.upper)}" for c in stuck)
        )
        them = "it" if len(waiting) == 1 else "them"
        reason = f"each access that has {them} has another one that is unknown as well: {shown}"
    elif said:
        reason = "; ".join(_print_constraint(constraint, left) for constraint, left in said)
    else:
        reason = f"no tensor is read with {'it' if len(waiting) == 1 else 'them'} as an index"
    span = next((index.span for index in step.source.indices if index.name in waiting), step.source.span)
    asked = [name for name in waiting if name not in step.indices] or list(waiting)
    ranges = [f"{name} in 0:…" for name in asked]
    problems.add(
        "tc/unresolved",
        f"the range of {names} does not follow from what is read: {reason}",
        span,
        expected=f"where {', '.join(ranges)}",
        actual="no range",
        hint=f"say it: where {', '.join(ranges)}",
        fixes=[_where(step, [f"{name} in 0:2" for name in asked], problems)],
    )


def _multipliers(constraints: Sequence[Constraint], waiting: Sequence[str]) -> set[str]:
    """What index variables are multiplied with in the subscripts that these variables wait for, all at once."""
    subscripts = (constraint.subscript for constraint in constraints if constraint.factors is None)
    return {
        name
        for subscript in subscripts
        if free_names(subscript) & set(waiting)
        and not any(isinstance(atom, FloorDiv | Mod | Min | Max) for atom in all_atoms(subscript))
        for name in free_names(subscript)
    }


def _how_to_fix(names: Sequence[str]) -> str:
    """Where a person gives these sizes and integers a number."""
    fields, numbers = ("its field", "a number") if len(names) == 1 else ("their fields", "numbers")
    sizes = ", ".join(f'"{name}": 1' for name in names)
    return f"give {' and '.join(names)} {numbers} ({fields} on the page, sizes={{{sizes}}} in Python)"


def _find_nonlinear(
    step: Step, waiting: Sequence[str], constraints: Sequence[Constraint], known: Mapping[str, Range], facts: Facts
) -> tuple[Constraint | None, list[tuple[Constraint, Left | None]]]:
    """The first access of which nothing follows, and what was left by cases."""
    cased: list[tuple[Constraint, Left | None]] = []
    bent: Constraint | None = None
    for constraint in constraints:
        if constraint.factors is not None or not free_names(constraint.subscript) & set(waiting):
            continue
        unknown = [variable for variable in variables_of(constraint, step) if variable not in known]
        curved = any(isinstance(atom, FloorDiv | Mod | Min | Max) for atom in all_atoms(constraint.subscript))
        if constraint.exact and curved and len(unknown) == 1:
            left = left_by_cases(constraint, unknown[0], known, step.variables, facts)
            cased.append((constraint, left))
            if left is not None:
                continue
        elif constraint.exact and curved:
            continue
        bent = bent or constraint
    return bent, cased


def _print_constraint(constraint: Constraint, left: Left) -> str:
    reads = f"{constraint.access} reads {text(constraint.subscript)}, which is"
    inside = f"{text(constraint.lower)}:{text(constraint.upper)}"
    if left == ALL:
        return f"{reads} inside {inside} whatever the index is"
    if left == NEVER:
        return f"{reads} outside {inside} whatever the index is"
    return f"{reads} inside {inside} however large the index is"


def ambiguous(step: Step, constraint: Constraint, known: Mapping[str, Range], problems: Problems) -> None:
    """The ranges that other reads give do not keep this one inside."""
    variables = [
        variable for variable in step.variables if constraint.factors is None or variable in constraint.factors
    ]
    ranges = [f"{v} in {text(known[v].lower)}:{text(known[v].upper)}" for v in variables if v not in step.explicit]
    needed = _print_requirement(constraint, known)
    problems.add(
        "tc/ambiguous-range",
        f"{constraint.access} reads {text(constraint.subscript)} in {text(constraint.lower)}:{text(constraint.upper)}, "
        f"which the ranges that the other reads give ({', '.join(ranges)}) do not keep it in: "
        + (f"they would, were {needed}" if needed else "it depends on the sizes")
        + ", and which range should be smaller is not said",
        constraint.span,
        expected=f"where {', '.join(ranges)}, or smaller ranges" if ranges else "a smaller range",
        actual="no range that fits for all sizes",
        hint="with the ranges given, the condition is checked at each call",
        fixes=[_where(step, ranges, problems)] if ranges else (),
    )


def _print_requirement(constraint: Constraint, known: Mapping[str, Range]) -> str | None:
    """What sizes would have to fulfil, as a text."""
    if constraint.factors is None:
        return None
    low, high = ends_of(constraint.subscript, constraint.factors, known)
    parts = []
    above = low - constraint.lower
    if above.terms and not (above.constant is not None and above.constant >= 0):
        parts.append(f"{text(low)} >= {text(constraint.lower)}")
    over = high - (constraint.upper - 1)
    if over.terms:
        moved = high + 1
        parts.append(f"{text(moved)} <= {text(constraint.upper)}")
    return " and ".join(parts) or None


def conflicting(step: Step, other: Step, dimension: int, other_range: Range, two: Range, problems: Problems) -> None:
    """Two statements give one tensor different sizes."""
    problems.add(
        "tc/extent-conflict",
        f"{step.base} runs over {text(two.lower)}:{text(two.upper)} in dimension {dimension} here, but statement "
        f"{other.number + 1} gives it {text(other_range.lower)}:{text(other_range.upper)}: a tensor has one size",
        step.source.target_span,
        expected=f"{text(other_range.lower)}:{text(other_range.upper)}",
        actual=f"{text(two.lower)}:{text(two.upper)}",
        hint="use the same size in the types of both, or give the ranges with where",
    )


def empty(step: Step, variable: str, range: Range, problems: Problems) -> None:
    clause = step.explicit.get(variable)
    problems.add(
        "tc/empty-range",
        f"{variable} would run over {text(range.lower)}:{text(range.upper)}, which ends before it begins",
        clause.span if clause is not None else step.source.span,
        expected="an end that is not below the start",
        actual=f"{text(range.lower)}:{text(range.upper)}",
        hint="use larger sizes, or other subscripts"
        if clause is None
        else f"exchange the ends, or leave the range of {variable} out where reads tell it",
    )
