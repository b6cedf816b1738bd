"""X3: from which skew does it pay to share out entries instead of rows? (docs/sources.toml X3)

Row i has about k · cⁱ entries. The matrix of Senanayake et al. 2020 (Fig. 21) has 400 M in all; the crossover depends
on c much more than on the total, so that a smaller one shows it. They do not say how many rows there are: beyond
1 / (c − 1) it does not matter, as further rows are empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heddle.tuning.search import gpu_schedules
from heddle_server.studies import cpu_schedules
from heddle_server.studies.study import Point, Study, slowdowns

SKEWS = (1.0, 1.0005, 1.001, 1.0025, 1.005, 1.0075, 1.01)
ROWS = 16_384


def points(nonzeros: int) -> Sequence[Point]:
    """As many columns as the longest row has entries at the largest skew, so that no row is cut."""
    rows = min(ROWS, max(64, nonzeros // 16))
    columns = max(64, int(nonzeros * (SKEWS[-1] - 1) * 1.25))
    return [
        Point(c, (rows, columns), {"generator": "skew", "nnz": nonzeros, "c": c, "shuffle": 1, "seed": 1})
        for c in SKEWS
    ]


def conclude(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Where the schedule by entries becomes the faster one: between two of the skews, by the line between them."""
    return {
        **slowdowns(rows),
        "crossover": crossover(rows),
        "imbalance": {f"{r['value']:g}": imbalance(r) for r in rows},
    }


def crossover(rows: Sequence[Mapping[str, Any]]) -> float | None:
    """The skew from which on the second schedule stays the faster one of the first two; None where there is none in
    the range, or where it is the faster one throughout."""
    ahead = []
    for row in rows:
        by_rows, by_entries = [schedule["median_ns"] for schedule in list(row["schedules"].values())[:2]]
        ahead.append((row["value"], by_rows / by_entries - 1))
    behind = [place for place, (_, gain) in enumerate(ahead) if gain <= 0]
    if not behind or behind[-1] == len(ahead) - 1:
        return None
    (low, before), (high, after) = ahead[behind[-1]], ahead[behind[-1] + 1]
    return float(round(low + (high - low) * -before / (after - before), 6))


def imbalance(row: Mapping[str, Any]) -> float:
    """The longest row over the mean: what a schedule by rows waits for."""
    return float(round(row["longest_row"] * row["rows"] / max(1, row["nonzeros"]), 2))


SKEW = Study(
    "X3",
    "Rows of different length",
    "SpMV while a few rows get longer and longer: a warp for each row waits for the longest one, shares of entries "
    "do not.",
    "skew c",
    "Shares of entries are faster from just below c = 1.00256 (Fig. 21, on a V100, 400 M nonzeros).",
    20_000_000,
    points,
    {
        "warp per row (A.8)": gpu_schedules.warp_per_row(),
        "8 entries per thread (A.2)": gpu_schedules.by_entries(ahead=True),
        "neighbouring entries, lanes combine": gpu_schedules.neighbouring_entries(),
    },
    {
        "rows in equal parts": cpu_schedules.rows(),
        "entries in equal parts": cpu_schedules.entries(),
        "rows, balanced by entries": cpu_schedules.balanced_rows(),
    },
    conclude,
)
