"""Schedules of another target: the first repair is the schedule that the rules choose for this one."""

from __future__ import annotations

from dataclasses import replace

from heddle.advice import ScheduleForTarget
from heddle.diagnostics import CompileError, Diagnostic, Fix
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.tuning.search.suggest import suggest


def with_chosen_schedule(result: CompileResult) -> CompileResult:
    """``result``; where its schedule does not suit its target, with the rules' schedule as the first repair. Repairs of
    single commands that only lead to the next error are left out."""
    plan = result.plan
    if not any(ScheduleForTarget() in diagnostic.advice for diagnostic in result.diagnostics):
        return result
    try:
        chosen = Fix(f"Let the rules choose a schedule for {plan.target}", schedule=suggest(plan).schedule)
    except CompileError:
        return result  # no schedule helps: the error is in what is computed
    return replace(result, diagnostics=tuple(_put_first(diagnostic, chosen, plan) for diagnostic in result.diagnostics))


def _put_first(diagnostic: Diagnostic, chosen: Fix, plan: Plan) -> Diagnostic:
    if ScheduleForTarget() not in diagnostic.advice:
        return diagnostic
    helping = (fix for fix in diagnostic.fixes if fix.schedule is not None and _compiles(plan, fix.schedule))
    return replace(diagnostic, fixes=(chosen, *helping))


def _compiles(plan: Plan, schedule: tuple[str, ...]) -> bool:
    return lower(replace(plan, schedule=schedule)).ok
