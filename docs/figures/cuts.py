"""One matrix cut twice: into equal shares of rows, and into equal shares of its stored values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

import heddle as hd
from docs.figures.canvas import Canvas
from docs.figures.example import TONES
from heddle.counts import repeat

LENGTHS = (7, 1, 0, 2, 1, 1, 3, 1)
SIDE = 28


def draw_cuts() -> Canvas:
    canvas = Canvas(760, 356, "The same matrix cut by rows, and cut by positions with 4 values each")
    pattern = np.array([[(j * 3 + i) % 8 < length for j in range(8)] for i, length in enumerate(LENGTHS)], dtype=float)
    level = hd.pack(sp.csr_array(pattern), "csr").levels[1]
    assert level.pos is not None
    assert level.crd is not None
    rows = repeat(np.arange(8), np.diff(level.pos))
    entries = list(zip(rows.tolist(), level.crd.tolist(), strict=True))
    _draw_cut(canvas, 60, "split(i, i0, i1, 2)", entries, lambda number: entries[number][0] // 2)
    _draw_cut(canvas, 440, "split(p, p0, p1, 4)", entries, lambda number: number // 4)
    return canvas


def _draw_cut(canvas: Canvas, x: int, command: str, entries: list[tuple[int, int]], tile: Callable[[int], int]) -> None:
    canvas.text(x, 36, command, "code strong")
    tiles = [tile(number) for number in range(len(entries))]
    for row in range(8):
        for column in range(8):
            canvas.box(x + SIDE * column, 56 + SIDE * row, SIDE, SIDE, "hollow rule", 2)
    for number, (row, column) in enumerate(entries):
        place = x + SIDE * column, 56 + SIDE * row
        canvas.labelled_box(*place, SIDE, SIDE, str(number), f"shape {TONES[tiles[number]]}", "code")
    canvas.text(x, 306, "values for each worker:", "soft")
    for worker in range(4):
        canvas.text(x + 34 + 50 * worker, 332, str(tiles.count(worker)), "code strong", "middle")
        canvas.box(x + 6 + 50 * worker, 320, 14, 14, f"shape {TONES[worker]}", 2)
