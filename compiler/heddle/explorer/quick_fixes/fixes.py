"""All repairs of an error, each judged before it is offered: whoever presses one is not refused in turn."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import Diagnostic, Fix, Part, Severity
from heddle.explorer.quick_fixes.ranking import is_removal, rank
from heddle.explorer.quick_fixes.rewrites import rewrites
from heddle.pipeline import judge
from heddle.plan import Options, Plan, TensorSpec
from heddle.result import CompileResult

MOST_TRIED = 24
MOST_OFFERED = 6

STAGES = (Part.PLAN, Part.EXPRESSION, Part.FORMAT, Part.SCHEDULE, Part.INPUT)
"""In the order in which a compile comes to them."""


def find_fixes(diagnostic: Diagnostic, result: CompileResult) -> tuple[Fix, ...]:
    """The likely ones first. Where the plan has another mistake as well, those that leave only that one; the refusal's
    own where nothing helps."""
    plan = result.plan
    ways = [*diagnostic.fixes, *rewrites(diagnostic, result)]
    ways.sort(key=lambda fix: is_removal(fix, plan))
    helping: dict[bool, dict[object, Fix]] = {True: {}, False: {}}
    seen: set[object] = set()
    for fix in ways:
        repaired = with_fix(plan, fix)
        key = _same(repaired)
        takes_away = is_removal(fix, plan)
        full = len(helping[True]) >= MOST_OFFERED - 1 or len(seen) >= MOST_TRIED
        if key in seen or (full and not takes_away):
            continue
        seen.add(key)
        tried = None if fix.options is not None else judge(repaired, result)  # options come from the compile, judged
        if tried is None or tried.ok:
            helping[True][key] = fix
        elif _gets_further(diagnostic, plan, tried):
            helping[False][key] = fix
    fixes = tuple((helping[True] or helping[False]).values())
    if len(fixes) > MOST_OFFERED:
        fixes = (*fixes[: MOST_OFFERED - 1], fixes[-1])
    return tuple(rank(fixes or diagnostic.fixes, diagnostic.fixes, plan))


def with_fix(plan: Plan, fix: Fix) -> Plan:
    """The plan with a repair, as the page writes it."""
    tensors = dict(plan.tensors)
    for name, text in (fix.formats or {}).items():
        tensors[name] = replace(tensors.get(name, TensorSpec()), format=text)
    return replace(
        plan,
        expression=plan.expression if fix.expression is None else fix.expression,
        schedule=plan.schedule if fix.schedule is None else fix.schedule,
        tensors=tensors,
        options=plan.options if fix.options is None else Options(**fix.options),
    )


def _same(plan: Plan) -> object:
    """Equal for plans that differ in spaces alone."""
    schedule = tuple("".join(text.split()) for text in plan.schedule)
    return plan.expression, schedule, plan.options, *((name, spec.format) for name, spec in plan.tensors.items())


def _gets_further(diagnostic: Diagnostic, plan: Plan, tried: CompileResult) -> bool:
    """Whether what is wrong now stands behind what was wrong before."""
    before, now = diagnostic.location, next(d for d in tried.diagnostics if d.severity is Severity.ERROR).location
    if before is None or now is None:
        return False
    if before.part is not Part.SCHEDULE or now.part is not Part.SCHEDULE:
        return STAGES.index(now.part) > STAGES.index(before.part)
    longer = len(tried.plan.schedule) - len(plan.schedule)
    return (now.command or 0) > (before.command or 0) + longer
