"""Eight rows in the lanes of a vector: the same eight values lie together in memory."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

import heddle as hd
from docs.figures.canvas import Canvas
from docs.figures.example import TONES

LENGTHS = (2, 1, 3, 0)
SIDE = 34


def draw_lanes() -> Canvas:
    canvas = Canvas(760, 290, "Four rows in slots: each slot holds one value of every row, and the four lie together")
    rows = [[10 * (i + 1) + n if n < length else 0 for n in range(4)] for i, length in enumerate(LENGTHS)]
    values = hd.pack(sp.csr_array(np.array(rows, dtype=float)), "sell(4)").vals.reshape(-1, len(LENGTHS))
    canvas.text(24, 34, "rows of the matrix", "strong")
    for i, length in enumerate(LENGTHS):
        canvas.text(38, 76 + SIDE * i, str(i), "code soft", "middle")
        for number in range(len(values)):
            style = f"shape {TONES[number]}" if number < length else "hollow dashed rule"
            text = f"{values[number, i]:g}" if number < length else ""
            canvas.labelled_box(58 + SIDE * number, 54 + SIDE * i, SIDE, SIDE, text, style, "code")
    canvas.text(240, 34, "values in memory", "strong")
    for number, slot in enumerate(values):
        texts = [f"{value:g}" if value else "–" for value in slot]
        canvas.cells(240 + 160 * number, 54, texts, [TONES[number]] * len(texts))
        canvas.text(240 + 160 * number + 68, 104, f"slot {number}", "soft", "middle")
        canvas.arrow((308 + 160 * number, 114), (308 + 160 * number, 150), TONES[number])
        canvas.text(324 + 160 * number, 138, "+=", "code")
    canvas.text(240, 176, "vector w, a lane for each row", "strong")
    canvas.cells(240, 190, [f"{value:g}" for value in values.sum(axis=0)], ["gray"] * len(LENGTHS), 68)
    for lane in range(len(LENGTHS)):
        canvas.text(274 + 68 * lane, 238, f"lane {lane}", "soft", "middle")
    canvas.text(24, 270, "A dash is padding: the lane takes part, and adds nothing.", "soft")
    return canvas
