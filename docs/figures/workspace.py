"""One row of a sparse product in its workspace: scattered, listed, sorted and appended."""

from __future__ import annotations

from docs.figures.canvas import Canvas
from docs.figures.example import MATRIX, TONES

ROW = 0
LEFT = 330


def draw_workspace() -> Canvas:
    canvas = Canvas(760, 330, "Row 0 of a product: two scaled rows of B meet in the workspace")
    width = MATRIX.shape[1]
    values, columns, y = [0.0] * width, list[int](), 20
    for number, j in enumerate(MATRIX[ROW].nonzero()[0].tolist()):
        scaled = MATRIX[ROW, j] * MATRIX[j]
        canvas.text(24, y + 20, f"A(0,{j}) = {MATRIX[ROW, j]:g}, times row {j} of B")
        _draw_row(canvas, y, [f"{value:g}" if value else "" for value in scaled], TONES[number])
        for column in scaled.nonzero()[0].tolist():
            values[column] += scaled[column]
            columns += [] if column in columns else [column]
        y += 44
    canvas.arrow((LEFT + 2 * 44, y), (LEFT + 2 * 44, y + 26), "gray")
    y += 32
    canvas.text(24, y + 20, "the workspace w, added up")
    _draw_row(canvas, y, [f"{value:g}" if value else "" for value in values], "green")
    canvas.text(24, y + 64, "columns in the order of their first write")
    _draw_row(canvas, y + 44, [str(column) for column in columns], "purple")
    canvas.arrow((LEFT + 2 * 44, y + 78), (LEFT + 2 * 44, y + 104), "gray")
    y += 110
    canvas.text(24, y + 20, "appended to C: columns, sorted")
    _draw_row(canvas, y, [str(column) for column in sorted(columns)], "purple")
    canvas.text(24, y + 58, "and the values at these columns")
    _draw_row(canvas, y + 38, [f"{values[column]:g}" for column in sorted(columns)], "green")
    return canvas


def _draw_row(canvas: Canvas, y: int, texts: list[str], tone: str) -> None:
    for number, text in enumerate(texts):
        style = f"shape {tone}" if text else "hollow rule"
        canvas.labelled_box(LEFT + 44 * number, y, 44, 30, text, style, "code")
