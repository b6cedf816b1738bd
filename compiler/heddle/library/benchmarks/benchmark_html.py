"""A benchmark in a notebook: what follows, a line for each contender with a bar, no scripts and no colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from heddle.plan.html_table import table

_CELLS = 24
"""Characters of the longest bar."""


def benchmark_html(
    title: str,
    headline: str,
    circumstances: str,
    facts: Sequence[tuple[str, str]],
    records: Sequence[Mapping[str, Any]],
    other: str = "Heddle",
) -> str:
    """The headline, the times, ratios to ``other``, and the plan behind a fold."""
    longest = max((record["median_ns"] for record in records if record["available"]), default=1.0)
    rows = [_row(record, longest, other) for record in records]
    return (
        f"<div><strong>{title}</strong> ({escape(circumstances)})<p>{escape(headline)}</p>{table(rows)}"
        f"<details><summary>Plan</summary>{table(facts)}</details></div>"
    )


def _row(record: Mapping[str, Any], longest: float, other: str) -> tuple[str, ...]:
    if not record["available"]:
        return (record["name"], "", "", str(record["reason"]))
    interval = f"{time_text(record['low_ns'])} to {time_text(record['high_ns'])}"
    bar = "█" * max(1, round(_CELLS * record["median_ns"] / longest))
    ratio = "" if record["ratio"] is None else f" {record['ratio']:.3g} × {other}"
    return (record["name"], time_text(record["median_ns"]), interval, bar + ratio)


def time_text(nanoseconds: float) -> str:
    """``12.3 µs``: three digits and the unit that keeps them short."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"
