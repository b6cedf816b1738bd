"""X2: what does it bring to compute products ahead, in an unrolled loop? (docs/sources.toml X2)"""

from __future__ import annotations

from heddle.tuning.search import gpu_schedules
from heddle_server.studies import cpu_schedules
from heddle_server.studies.study import Study, even_rows, slowdowns

ENTRIES_OF_ROW = (10, 100)
"""Senanayake et al. 2020 do not say how many rows their matrix has."""


UNROLLING = Study(
    "X2",
    "Products ahead, in an unrolled loop",
    "SpMV by entries: every thread multiplies 8 entries, then sums them by rows (A.2), or does both at once (A.9).",
    "entries of each row",
    "Without the unrolled loop it takes 1.36 times as long (on a V100, 4 M nonzeros).",
    4_000_000,
    lambda nonzeros: even_rows(nonzeros, ENTRIES_OF_ROW),
    {
        "products ahead, unrolled (A.2)": gpu_schedules.by_entries(ahead=True),
        "at once (A.9)": gpu_schedules.by_entries(),
        "at once, lanes combine": gpu_schedules.by_entries(combine=True),
        "products ahead, unrolled, lanes combine": gpu_schedules.by_entries(ahead=True, combine=True),
    },
    {
        "products ahead, unrolled": cpu_schedules.entries(ahead=True),
        "at once": cpu_schedules.entries(),
    },
    slowdowns,
)
