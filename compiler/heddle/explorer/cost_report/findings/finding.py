"""A finding, and the plan that its repair would make, followed on the same data before it is offered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from heddle.diagnostics import CompileError, Fix
from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.run import TooLong
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import variables
from heddle.names import Names
from heddle.pipeline import lower
from heddle.plan import TensorSpec

MOST_EVENTS = 80_000
"""Of all tries for one finding together."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What costs something, in words with the numbers of the run. ``fix`` compiles, and ``gain`` is what it changes of
    these numbers, counted as well; both are None where no edit of the plan is known to help."""

    rule: str
    text: str
    fix: Fix | None = None
    gain: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TriedFix:
    """A changed plan and what was counted of it."""

    fix: Fix
    account: Account


def try_fix(
    account: Account,
    title: str,
    *,
    schedule: Sequence[str] | None = None,
    formats: Mapping[str, str] | None = None,
) -> TriedFix | None:
    """The repair, where the plan compiles with it and its run ends without a fault."""
    plan = account.result.plan
    if schedule is not None:
        plan = replace(plan, schedule=tuple(schedule))
    for tensor, format in (formats or {}).items():
        spec = replace(plan.tensors.get(tensor, TensorSpec()), format=format)
        plan = replace(plan, tensors={**plan.tensors, tensor: spec})
    try:
        result = lower(plan)
        if not result.ok:
            return None
        changed = Account(result, account.operands, account.most_events)
        if changed.run.fault is not None:
            return None
    except (CompileError, TooLong):
        return None
    commands = None if schedule is None else tuple(schedule)
    return TriedFix(Fix(title, schedule=commands, formats=dict(formats) if formats else None), changed)


def first_tried(account: Account, schedules: Iterable[tuple[str, Sequence[str]]], most: int) -> Iterator[TriedFix]:
    """Those of the first ``most`` titles and schedules that compile and run; of a long run, fewer are tried."""
    affordable = max(1, MOST_EVENTS // max(1, len(account.run.events)))
    for number, (title, schedule) in enumerate(schedules):
        if number >= min(most, affordable):
            return
        repair = try_fix(account, title, schedule=schedule)
        if repair is not None:
            yield repair


def new_names(graph: IterationGraph) -> Names:
    """Names for variables that no variable or tensor has."""
    return Names({*variables(graph), *graph.signature.tensors})


def times(ratio: float) -> str:
    """``3.1 times``."""
    return f"{ratio:.1f} times" if ratio < 10 else f"{ratio:.0f} times"
