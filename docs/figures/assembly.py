"""The two passes that make a sparse product: the lengths of rows become starts, and the second pass fills the rows."""

from __future__ import annotations

import numpy as np

import heddle as hd
from docs.figures.canvas import Canvas
from docs.figures.example import TONES, packed
from heddle.counts import repeat

PRODUCT = "C(i,k) = A(i,j) * B(j,k)"


def draw_assembly() -> Canvas:
    canvas = Canvas(760, 300, "Two passes: count the entries of each row, add the counts up, and fill the rows")
    matrix = packed("csr")
    product = hd.compile(PRODUCT, formats=dict.fromkeys("ABC", "csr"), target="interpreter")(A=matrix, B=matrix)
    level = product.levels[1]
    assert level.pos is not None
    assert level.crd is not None
    counts = np.diff(level.pos)
    rows = repeat(np.arange(len(counts)), counts)
    tones = [TONES[row] for row in rows]
    canvas.text(24, 34, "1", "strong")
    canvas.text(48, 34, "first pass: entries of each row")
    canvas.cells(372, 14, counts.tolist(), TONES)
    canvas.arrow((442, 48), (442, 84), "gray")
    canvas.text(24, 106, "2", "strong")
    canvas.text(48, 106, "prefix sum: where each row begins (pos)")
    canvas.cells(372, 86, level.pos.tolist())
    for row in np.unique(rows).tolist():
        start = 372 + 34 * level.pos[row] + 17
        canvas.arrow((372 + 34 * row + 17, 118), (start, 172), TONES[row])
    canvas.text(24, 194, "3", "strong")
    canvas.text(48, 194, "second pass: columns (crd) and values")
    canvas.cells(372, 174, level.crd.tolist(), tones)
    canvas.cells(372, 208, [f"{value:g}" for value in product.vals], tones)
    canvas.text(48, 272, "Rows 1 and 2 are empty: their starts are equal, and nobody writes there.", "soft")
    return canvas
