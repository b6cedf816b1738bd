"""Conditions that can never fail, because the reads that they guard held the ranges: ``i >= k ? x(i-k) : 0`` where
inference gives k the range for which ``x(i-k)`` is inside anyway. Whoever wrote the condition meant another range."""

from __future__ import annotations

from heddle.comprehensions.checks.resolved import Step
from heddle.comprehensions.ranges.nodes import Constraint, Range, Round
from heddle.comprehensions.ranges.search import Known, key_of, variables_of
from heddle.diagnostics import Severity
from heddle.notation.nodes import Span
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import ZERO, Test, length
from heddle.symbolic.prove import nonnegative
from heddle.symbolic.walk import free_names


def note_unneeded_guards(step: Step, known: Known, facts: Facts) -> None:
    """Says which range was concluded, from what, and how to say another. ``facts`` are those of the statement."""
    for constraint in known.constraints[step.number]:
        held = _held_by(step, constraint, known) if key_of(constraint) in known.used else None
        if held is None or not any(held.variable in free_names(test.difference) for test in constraint.guards):
            continue
        free = known.facts
        for variable, range in known.ranges[step.number].items():
            if variable != held.variable:
                free = free.assume_range(variable, range.lower, range.upper - 1)
        free = free.assuming(length(held.variable))
        if all(_holds(test, facts) for test in constraint.guards) and not all(
            _holds(test, free) for test in constraint.guards
        ):
            _note(step, constraint, held.variable, known)


def _held_by(step: Step, constraint: Constraint, known: Known) -> Round | None:
    """The round in which the read held a variable."""
    rounds = (entry for entry in known.rounds if entry.step == step.number and entry.how == "access")
    return next(
        (entry for entry in rounds if entry.access == constraint.access and entry.constraint == constraint.shown), None
    )


def _holds(test: Test, facts: Facts) -> bool:
    match test.operator:
        case ">=":
            return nonnegative(test.difference, facts)
        case "<":
            return nonnegative(-test.difference - 1, facts)
        case _:
            return False


def _note(step: Step, constraint: Constraint, variable: str, known: Known) -> None:
    ranges, problems = known.ranges[step.number], known.problems
    condition = " && ".join(known.spell(node) for node in constraint.under)
    others = [name for name in variables_of(constraint, step) if name != variable]
    beside = f" for all {', '.join(f'{name} in {ranges[name].shown}' for name in others)}" if others else ""
    wider = {variable: _wider(step, constraint, variable, known)}
    wider |= {name: ranges[name] for name in others if name not in step.explicit}
    clause = ", ".join(f"{name} in {range.shown}" for name, range in wider.items())
    end = step.source.span.end
    lead = ", " if step.source.where else " where "
    problems.note(
        "tc/condition-always-holds",
        f"{variable} runs over {ranges[variable].shown}, which keeps {constraint.access} inside of {constraint.tensor}"
        f"{beside}: the condition {condition} always holds",
        constraint.span,
        Severity.WARNING,
        hint=f"for the condition to decide what is read, say the range: where {clause}",
        fixes=(problems.replacement(f"Write where {clause}", Span(end, end), f"{lead}{clause}"),),
    )


def _wider(step: Step, constraint: Constraint, variable: str, known: Known) -> Range:
    """What the reads without a condition leave for the variable; else as many values as there are to read."""
    guarded = {constraint.access for constraint in known.constraints[step.number] if constraint.under}
    left = [
        entry.range
        for entry in known.rounds
        if entry.step == step.number
        and entry.variable == variable
        and entry.how == "access"
        and entry.access not in guarded
    ]
    return left[0] if left else Range(ZERO, constraint.upper - constraint.lower)
