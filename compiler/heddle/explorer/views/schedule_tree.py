"""The tree of a graph's schedule -> JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from heddle.diagnostics import CompileError, Severity
from heddle.explorer.views.schedule_tree_schema import (
    DependenceView,
    ForbiddingView,
    LoopDistanceView,
    ScheduleTreeView,
    TreeRowView,
)
from heddle.explorer.views.versions import version_views
from heddle.iteration_graph.analysis.dependences import forbidding
from heddle.iteration_graph.analysis.schedule_tree import (
    Band,
    Filter,
    Leaf,
    Node,
    Sequence,
    arrows,
    domain,
    schedule_tree,
)
from heddle.iteration_graph.graph.nodes import Assign, IterationGraph
from heddle.iteration_graph.graph.printer import statement_text
from heddle.iteration_graph.graph.provenance import assignments
from heddle.notation.nodes import Access
from heddle.notation.printer import to_text
from heddle.result import CompileResult
from heddle.schedule.primitives.together import Together
from heddle.schedule.syntax.parser import parse_command


def schedule_tree_view(result: CompileResult, graph: IterationGraph) -> ScheduleTreeView:
    """The tree of ``graph``, the last one that ``result`` has. Rows are in the order in which the tree is visited:
    leaves in the order in which they run."""
    rows = [_row(0, "domain", ", ".join(domain(graph))), *_rows(schedule_tree(graph), 1)]
    number = 0
    for row in rows:
        if row["kind"] == "leaf":
            row["assignment"] = number
            number += 1
    assigns = [assign for _, assign in assignments(graph.statement)]
    dependences = [
        DependenceView(
            write=to_text(arrow.flow.write),
            read=_print_access(graph, arrow.flow.read),
            writer=assigns.index(arrow.flow.writer),
            reader=assigns.index(arrow.flow.reader),
            distances=[LoopDistanceView(loop=loop, distance=text) for loop, text in arrow.distances],
        )
        for arrow in arrows(graph)
    ]
    forbids = _forbidding(result, graph, assigns)
    return ScheduleTreeView(rows=rows, versions=version_views(graph), dependences=dependences, forbidding=forbids)


def _forbidding(result: CompileResult, graph: IterationGraph, assign: list[Assign]) -> list[ForbiddingView]:
    """The arrows that forbid the command at which the schedule ends, if a dependence does."""
    errors = (diagnostic.location for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR)
    number = next((place.command for place in errors if place is not None), None)
    if number is None:
        return []
    text = result.plan.schedule[number]
    try:
        command = parse_command(text, number).command
    except CompileError:
        return []
    match command:
        case Together(first=first, second=second):
            return [
                ForbiddingView(
                    command=text.strip(),
                    write=_print_access(graph, conflict.flow.write),
                    read=_print_access(graph, conflict.flow.read),
                    writer=assign.index(conflict.flow.writer),
                    reader=assign.index(conflict.flow.reader),
                    distance=conflict.text,
                )
                for conflict in forbidding(graph, first, second)
            ]
        case _:
            return []


def _rows(node: Node, depth: int) -> Iterator[TreeRowView]:
    match node:
        case Leaf(statement=statement):
            yield _row(depth, "leaf", statement_text(statement))
        case Band(loops=loops, coincident=coincident, child=child):
            row = _row(depth, "band", ", ".join(loops))
            row["loops"], row["coincident"] = list(loops), list(coincident)
            yield row
            yield from _rows(child, depth + 1)
        case Sequence(parts=parts):
            yield _row(depth, "sequence", f"{len(parts)} parts, one after the other")
            for part in parts:
                yield from _rows(part, depth + 1)
        case Filter(tensors=tensors, child=child):
            yield _row(depth, "filter", ", ".join(tensors))
            yield from _rows(child, depth + 1)
        case _:
            raise TypeError(f"unexpected node {node!r}")


def _row(depth: int, kind: Literal["domain", "sequence", "filter", "band", "leaf"], text: str) -> TreeRowView:
    return TreeRowView(depth=depth, kind=kind, text=text, loops=[], coincident=[], assignment=None)


def _print_access(graph: IterationGraph, access: Access) -> str:
    program = graph.signature.program
    computed = {} if program is None else program.computed
    if not access.indices:
        return access.tensor
    return f"{access.tensor}({','.join(to_text(computed[i]) if i in computed else i for i in access.indices)})"
