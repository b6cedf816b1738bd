"""What is asked after a run, in this order: the first rule that is certain of something says it."""

from __future__ import annotations

from collections.abc import Callable

from heddle.tuning.diagnosis.finished import Diagnosis, Finished
from heddle.tuning.diagnosis.idle_threads import idle_threads
from heddle.tuning.diagnosis.memory_bound import memory_bound
from heddle.tuning.diagnosis.small_tiles import small_tiles
from heddle.tuning.diagnosis.too_little_work import too_little_work
from heddle.tuning.diagnosis.uneven_threads import uneven_threads
from heddle.tuning.diagnosis.wasteful_format import wasteful_format

RULES: tuple[Callable[[Finished], Diagnosis | None], ...] = (
    wasteful_format,
    too_little_work,
    small_tiles,
    uneven_threads,
    idle_threads,
    memory_bound,
)


def diagnose(run: Finished) -> Diagnosis | None:
    """What held the kernel back most; None where nothing is certain."""
    return next((diagnosis for rule in RULES if (diagnosis := rule(run)) is not None), None)
