"""Threads for less work than waking them costs."""

from __future__ import annotations

from heddle.schedule.primitives.parallelize import Parallelize
from heddle.tuning.diagnosis.finished import Diagnosis, Finished, duration, waking
from heddle.tuning.rules.threads import least_work


def too_little_work(run: Finished) -> Diagnosis | None:
    """Said where the run showed it as well: without its schedule the kernel was faster."""
    threads = run.program.machine.threads
    shared = [
        place for place, command in run.commands if isinstance(command, Parallelize) and command.unit == "CPUThread"
    ]
    works = [work for access in run.program.sparse if (work := run.program.work(access)) is not None]
    if threads < 2 or not shared or not works or run.unscheduled is None or run.unscheduled >= run.seconds:
        return None
    if max(works) >= least_work(run.program.machine):
        return None
    rest = [text for place, text in enumerate(run.plan.schedule) if place not in shared]
    fix = run.with_schedule("Leave the threads out", *rest)
    if fix is None:
        return None
    text = (
        f"About {max(works):,.0f} operations are too few for {threads} threads: waking them takes "
        f"{waking(run.program.machine)}. Without its schedule the kernel takes "
        f"{duration(run.unscheduled)} in place of {duration(run.seconds)}: one thread is faster."
    )
    return Diagnosis("too-little-work", text, fix)
