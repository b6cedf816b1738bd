"""What a person may want of a schedule, each with commands that compile: the start of "what may come next"."""

from heddle.explorer.schedule_sketches.reached import Reached, find_reachable

__all__ = ["Reached", "find_reachable"]
