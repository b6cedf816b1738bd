"""The schedule of the current loops as a tree: bands of nested loops, sequences of statements, and the dependences
between them with their distances (docs/sources.toml C11)."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.analysis.dependences import Flow, distance, flows
from heddle.iteration_graph.analysis.shared_writes import races_with, shared_targets
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Statement
from heddle.iteration_graph.graph.printer import statement_text
from heddle.iteration_graph.graph.provenance import leaves
from heddle.iteration_graph.graph.rewrite import find_loop
from heddle.iteration_graph.graph.sequence import computed_by, in_order, kept_tensors


@dataclass(frozen=True, slots=True)
class Band:
    """Directly nested loops. Those that are ``coincident`` have iterations that write to places of their own, so that
    they may run in any order, or at once."""

    loops: tuple[str, ...]
    coincident: tuple[str, ...]
    child: Node


@dataclass(frozen=True, slots=True)
class Filter:
    """The part of a sequence that computes ``tensors``."""

    tensors: tuple[str, ...]
    child: Node


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One assignment."""

    statement: Assign


Node = Band | Filter | Sequence | Leaf


def schedule_tree(graph: IterationGraph) -> Node:
    """The tree of a graph; series with cases are leaves of what they compute."""
    return _node(graph, graph.statement)


def _node(graph: IterationGraph, statement: Statement) -> Node:
    parts = in_order(statement)
    if len(parts) > 1:
        return Sequence(tuple(Filter(tuple(computed_by(part)), _node(graph, part)) for part in parts))
    (only,) = parts
    match only:
        case Assign():
            return Leaf(only)
        case Forall():
            loops: list[str] = []
            inner: Statement = only
            while isinstance(inner, Forall):
                loops.append(inner.variable)
                inner = inner.body
            apart = tuple(loop for loop in loops if _is_coincident(graph, loop))
            return Band(tuple(loops), apart, _node(graph, inner))
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _is_coincident(graph: IterationGraph, loop: str) -> bool:
    return not any(races_with(graph, loop, target) for target in shared_targets(find_loop(graph.statement, loop)))


@dataclass(frozen=True, slots=True)
class Arrow:
    """A dependence: what is computed, how it is read, and the distance in each loop around both."""

    flow: Flow
    distances: tuple[tuple[str, str], ...]


def arrows(graph: IterationGraph) -> list[Arrow]:
    """The dependences between the statements of the program; sums inside of a statement have none of their own."""
    return [
        Arrow(flow, tuple((loop, _distance(graph, flow, loop)) for loop in flow.shared))
        for flow in flows(graph)
        if flow.write.tensor in graph.signature.temporaries
    ]


def _distance(graph: IterationGraph, flow: Flow, loop: str) -> str:
    dimensions = [d for d, index in enumerate(flow.write.indices) if loop in leaves(graph, index)]
    if dimensions and all(flow.read.indices[d] == flow.write.indices[d] for d in dimensions):
        return "0"
    if not dimensions and flow.write.tensor not in kept_tensors(graph):
        return "0"  # it is there for one iteration
    gap = distance(graph, flow.write, flow.read, loop, loop)
    return "not known" if gap is None else gap.text


def domain(graph: IterationGraph) -> list[str]:
    """What the program computes and keeps, in order."""
    return list(dict.fromkeys(name for part in in_order(graph.statement) for name in computed_by(part)))


def tree_text(graph: IterationGraph) -> str:
    """The tree, a node a line, and the dependences behind it."""
    lines = [f"Domain {', '.join(domain(graph))}", *_lines(schedule_tree(graph), 1)]
    arrow_lines = [_arrow_text(arrow) for arrow in arrows(graph)]
    return "\n".join([*lines, *(["", "Dependences", *arrow_lines] if arrow_lines else [])])


def _lines(node: Node, depth: int) -> list[str]:
    indent = "  " * depth
    match node:
        case Leaf(statement=statement):
            return [indent + statement_text(statement)]
        case Band(loops=loops, coincident=coincident, child=child):
            apart = f"; coincident: {', '.join(coincident)}" if coincident else ""
            return [f"{indent}Band {', '.join(loops)}{apart}", *_lines(child, depth + 1)]
        case Sequence(parts=parts):
            return [f"{indent}Sequence", *(line for part in parts for line in _lines(part, depth + 1))]
        case Filter(tensors=tensors, child=child):
            return [f"{indent}Filter {', '.join(tensors)}", *_lines(child, depth + 1)]
        case _:
            raise TypeError(f"unexpected node {node!r}")


def _arrow_text(arrow: Arrow) -> str:
    flow = arrow.flow
    where = ", ".join(f"{loop} {text}" for loop, text in arrow.distances) or "in sequence"
    return f"  {_access(flow.write.tensor, flow.write.indices)} → {flow.reader.target.tensor}: {where}"


def _access(tensor: str, indices: tuple[str, ...]) -> str:
    return f"{tensor}({','.join(indices)})" if indices else tensor
