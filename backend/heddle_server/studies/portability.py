"""X1: does a schedule for a CPU do on a GPU? (docs/sources.toml X1)"""

from __future__ import annotations

from heddle.tuning.search import gpu_schedules
from heddle_server.studies import cpu_schedules
from heddle_server.studies.study import Study, even_rows, slowdowns

ENTRIES_OF_ROW = (1, 4, 10, 32, 100, 256)


PORTABILITY = Study(
    "X1",
    "A row for each thread, for each warp, or entries for each thread",
    "SpMV of random matrices with longer and longer rows. A row for each thread is how a CPU works; what does it "
    "cost here?",
    "entries of each row",
    "A thread for each row takes 6.9 times as long as a warp for each row (on a V100, 4 M nonzeros).",
    4_000_000,
    lambda nonzeros: even_rows(nonzeros, ENTRIES_OF_ROW),
    {
        "warp per row (A.8)": gpu_schedules.warp_per_row(),
        "thread per row (A.7)": gpu_schedules.thread_per_row(),
        "8 entries per thread (A.2)": gpu_schedules.by_entries(ahead=True),
        "neighbouring entries, lanes combine": gpu_schedules.neighbouring_entries(),
    },
    {
        "rows, chunks of 16 (A.1)": cpu_schedules.row_chunks(),
        "entries in equal parts": cpu_schedules.entries(),
    },
    slowdowns,
)
