"""Where a search stands, in words and as a share of its budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heddle.tuning.session.log import Line
from heddle_server.duration import duration


@dataclass(frozen=True, slots=True)
class Standing:
    """``best`` in seconds, None before anything was timed; ``fraction`` of the budget that is used up first."""

    evaluations: int
    generations: int
    best: float | None
    fraction: float | None

    def __str__(self) -> str:
        best = "" if self.best is None else f", the fastest {duration(self.best * 1e9)}"
        return f"{self.generations} generations, {self.evaluations} schedules timed{best}"


def in_words(lines: Sequence[Line]) -> Standing:
    """Of a log, also of an empty one."""
    timed = [line["seconds"] for line in lines if line["event"] == "timed"]
    generations = sum(line["event"] == "generation" for line in lines)
    best = min((seconds for seconds in timed if seconds is not None), default=None)
    if not lines or lines[0]["event"] != "header":
        return Standing(0, 0, None, None)
    budget = lines[0]["budget"]
    used = sum(line["seconds"] for line in lines if line["event"] == "slice")
    shares = [len(timed) / budget["evaluations"], generations / budget["generations"]]
    if budget["seconds"]:
        shares.append(used / budget["seconds"])
    return Standing(len(timed), generations, best, min(1.0, max(shares)))
