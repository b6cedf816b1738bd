"""Schedules whose floating-point sums come in the same order in each run: ``options={"deterministic": True}``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.loop_ir.analysis.sum_order import find_unordered_sum
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.schedule.gpu_default import default_gpu_schedule
from heddle.targets import target_named
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.search.suggest import Suggestion, proposals

TITLE = "The schedule of a GPU program that comes without one, without atomic updates"
REASON = "Each element is summed by one thread, or in registers that combine in a fixed order: the option asks for it."


def suggest_in_fixed_order(
    plan: Plan,
    statistics: Mapping[str, Statistics] | None = None,
    machine: Machine | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> Suggestion:
    """As :func:`heddle.tuning.search.suggest.suggest`: the first that has no sum in another order at each run.

    Raises
    ------
    CompileError
        also ``schedule/sum-order``, where there is none.
    """
    for suggestion in proposals(plan, statistics, machine, shapes):
        if _is_fixed(suggestion.result):
            return suggestion
    result = lower_in_fixed_order(replace(plan, schedule=()))
    return Suggestion("fixed-order", TITLE, result.plan.schedule, (REASON,), result)


def lower_in_fixed_order(plan: Plan) -> CompileResult:
    """``plan`` compiled; without a schedule for a GPU it gets one whose sums have a fixed order.

    Raises
    ------
    CompileError
        ``schedule/sum-order``, where its schedule, or any that would be chosen, has sums without one.
    """
    result = lower(plan)
    result.raise_errors()
    if _is_fixed(result):
        return result
    if not plan.schedule and target_named(plan.target).only_gpu:
        schedule = default_gpu_schedule(result.graphs[0], fixed_order=True)
        if schedule is not None:
            other = lower(replace(plan, schedule=schedule))
            if other.ok and _is_fixed(other):
                return other
    raise CompileError(_diagnostic(result, chosen=not plan.schedule))


def _is_fixed(result: CompileResult) -> bool:
    return result.function is None or find_unordered_sum(result.function) is None


def _diagnostic(result: CompileResult, *, chosen: bool) -> Diagnostic:
    assert result.function is not None
    update = find_unordered_sum(result.function)
    assert update is not None
    name, command = update.array.tensor or update.array.name, update.origin.command
    place = Location(Part.PLAN, path="/schedule")
    if command is not None and command < len(result.plan.schedule) and not chosen:
        place = Location(Part.SCHEDULE, 0, len(result.plan.schedule[command]), command=command)
    hint = "Leave out the schedule, so that one without atomic updates is chosen where there is one."
    if chosen:
        hint = "Store the operands so that each row of the result is one thread's, as in csr; or do without the option."
    return Diagnostic(
        "schedule/sum-order",
        f"threads add to {name} by atomic updates, whose order is another in each run, and with it the last bits of "
        f"the sums{': no schedule without them fits this program' if chosen else ''}.",
        place,
        expected="sums in the same order in each run",
        actual=f"atomic updates of {name}",
        hint=hint,
    )
