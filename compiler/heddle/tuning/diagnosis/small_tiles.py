"""Tiles of so few iterations that the loop over them costs more than what is in them."""

from __future__ import annotations

from heddle.schedule.primitives.split import Split
from heddle.tuning.diagnosis.finished import Diagnosis, Finished, duration

SMALL, MANY, WORTHWHILE = 16, 1000, 256
"""Iterations of a small tile, tiles that are many, and iterations of a tile that repay its loop."""


def small_tiles(run: Finished) -> Diagnosis | None:
    """Said where the run showed it as well: without its schedule the kernel was faster."""
    if run.unscheduled is None or run.unscheduled >= run.seconds:
        return None
    for place, command in run.commands:
        size = run.program.sizes.get(command.variable) if isinstance(command, Split) else None
        if not isinstance(command, Split) or size is None or command.size > SMALL or size < MANY * command.size:
            continue
        wide = f"split({command.variable}, {command.outer}, {command.inner}, {WORTHWHILE})"
        schedule = [wide if place == number else text for number, text in enumerate(run.plan.schedule)]
        fix = run.with_schedule(f"Tiles of {WORTHWHILE}", *schedule)
        if fix is not None:
            tiles = -(-size // command.size)
            text = (
                f"{tiles:,} tiles of {command.size}: the loop over the tiles of {command.variable} costs more "
                f"than what is in "
                f"them. Without its schedule the kernel takes {duration(run.unscheduled)} in place of "
                f"{duration(run.seconds)}. Try {WORTHWHILE}."
            )
            return Diagnosis("small-tiles", text, fix)
    return None
