"""The goals, in the order in which they are shown: those for processors, and those for GPUs."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.explorer.schedule_sketches.goal import Commands, Goal, Start
from heddle.explorer.schedule_sketches.inner_loops import fewer_steps, reuse_in_cache, vector_lanes
from heddle.explorer.schedule_sketches.threads import equal_work, fewer_atomics, rows_on_threads
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.schedule.gpu_default import default_gpu_schedule
from heddle.targets import target_named


def whole_gpu(start: Start) -> Iterator[Commands]:
    """The schedule that a plan without one gets."""
    try:
        commands = default_gpu_schedule(start.graph) if not start.graph.parallel else None
    except Refusal:
        return
    if commands:
        yield start.then(*commands)


PROCESSOR = (
    Goal(
        "equal-work",
        "Equal work for every thread",
        "Each thread gets the same number of stored entries, however uneven the rows are.",
        equal_work,
    ),
    Goal("threads", "Rows on all threads", "Each thread takes tiles of rows; nothing is shared.", rows_on_threads),
    Goal(
        "fewer-atomics",
        "Fewer atomic updates",
        "Each thread adds into a partial result of its own, and these are added up once.",
        fewer_atomics,
    ),
    Goal("lanes", "Vector lanes", "Several iterations of an inner loop run in one instruction.", vector_lanes),
    Goal(
        "reuse",
        "Reuse an operand in cache",
        "The outer loops run over tiles, so that what a tile reads stays in cache.",
        reuse_in_cache,
    ),
    Goal("fewer-steps", "Fewer loop steps", "Iterations are written out: the loop tests less often.", fewer_steps),
)
GPU = (
    Goal("whole-gpu", "The whole GPU", "Blocks, warps and threads share the work out evenly.", whole_gpu),
    *PROCESSOR[2:3],
)


def goals_for(target: str) -> tuple[Goal, ...]:
    return GPU if target_named(target).only_gpu else PROCESSOR
