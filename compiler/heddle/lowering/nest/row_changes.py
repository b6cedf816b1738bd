"""Where a loop over positions with coordinates of their own comes to another row: what it summed is stored."""

from __future__ import annotations

from heddle.loop_ir import build
from heddle.loop_ir.nodes import Assign, Block, Expr, If
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.loop_sums import Segment


def watch_rows(environment: LoopEnvironment, variable: str) -> None:
    """At the start of an iteration of the segment's own loop, where each position has its coordinates: store the sums
    of the row before when another one begins."""
    segment = environment.context.accumulators.segment
    if segment is None or segment.variable != variable or not segment.rows:
        return
    same = build.both(*(build.compare("==", environment.value(index), row) for index, row in segment.rows.items()))
    stored = If(has_begun(segment), Block(tuple(segment.end_of_row(environment))), segment.origin)
    begin = [Assign(row.name, environment.value(index), segment.origin) for index, row in segment.rows.items()]
    environment.emit(If(build.negate(same), Block((stored, *begin)), segment.origin))


def has_begun(segment: Segment) -> Expr:
    """Whether there is a row at all, where rows are told by their coordinates."""
    return build.compare(">=", next(iter(segment.rows.values())), build.index(0))
