"""Goals that can be reached from where a schedule stands: each with the first of its schedules that compiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

from heddle.explorer.schedule_sketches.goal import Commands, Goal, Start
from heddle.explorer.schedule_sketches.table import goals_for
from heddle.pipeline import judge
from heddle.result import CompileResult
from heddle.schedule.assembly import workspace_command

MOST_TRIED = 12
"""Schedules of one goal."""


@dataclass(frozen=True, slots=True)
class Reached:
    """``schedule`` compiles; ``commands`` are those of it that are new."""

    goal: Goal
    schedule: Commands
    commands: Commands


def find_reachable(result: CompileResult) -> tuple[Reached, ...]:
    """What can be reached after the commands of the plan that apply; commands behind one that does not are kept out."""
    graph, plan = result.graph, result.plan
    if graph is None:
        return ()
    commands = plan.schedule[: len(result.graphs) - 1]
    gathered = workspace_command(graph, result.graphs[0])
    if gathered is not None:
        # With any command of a person's the result's workspace is theirs to write, too.
        commands = (*commands, gathered)
        graph = judge(replace(plan, schedule=commands), result).graph or graph
    start = Start(graph, commands)
    sketches = []
    for goal in goals_for(plan.target):
        for schedule in islice(goal.schedules(start), MOST_TRIED):
            tried = judge(replace(plan, schedule=schedule), result)
            if tried.ok and not tried.diagnostics:
                new = tuple(command for command in schedule if command not in plan.schedule)
                sketches.append(Reached(goal, schedule, new))
                break
    return tuple(sketches)
