"""Sizes of tiles, in the two families of Vasilache et al. 2018: powers of two, and equal parts of the whole."""

from __future__ import annotations

POWERS = (4, 8, 16, 32, 64, 128, 256, 512)
MOST_PARTS = 4


def tile_sizes(size: int | None) -> tuple[int, ...]:
    """Of a loop over ``size`` iterations, None where that is not known: 0 for no tile, powers of two below it, and its
    halves, quarters and eighths rounded up, which leave less in the last tile (130 in tiles of 65)."""
    if size is None:
        return (0, *POWERS)
    powers = [power for power in POWERS if power < size]
    parts = [-(-size // 2**count) for count in range(1, MOST_PARTS + 1)]
    return (0, *sorted({*powers, *(part for part in parts if 1 < part < size)}))
