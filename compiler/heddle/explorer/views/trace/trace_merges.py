"""The interpreter's events -> the lattice points that were active, in the order of the run (docs/sources.toml V6)."""

from __future__ import annotations

from collections.abc import Iterable

from heddle.explorer.views.trace.trace_schema import MergeCursorView, MergeStepView
from heddle.explorer.views.trace.trace_steps import group
from heddle.loop_ir.interpreter.trace import CaseEvent, Event, MergeEvent


def merges_of(events: Iterable[Event], lines: tuple[int, ...], c_lines: tuple[int, ...] | None) -> list[MergeStepView]:
    """One entry for each iteration of a loop that belongs to a merge lattice.

    ``lines`` and ``c_lines`` give each statement's line. What was active comes from the branches that were taken, not
    from the coordinates: an iteration whose branches were all passed by has the point that needs no test, or none.
    """
    merges: list[MergeStepView] = []
    running: dict[str, MergeStepView] = {}  # The iteration that runs now, by variable: merges are inside each other.
    step = 0
    for event, _ in group(events):
        match event:
            case MergeEvent(variable=variable, point=point, otherwise=otherwise, cursors=cursors):
                entry = MergeStepView(
                    step=step,
                    variable=variable,
                    worker=dict(event.worker),
                    loop=list(point),
                    active=list(otherwise) if otherwise is not None else None,
                    line=lines[event.statement],
                    c_line=c_lines[event.statement] if c_lines is not None else None,
                    branch_line=None,
                    branch_c_line=None,
                    cursors=[
                        MergeCursorView(
                            operand=cursor.operand,
                            tensor=cursor.tensor,
                            level=cursor.level,
                            position=cursor.position,
                            end=cursor.end,
                        )
                        for cursor in cursors
                    ],
                )
                running[variable] = entry
                merges.append(entry)
            case CaseEvent(variable=variable, point=point):
                entry = running[variable]
                entry["active"] = list(point)
                entry["branch_line"] = lines[event.statement]
                entry["branch_c_line"] = c_lines[event.statement] if c_lines is not None else None
            case _:
                step += 1
    return merges
