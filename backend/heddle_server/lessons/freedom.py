"""What a plan may change of a task's start. The data of the task and what is counted stand on the rest."""

from __future__ import annotations

from heddle.fills.fill import same_value
from heddle.plan import Plan, TensorSpec, parse_plan
from heddle_server.lessons.lesson import Task

DEFAULTS = TensorSpec()


def not_free(task: Task, plan: Plan) -> str | None:
    """What a plan changed of the start although it may not; None for nothing."""
    start = parse_plan(dict(task.start))
    if plan.language != start.language:
        return f"this task is in the language {start.language}, this plan in {plan.language}"
    if "expression" not in task.free:
        if _plain(plan.expression) != _plain(start.expression):
            return f"this task is about {start.expression}: the expression stays as it is"
        if plan.sizes != start.sizes:
            return "this task leaves the sizes that the expression names as they are"
        if plan.arguments != start.arguments:
            return "this task leaves the arguments of the program as they are"
    if "schedule" not in task.free and [*map(_plain, plan.schedule)] != [*map(_plain, start.schedule)]:
        return "this task leaves the schedule as it is"
    if "target" not in task.free and plan.target != start.target:
        return f"this task is for the target {start.target}"
    if plan.options != start.options:
        return "this task leaves it as it is whether operands are converted automatically"
    return _tensors(task, plan, start)


def _tensors(task: Task, plan: Plan, start: Plan) -> str | None:
    for name in sorted(plan.tensors.keys() | start.tensors.keys()):
        now, before = plan.tensors.get(name, DEFAULTS), start.tensors.get(name, DEFAULTS)
        if "formats" not in task.free and now.format != before.format:
            return "this task leaves the formats as they are"
        if (now.dtype or "float64") != (before.dtype or "float64"):
            return f"this task leaves the values of {name} as they are: {before.dtype or 'float64'}"
        if now.shape != before.shape:
            return f"the shape of {name} comes from the data of the task: leave it out"
        if not same_value(now.fill, before.fill):
            return f"this task leaves what {name} does not store as it is: {before.fill}"
    return None


def _plain(text: str) -> str:
    return "".join(text.split())
