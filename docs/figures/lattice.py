"""A merge lattice as the compiler has it: its points, and the sets of operands that need none."""

from __future__ import annotations

import heddle as hd
from docs.figures.canvas import Canvas
from heddle.explorer.views.graph.lattice import lattice_views

EXPRESSION = "y(i) = a(i) + b(i) * c(i)"


def draw_lattice() -> Canvas:
    canvas = Canvas(760, 356, f"The merge lattice of {EXPRESSION}: three points, and five sets without one")
    graph = hd.lower(EXPRESSION, formats=dict.fromkeys("abc", "sparse")).graph
    assert graph is not None
    (view,) = lattice_views(graph)
    computed = {frozenset(point["iterators"]): point["expression"] for point in view["points"]}
    everything = sorted((*computed, *(frozenset(point["iterators"]) for point in view["pruned"])), key=sorted)
    rows = [[names for names in everything if len(names) == size] for size in (3, 2, 1, 0)]
    centres = {
        names: (380 + 240 * (column - (len(row) - 1) / 2), 60 + 80 * number)
        for number, row in enumerate(rows)
        for column, names in enumerate(row)
    }
    canvas.text(24, 34, EXPRESSION, "code strong")
    for upper, (x, y) in centres.items():
        for lower, (below_x, below_y) in centres.items():
            if lower < upper and len(lower) + 1 == len(upper):
                canvas.line(((x, y + 24), (below_x, below_y - 24)), "line rule")
    for names, (x, y) in centres.items():
        _draw_point(canvas, x, y, ", ".join(sorted(names)), computed.get(names))
    return canvas


def _draw_point(canvas: Canvas, x: float, y: float, names: str, expression: str | None) -> None:
    canvas.box(x - 112, y - 24, 224, 48, "paper")
    canvas.box(x - 112, y - 24, 224, 48, "shape blue" if expression else "hollow dashed rule")
    canvas.text(x, y - 4 if expression else y + 5, names or "nothing", "code" if expression else "code soft", "middle")
    if expression:
        canvas.text(x, y + 15, f"y(i) = {expression}", "code strong", "middle")
