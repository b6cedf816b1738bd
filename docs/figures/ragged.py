"""A ragged array as rows and as the one buffer in which its rows lie."""

from __future__ import annotations

from itertools import accumulate

from docs.figures.canvas import Canvas
from docs.figures.example import MATRIX, TONES


def draw_ragged() -> Canvas:
    canvas = Canvas(760, 300, "Rows of 2, 0, 1 and 2 elements, and the one buffer in which they lie")
    rows = [[f"{value:g}" for value in row if value] for row in MATRIX]
    starts = [0, *accumulate(map(len, rows))]
    canvas.text(24, 34, "rows", "strong")
    canvas.text(300, 34, "len(i)", "code strong")
    canvas.text(400, 34, "begins at", "strong")
    for i, row in enumerate(rows):
        y = 48 + 36 * i
        canvas.text(34, y + 19, str(i), "code soft", "middle")
        canvas.cells(60, y, row, [TONES[i]] * len(row))
        canvas.text(320, y + 19, str(len(row)), "code", "middle")
        terms = " + ".join(str(len(before)) for before in rows[:i]) or "0"
        canvas.text(400, y + 19, f"{terms} = {starts[i]}" if i > 1 else terms, "code")
    canvas.text(24, 226, "buffer", "strong")
    tones = [TONES[i] for i, row in enumerate(rows) for _ in row]
    canvas.cells(100, 208, [text for row in rows for text in row], tones)
    canvas.text(24, 270, "offset", "code strong")
    canvas.cells(100, 252, starts)
    canvas.text(300, 270, "the sums, once they are kept: offset@i", "soft")
    return canvas
