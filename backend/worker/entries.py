"""From timings to the entries of a result."""

from __future__ import annotations

from collections.abc import Sequence

from backend.baselines.contender import Contender, Unavailable
from backend.schema.run import Control, Entry, Preparation
from backend.verdicts import compared
from backend.worker.rounds import Timings
from backend.worker.statistics import RESOLUTION, median, ratio_of


def entries_of(timed: Sequence[Contender], timings: Timings, moved: int, triad: float | None) -> list[Entry]:
    """One entry for each contender; the first one is ours, which the others are compared with."""
    entries: list[Entry] = []
    control = control_of(timings)
    resolution = control["resolution"] if control is not None else RESOLUTION
    for place, contender in enumerate(timed):
        samples = timings.samples[place]
        middle = median(samples)
        rate = moved / middle.value if middle.value > 0 else None
        ratio = ratio_of(samples, timings.samples[0], resolution=resolution) if place else None
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
                "ratio_to_heddle": compared(contender.id, contender.label, ratio) if ratio is not None else None,
                "gigabytes_per_second": rate,
                "bandwidth_share": rate / triad if rate is not None and triad else None,
                "preparation": [*contender.preparation, first],
                "note": contender.note,
            }
        )
    return entries


def control_of(timings: Timings) -> Control | None:
    """How far our kernel, timed as two contenders, differs from itself; None where nothing was timed."""
    if timings.control is None:
        return None
    ratio = ratio_of(timings.control, timings.samples[0])
    away = abs(ratio["value"] - 1)
    return {
        "value": ratio["value"],
        "low": ratio["low"],
        "high": ratio["high"],
        "resolution": max(RESOLUTION, round(away, 4)),
        "quiet": away <= RESOLUTION,
    }


def unavailable_entry(one: Unavailable) -> Entry:
    """A contender that could not take part, with the reason."""
    return {
        "id": one.id,
        "label": one.label,
        "available": False,
        "reason": one.reason,
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
