"""X4: a few very long rows leave most of a GPU idle when each has one warp (docs/sources.toml X4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heddle.tuning.search import gpu_schedules
from heddle_server.studies import cpu_schedules
from heddle_server.studies.study import Point, Study, slowdowns

ROWS, COLUMNS = 100, 100_000


def points(nonzeros: int) -> Sequence[Point]:
    """The 100 rows of Senanayake et al. 2020; a smaller total has shorter ones over fewer columns."""
    entries = max(1, nonzeros // ROWS)
    columns = max(10, COLUMNS * nonzeros // 1_000_000)
    return [Point(ROWS, (ROWS, columns), {"generator": "skew", "nnz": entries * ROWS, "c": 1.0, "seed": 1})]


def conclude(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How many blocks each schedule launches: with 256 rows for a block, one for all of them."""
    blocks = {
        name: schedule["blocks"] for row in rows for name, schedule in row["schedules"].items() if schedule["blocks"]
    }
    return {**slowdowns(rows), "blocks": blocks}


FEW_ROWS = Study(
    "X4",
    "A hundred long rows",
    "SpMV of 100 rows with 10,000 entries each: rows for warps, or shares of entries for threads?",
    "rows",
    "Shares of entries are 4.5 times as fast as a warp for each row (on a V100).",
    1_000_000,
    points,
    {
        "8 entries per thread (A.2)": gpu_schedules.by_entries(ahead=True),
        "warp per row, 256 rows per block (A.8)": gpu_schedules.warp_per_row(),
        "warp per row, 8 rows per block": gpu_schedules.warp_per_row(8, 8),
        "neighbouring entries, lanes combine": gpu_schedules.neighbouring_entries(),
    },
    {
        "entries in equal parts": cpu_schedules.entries(),
        "rows, chunks of 16 (A.1)": cpu_schedules.row_chunks(),
    },
    conclude,
)
