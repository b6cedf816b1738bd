"""The provenance graph of a schedule: which variable came from which, by which command, and the way back."""

from __future__ import annotations

import heddle as hd
from docs.figures.canvas import Canvas
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import is_position

SCHEDULE = "fuse(i, j, f)\npos(f, p, A)\nsplit(p, p0, p1, 256)"
NODES = {"i": (150, 60), "j": (270, 60), "f": (210, 150), "p": (210, 240), "p0": (150, 330), "p1": (270, 330)}


def draw_provenance() -> Canvas:
    canvas = Canvas(760, 384, "Provenance: i and j are fused into f, f becomes p, and p is split into p0 and p1")
    graph = hd.lower("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, schedule=SCHEDULE).graph
    assert graph is not None
    for relation in graph.relations:
        _draw_edges(canvas, relation.parents, relation.children)
        _, y = NODES[relation.children[0]]
        canvas.text(24, y - 42, relation.kind, "code strong")
        formulas = relation.recovery_text()
        for number, formula in enumerate(formulas):
            canvas.text(316, y - 40 + 24 * (number - (len(formulas) - 1) / 2), formula, "code")
    for name in NODES:
        _draw_variable(canvas, graph, name)
    canvas.text(24, 34, "command", "strong")
    canvas.text(316, 34, "recovery: the way back", "strong")
    return canvas


def _draw_edges(canvas: Canvas, parents: tuple[str, ...], children: tuple[str, ...]) -> None:
    for parent in parents:
        for child in children:
            (x0, y0), (x1, y1) = NODES[parent], NODES[child]
            lean = (x1 - x0) * 0.24
            canvas.arrow((x0 + lean, y0 + 20), (x1 - lean, y1 - 20), "gray")


def _draw_variable(canvas: Canvas, graph: IterationGraph, name: str) -> None:
    """Positions are boxes, coordinates circles."""
    x, y = NODES[name]
    if is_position(graph, name):
        canvas.labelled_box(x - 19, y - 17, 38, 34, name, "shape orange", "code")
    else:
        canvas.node(x, y, name, "shape blue")
