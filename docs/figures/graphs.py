"""Iteration graphs: the loops from top to bottom, and for each tensor a line through the loops that walk its levels."""

from __future__ import annotations

import heddle as hd
from docs.figures.canvas import Canvas
from docs.figures.example import TONES
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments, loops
from heddle.notation.nodes import Access, accesses

STEP = 84
"""Distance of one loop from the next, in pixels."""


def draw_iteration_graphs() -> Canvas:
    canvas = Canvas(760, 330, "Iteration graphs of a matrix-vector product and of a product of two sparse matrices")
    programs: tuple[tuple[str, dict[str, str]], ...] = (
        ("y(i) = A(i,j) * x(j)", {"A": "csr"}),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr", "B": "csr"}),
    )
    for number, (expression, formats) in enumerate(programs):
        graph = hd.lower(expression, formats=formats).graph
        assert graph is not None
        _draw_graph(canvas, graph, 170 + 380 * number, expression)
    return canvas


def _draw_graph(canvas: Canvas, graph: IterationGraph, x: int, expression: str) -> None:
    canvas.text(x, 34, expression, "code strong", "middle")
    order = next(loops(graph.statement))
    ((_, assignment),) = assignments(graph.statement)
    tensors: tuple[Access, ...] = (*accesses(assignment.expression), assignment.target)
    for column, access in enumerate(tensors):
        _draw_path(canvas, order, access, x, column, len(tensors))
    for row, variable in enumerate(order):
        canvas.circle(x, 86 + STEP * row, 18, "paper")
        canvas.node(x, 86 + STEP * row, variable)
        if variable not in assignment.target.indices:
            canvas.text(x + 24, 72 + STEP * row, "Σ", "strong")


def _draw_path(canvas: Canvas, order: tuple[str, ...], access: Access, x: int, column: int, columns: int) -> None:
    """The line of a tensor, which passes a loop beside that of the other tensors."""
    tone = TONES[column % len(TONES)]
    shift = 16 * (column - (columns - 1) / 2)
    rows = [order.index(variable) for variable in access.indices]
    first = (x + 46 * (column - (columns - 1) / 2), 86 + STEP * rows[0] - 34)
    points = [first, *((x + shift, 86 + STEP * row) for row in rows)]
    last = (points[-1][0] + 2.2 * shift, points[-1][1] + 50)
    canvas.line([*points, last], f"line {tone}")
    canvas.text(
        last[0] + (-6 if shift < 0 else 6), last[1] + 6, access.tensor, "code strong", "end" if shift < 0 else "start"
    )
