"""A schedule for a program in patterns: reductions over what lies side by side in memory go into vector lanes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from heddle.diagnostics import CompileError
from heddle.loop_ir import build
from heddle.loop_ir.analysis.linear import linear
from heddle.loop_ir.nodes import Assign, Declare, Expr, For, Function, Load, LoopKind, Var
from heddle.loop_ir.walk import all_statements, expressions, statements, subexpressions
from heddle.patterns.program import Program
from heddle.patterns.rules.rule import sites
from heddle.patterns.rules.steps import Stepped, apply_step, begin, with_last_parameters
from heddle.patterns.rules.terms import labels
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.targets import target_named

RULE = "pattern-reductions"
IN_LANES, UNCHANGED = "Reductions in vector lanes", "As it is written"
IN_ANY_ORDER = "{name} combines neighbours in memory in any order: vector lanes load them at once."
SHORTEST = 16
"""Elements of a reduction for which lanes are worth it, where the program says how many there are."""

AS_WRITTEN = (
    "No reduction of the program runs in any order over elements that lie side by side in memory, as many as no data "
    "decide. Write steps yourself, such as mapPar(map1), or have them searched for with heddle tune."
)


@dataclass(frozen=True, slots=True)
class ReductionChoice:
    """The compiled schedule, the reductions that it puts into lanes, and why these or none."""

    result: CompileResult
    reductions: tuple[str, ...]
    title: str
    reasons: tuple[str, ...]


def choose_vector_reductions(plan: Plan, program: Program) -> ReductionChoice:
    """``vectorReduce`` for each reduction of ``program`` that lanes load for at once.

    Of the plan's schedule those steps stay that give the program its parameters. A reduction in lanes adds in another
    order, which ``reduce`` allows of every operator that it takes.

    Raises
    ------
    CompileError
        the program or its schedule is wrong.
    """
    units = (LoopKind.SERIAL, *target_named(plan.target).units)
    _, steps = with_last_parameters(program, plan.schedule, units)
    state = begin(program)
    for number, text in enumerate(steps):
        state = apply_step(state, text, number, units)
    result = _lower(plan, steps)
    reductions: list[str] = []
    for name in _reductions(state) if LoopKind.CPU_VECTOR in units else ():
        text = f"vectorReduce({name})"
        try:
            after = apply_step(state, text, len(steps), units)
        except CompileError:
            continue  # its map has a unit of its own, or stands inside lanes
        candidate = lower(replace(plan, schedule=(*steps, text)))
        if candidate.ok and candidate.function is not None and _lanes_load_at_once(candidate.function):
            state, steps, result = after, (*steps, text), candidate
            reductions.append(name)
    if not reductions:
        return ReductionChoice(result, (), UNCHANGED, (AS_WRITTEN,))
    reasons = tuple(IN_ANY_ORDER.format(name=name) for name in reductions)
    return ReductionChoice(result, tuple(reductions), IN_LANES, reasons)


def _lower(plan: Plan, steps: Sequence[str]) -> CompileResult:
    result = lower(replace(plan, schedule=tuple(steps)))
    result.raise_errors()
    return result


def _reductions(state: Stepped) -> list[str]:
    """The reductions that may combine in any order, in the order of the text."""
    known = sites(state.term)
    return [name for name in labels(state.term) if name in known and known[name].pattern == "reduce"]


def _lanes_load_at_once(function: Function) -> bool:
    """Whether every loop over lanes is an innermost one whose length no data decide and whose lanes read neighbours,
    or all the same element."""
    loops = [loop for loop in all_statements(function) if isinstance(loop, For) and loop.kind is LoopKind.CPU_VECTOR]
    from_data = _names_from_data(function)
    return bool(loops) and all(_loads_neighbours(loop, from_data) for loop in loops)


def _names_from_data(function: Function) -> frozenset[str]:
    """Variables whose value an element of an array decides."""
    names: set[str] = set()
    for statement in all_statements(function):
        if isinstance(statement, Declare | Assign) and _is_from_data(statement.value, names):
            names.add(statement.name)
    return frozenset(names)


def _is_from_data(expression: Expr, names: Collection[str]) -> bool:
    parts = tuple(subexpressions(expression))
    return any(isinstance(part, Load) or (isinstance(part, Var) and part.name in names) for part in parts)


def _loads_neighbours(loop: For, from_data: Collection[str]) -> bool:
    length = build.constant(loop.upper)
    if _is_from_data(loop.upper, from_data) or (length is not None and length < SHORTEST):
        return False
    inside = tuple(statements(loop.body))
    parts = [part for statement in inside for root in expressions(statement) for part in subexpressions(root)]
    loads = [part for part in parts if isinstance(part, Load)]
    varying = {loop.variable, *(statement.name for statement in inside if isinstance(statement, Declare))}
    return (
        bool(loads)
        and not any(isinstance(statement, For) for statement in inside)
        and all(_is_contiguous(load, loop.variable, varying, from_data) for load in loads)
    )


def _is_contiguous(load: Load, lane: str, varying: Collection[str], from_data: Collection[str]) -> bool:
    """Whether the index grows by 1 from lane to lane, or is the same for all, and no data decide where it begins: rows
    of blocks and those that are looked up are mostly short. ``varying`` are the variables that may differ between
    lanes."""
    if _is_from_data(load.index, from_data):
        return False
    parts = linear(load.index).parts.items()
    return all(part == Var(lane) and times == 1 for part, times in parts if _mentions(part, varying))


def _mentions(expression: Expr, names: Collection[str]) -> bool:
    return any(isinstance(part, Var) and part.name in names for part in subexpressions(expression))
