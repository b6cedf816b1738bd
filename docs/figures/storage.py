"""A matrix as a grid, its levels as a tree, and the arrays of both formats that a page speaks of."""

from __future__ import annotations

from docs.figures.canvas import Canvas
from docs.figures.example import MATRIX, TONES, packed


def draw_storage() -> Canvas:
    canvas = Canvas(760, 372, "A 4 by 4 matrix, its tree of coordinates in csr, and the arrays of csr and coo")
    _draw_grid(canvas)
    _draw_tree(canvas)
    _draw_arrays(canvas)
    return canvas


def _draw_grid(canvas: Canvas) -> None:
    canvas.text(24, 34, "the matrix", "strong")
    for i, row in enumerate(MATRIX):
        canvas.text(34, 79 + 34 * i, str(i), "code soft", "middle")
        for j, value in enumerate(row):
            tone = f"shape {TONES[i]}" if value else "hollow rule"
            canvas.labelled_box(50 + 34 * j, 60 + 34 * i, 34, 34, f"{value:g}" if value else "", tone, "code")


def _draw_tree(canvas: Canvas) -> None:
    csr = packed("csr").levels[1]
    assert csr.pos is not None
    assert csr.crd is not None
    canvas.text(224, 34, "its tree in csr", "strong")
    canvas.text(224, 84, "level 1, dense", "soft")
    canvas.text(224, 182, "level 2, compressed", "soft")
    canvas.node(561, 32, "A")
    for i in range(4):
        x = 426 + 90 * i
        canvas.line(((561, 50), (x, 62)), "line rule")
        canvas.node(x, 80, str(i), f"shape {TONES[i]}")
        begin, end = int(csr.pos[i]), int(csr.pos[i + 1])
        for position in range(begin, end):
            child = x + 46 * (position - begin) - 23 * (end - begin - 1)
            canvas.line(((x, 98), (child, 160)), "line rule")
            canvas.node(child, 178, str(csr.crd[position]), f"shape {TONES[i]}")


def _draw_arrays(canvas: Canvas) -> None:
    csr, coo = packed("csr"), packed("coo")
    rows = [row for row in range(4) for _ in range(csr.levels[1].pos[row + 1] - csr.levels[1].pos[row])]  # type: ignore[index]
    tones = [TONES[row] for row in rows]
    values = [f"{value:g}" for value in csr.vals]
    canvas.text(24, 240, "arrays of csr", "strong")
    canvas.text(24, 268, "pos", "code soft")
    canvas.cells(72, 250, csr.levels[1].pos.tolist())  # type: ignore[union-attr]
    canvas.text(24, 306, "crd", "code soft")
    canvas.cells(72, 288, csr.levels[1].crd.tolist(), tones)  # type: ignore[union-attr]
    canvas.text(24, 344, "vals", "code soft")
    canvas.cells(72, 326, values, tones)
    canvas.text(420, 240, "arrays of coo", "strong")
    for number, (name, array) in enumerate(
        (("rows", coo.levels[0].crd), ("columns", coo.levels[1].crd), ("vals", values))
    ):
        canvas.text(420, 268 + 38 * number, name, "code soft")
        canvas.cells(500, 250 + 38 * number, list(array), tones)  # type: ignore[arg-type]
