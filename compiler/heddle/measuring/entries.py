"""From timings to the entries of a result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heddle.measuring.contender import Contender, Unavailable
from heddle.measuring.rounds import Timings
from heddle.measuring.schema import Control, Entry, Load, Preparation
from heddle.measuring.starved import Rounds, starved_rounds, usual_wake_ns
from heddle.measuring.statistics import RESOLUTION, median, ratio_of
from heddle.measuring.verdicts import judge_ratio

Shares = tuple[float | None, float | None]


def entries_of(
    timed: Sequence[Contender], timings: Timings, moved: int, triad: float | None, known_wake: float | None
) -> list[Entry]:
    """One entry for each contender; the first one is ours, which the others are compared with. ``known_wake`` are the
    seconds that waking the threads takes in quiet moments."""
    entries: list[Entry] = []
    controls = [control_of(timings, place) for place in range(len(timed))]
    resolution = controls[0]["resolution"] if controls and controls[0] is not None else RESOLUTION
    for place, contender in enumerate(timed):
        samples = timings.samples[place]
        middle = median(samples)
        rate = moved / middle.value if middle.value > 0 else None
        ratio = ratio_of(samples, timings.samples[0], resolution=resolution) if place else None
        flagged = flagged_rounds(timings, place, contender.threads, known_wake)
        first: Preparation = {"name": "first call", "ns": timings.first_call_ns[place]}
        entries.append(
            {
                "id": contender.id,
                "label": contender.label,
                "available": True,
                "reason": None,
                "median_ns": middle.value,
                "low_ns": middle.low,
                "high_ns": middle.high,
                "quartiles_ns": list(middle.quartiles),
                "samples_ns": [round(float(sample), 1) for sample in samples],
                "ratio_to_heddle": judge_ratio(contender.id, contender.label, ratio) if ratio is not None else None,
                "gigabytes_per_second": rate,
                "bandwidth_share": rate / triad if rate is not None and triad else None,
                "preparation": [*contender.preparation, first],
                "note": contender.note,
                "threads": contender.threads,
                "control": controls[place],
                "flagged": flagged,
                "flagged_share": len(flagged) / samples.size,
            }
        )
    return entries


def flagged_rounds(timings: Timings, place: int, threads: int, known_wake: float | None) -> list[int]:
    """The rounds in which a contender on so many ``threads`` could not have its cores."""
    rounds = Rounds(threads, timings.calls[place], timings.samples[place], timings.lost[place])
    return starved_rounds(rounds, timings.region, usual_wake_ns(known_wake, timings.region))


def control_of(timings: Timings, place: int = 0) -> Control | None:
    """How far a contender, ours to begin with, differs from itself when it is timed as two; None where it was not."""
    if place >= len(timings.again) or not (paired := np.isfinite(timings.again[place])).any():
        return None
    ratio = ratio_of(timings.again[place][paired], timings.samples[place][paired])
    away = abs(ratio["value"] - 1)
    return {
        "value": ratio["value"],
        "low": ratio["low"],
        "high": ratio["high"],
        "resolution": max(RESOLUTION, round(away, 4)),
        "quiet": away <= RESOLUTION,
    }


def load_of(entries: Sequence[Entry], timings: Timings, involuntary: int | None, shares: Shares) -> Load:
    """What the system said while ``timings`` were measured; ``shares`` are those of pressure and steal."""
    region = None if timings.region is None else median(timings.region)
    pressure, steal = shares
    return {
        "involuntary": involuntary,
        "pressure": pressure,
        "steal": steal,
        "region_ns": None if region is None else {"median": region.value, "low": region.low, "high": region.high},
        "rounds": timings.rounds,
        "flagged": len({number for entry in entries for number in entry.get("flagged", [])}),
    }


def unavailable_entry(contender: Unavailable) -> Entry:
    """A contender that could not take part, with the reason."""
    return {
        "id": contender.id,
        "label": contender.label,
        "available": False,
        "reason": contender.reason,
        "median_ns": None,
        "low_ns": None,
        "high_ns": None,
        "quartiles_ns": None,
        "samples_ns": [],
        "ratio_to_heddle": None,
        "gigabytes_per_second": None,
        "bandwidth_share": None,
        "preparation": [],
        "note": None,
    }
