"""What a sweep found: each point with its time beside the fastest, or the reason why it was refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heddle.library.benchmarks.benchmark_html import benchmark_html, time_text
from heddle.library.benchmarks.contenders import Subject
from heddle.library.benchmarks.tables import Record, Records
from heddle.measuring.schema import Entry, Measured
from heddle.measuring.statistics import RESOLUTION, ratio_of
from heddle.measuring.timed import Timed
from heddle.measuring.verdicts import beside_fastest, judge, side_of
from heddle.plan import Plan

__all__ = ["Sweep"]


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """``plan`` has the ``values`` in its place, None where it does not make a plan; ``subject`` is None where the point
    is refused, for the ``reason``."""

    values: Mapping[str, object]
    plan: Plan | None
    subject: Subject | None
    reason: str | None

    @property
    def label(self) -> str:
        """``tile = 16, format = csr``."""
        return ", ".join(f"{name} = {value}" for name, value in self.values.items())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TimedPoint:
    """A point with its times; ``entry`` is None where it is refused. ``ratio``: how many times as long as the fastest
    point it takes, and what the times allow to say of that."""

    values: Mapping[str, object]
    label: str
    plan: Plan | None
    reason: str | None
    entry: Entry | None = None
    ratio: float | None = None
    statement: str | None = None

    def __repr__(self) -> str:
        """Its values, and what was found."""
        return f"<TimedPoint {self.label}: {self.statement or f'refused: {self.reason}'}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sweep(Records):
    """The points of a sweep in the order of their values, which ``len`` and ``iter`` see as ``records``. ``names`` are
    those of what was varied."""

    names: tuple[str, ...]
    points: tuple[TimedPoint, ...]

    @property
    def records(self) -> list[Record]:
        """A dictionary for each point: its values by name, ``median_ns`` with its 95 % interval ``low_ns`` to
        ``high_ns``, ``ratio`` to the fastest point with the ``statement`` in words, and the ``reason`` where it was
        refused, with None for all numbers."""
        return [
            {
                **point.values,
                "median_ns": None if point.entry is None else point.entry["median_ns"],
                "low_ns": None if point.entry is None else point.entry["low_ns"],
                "high_ns": None if point.entry is None else point.entry["high_ns"],
                "ratio": point.ratio,
                "statement": point.statement,
                "reason": point.reason,
            }
            for point in self.points
        ]

    @property
    def best(self) -> TimedPoint:
        """The point with the lowest median; ``best.plan`` compiles to it, ``best.values`` are its values."""
        return next(point for point in self.points if point.ratio == 1.0)

    def __repr__(self) -> str:
        """A line for each point."""
        width = max(len(point.label) for point in self.points)
        lines = [f"<Sweep of {', '.join(self.names)}: {len(self.points)} points"]
        for point in self.points:
            if point.entry is None or point.entry["median_ns"] is None:
                lines.append(f"  {point.label:{width}}  refused: {point.reason}")
            else:
                lines.append(f"  {point.label:{width}}  {time_text(point.entry['median_ns']):>8}  {point.statement}")
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        rows = [_row(point) for point in self.points]
        best = self.best
        facts = [] if best.plan is None else [("best", best.label), ("schedule", "; ".join(best.plan.schedule))]
        return benchmark_html(
            "Sweep", f"Fastest: {best.label}.", f"{len(self.points)} points", facts, rows, "the fastest"
        )


def _row(point: TimedPoint) -> Record:
    """As tables of benchmarks have it."""
    entry = point.entry
    return {
        "name": point.label,
        "available": entry is not None,
        "reason": point.reason,
        "ratio": point.ratio,
        "median_ns": None if entry is None else entry["median_ns"],
        "low_ns": None if entry is None else entry["low_ns"],
        "high_ns": None if entry is None else entry["high_ns"],
    }


def judge_points(points: Sequence[Point], timed: Timed) -> tuple[TimedPoint, ...]:
    """Each point beside the fastest, by the rules of verdicts."""
    entries = iter(timed.entries)
    of_point = [None if point.subject is None else next(entries) for point in points]
    samples = iter(timed.timings.samples)
    of_samples = [None if point.subject is None else next(samples) for point in points]
    measured: Measured = {"entries": timed.entries, "load": timed.load}
    medians = [float("inf") if entry is None else entry["median_ns"] or 0.0 for entry in of_point]
    fastest = medians.index(min(medians))
    judged: list[TimedPoint] = []
    for place, (point, entry, sample) in enumerate(zip(points, of_point, of_samples, strict=True)):
        refused = TimedPoint(point.values, point.label, point.plan, point.reason)
        if entry is None or sample is None:
            judged.append(refused)
        elif place == fastest:
            entry = {**entry, "ratio_to_heddle": None}
            judged.append(replace(refused, entry=entry, ratio=1.0, statement="the fastest"))
        else:
            best, best_sample = of_point[fastest], of_samples[fastest]
            assert best is not None
            assert best_sample is not None
            quotient = ratio_of(sample, best_sample)
            judgement = judge(quotient, side_of(entry, measured), side_of(best, measured), RESOLUTION)
            statement = beside_fastest(quotient, judgement)
            entry = {**entry, "ratio_to_heddle": None}
            judged.append(replace(refused, entry=entry, ratio=quotient["value"], statement=statement))
    return tuple(judged)
