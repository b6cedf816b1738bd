"""A matrix as a sum of parts: which entry lies in which part, read from the packed tensor."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

import heddle as hd
from docs.figures.canvas import Canvas
from docs.figures.example import TONES
from heddle.runtime.tensors.composite import Composite

LENGTHS = (1, 4, 2, 1, 3, 0, 2, 1)
SIDE = 28


def draw_parts() -> Canvas:
    canvas = Canvas(760, 316, "A matrix in three parts, by the number of entries of its rows")
    pattern = np.array([[(j * 3 + 2 * i) % 8 < length for j in range(8)] for i, length in enumerate(LENGTHS)])
    packed = hd.pack(sp.csr_array(pattern.astype(float)), "hyb(1,2)")
    assert isinstance(packed, Composite)
    canvas.text(40, 36, "the matrix", "strong")
    for row in range(8):
        for column in range(8):
            canvas.box(40 + SIDE * column, 56 + SIDE * row, SIDE, SIDE, "hollow rule", 2)
    y = 56
    for number, part in enumerate(packed.parts):
        coordinates, _ = part.to_coo()
        for row, column in zip(*(axis.tolist() for axis in coordinates), strict=True):
            canvas.box(40 + SIDE * column, 56 + SIDE * row, SIDE, SIDE, f"shape {TONES[number]}", 2)
        columns, rows = part.levels[1].crd, part.levels[0].crd
        assert columns is not None
        assert rows is not None
        width = len(columns) // len(rows)
        canvas.text(330, y + 20, f"rows of {width} {'slots' if width > 1 else 'slot'}", "strong")
        for index, row in enumerate(rows.tolist()):
            stored = columns[index * width : (index + 1) * width].tolist()
            place = 460 + (SIDE * width + 28) * index
            canvas.text(place - 2 + SIDE * width / 2, y - 4, f"row {row}", "soft", "middle")
            for slot, column in enumerate(stored):
                used = column < pattern.shape[1]
                style = f"shape {TONES[number]}" if used else "hollow dashed rule"
                canvas.labelled_box(place + SIDE * slot, y, SIDE, SIDE, str(column) if used else "–", style, "code")
        y += 84
    canvas.text(330, 300, "Numbers are columns; a dash is a slot without an entry.", "soft")
    return canvas
