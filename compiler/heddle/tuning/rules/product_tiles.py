"""The tiles of a dense product: how many rows and columns stay in registers, how much of the sum is added up at a time,
and whether columns are copied side by side first."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.tuning.facts.machine import Machine

HIDDEN = 12
"""Sums in registers from which none waits for the one before: two begin in a cycle and take four or five. 6 rows times
2 vectors are 1.3 times as fast as 4 times 2, 1.4 to 1.6 times as 2 and 3 times 4 (128 × 1024 × 1024, float32, AVX2)."""

HIDDEN_WIDE, WIDE = 8, 64
"""The same of vectors of 64 bytes, which take four cycles: 8 rows times 1 vector are as fast as 8 times 2 (512 × 512 ×
512, float32, AVX-512), and leave fewer columns over."""

MOST_ROWS = 8
"""Rows of a tile at most: their values may lie in the same lines of a cache with eight ways (12 and 13 rows of 4096
bytes: 0.25 times as fast as 6)."""

REST = 2.2
"""What a row costs that is left over by tiles of rows, beside one in a tile: its sums are in memory (50 rows of 32
columns between 48 and 96, float32, AVX2)."""

REST_OF_WINDOWS = 5.0
"""The same where columns are windows (8 rows of 26 columns, sums of 72: tiles of 4 rows take 0.76 of the time of tiles
of 6; 16 rows of 12 columns: tiles of 5 take 0.8 of that of 4; float32, AVX2)."""

MOST_COST = 5.0
"""Up to which a tile pays, where 1 is one vector of products in half a cycle, and columns that are left over cost as
many as a tile has: 9 rows of 5 columns (4.0) are four times as fast as loops, 16 rows of 4 columns (4.5) six times, and
0.8 times where columns are copied along rows (sums of 30 and 64, float32, AVX-512)."""

FIRST_CACHE = 32 << 10
"""Bytes that the copied columns may take: else the sum goes over parts of the rows (128 × 1024 × 1024 and 128 × 16384 ×
4096, float32, AVX2: 1.15 and 1.1 times as fast)."""


@dataclass(frozen=True, slots=True)
class ProductTiles:
    """``rows`` and ``columns`` of a tile, ``columns`` a whole number of vectors. ``depth`` steps of the sum are added
    up at a time, None for as many as the copy has room for in the first cache. ``packed``: the columns of a tile are
    copied side by side first."""

    rows: int
    columns: int
    depth: int | None = None
    packed: bool = True


def cheapest_tiles(rows: int, columns: int, lanes: int, machine: Machine, rest: float = REST) -> ProductTiles | None:
    """Those whose sums, with a vector of columns and one value, fit the registers and that cost least. None where dot
    products cost less. ``rest`` is what a row costs that tiles leave over."""
    candidates: list[tuple[float, int, int]] = []
    hidden = HIDDEN_WIDE if machine.vector_bytes >= WIDE else HIDDEN
    for vectors in (2, 1):
        for height in range(2, 1 + min(MOST_ROWS, (machine.registers - 1) // vectors - 1)):
            width, sums = vectors * lanes, height * vectors
            full, reached = rows // height * height / rows, -(-columns // width) * width / columns
            loads = (height + vectors) / sums
            cost = reached * (full * max(loads, 1, hidden / sums) + (1 - full) * rest)
            if full and cost <= MOST_COST:
                candidates.append((cost, -height, width))
    if not candidates:
        return None
    _, height, width = min(candidates)
    return ProductTiles(-height, width)


def equal_part(size: int, row: int) -> int | None:
    """How many of ``size`` rows of a copy, ``row`` bytes each, are one of equal parts that fit the first cache; None
    where all do."""
    parts = -(-size * row // FIRST_CACHE)
    return -(-size // parts) if parts > 1 else None
