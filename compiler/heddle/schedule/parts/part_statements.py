"""The statements of selected parts, which ``share`` and ``concat`` give one loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heddle.iteration_graph.algebra.lattice import iterators
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Series, Statement
from heddle.iteration_graph.graph.provenance import coordinates, leaves, operand_accesses, position_relation
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.schedule.checks import require_untagged
from heddle.schedule.parts.selection import Selection
from heddle.signature import PartSignature


@dataclass(frozen=True, slots=True)
class PartStatement:
    """The statement of a part, at ``place`` of the series, with the part's outermost loop."""

    part: PartSignature
    place: int
    loop: Forall


def part_statements(graph: IterationGraph, selection: Selection, command: str) -> list[PartStatement]:
    """The statements of the selected parts.

    Raises
    ------
    Refusal
        ``schedule/one-part``, ``schedule/joined-before``, ``schedule/already-tagged``.
    """
    parts = [part for _, part in selection.of(graph)]
    statements = graph.statement.statements if isinstance(graph.statement, Series) else (graph.statement,)
    if len(parts) < 2:
        raise Refusal(
            "schedule/one-part",
            f"{selection.text} selects {parts[0].name} alone, and {command} makes one loop of several. Select two "
            f"parts or more, or all with {selection.tensor}[*].",
            argument="parts",
            expected="two parts or more",
            actual=selection.text,
            replacement=f"{selection.tensor}[*]",
        )
    members: list[PartStatement] = []
    for part in parts:
        place = next(n for n, statement in enumerate(statements) if part.operand in _read(graph, statement))
        loop = statements[place]
        with_it = next((other.part for other in members if other.place == place), None)
        if with_it is not None or _is_joined(graph, loop):
            raise Refusal(
                "schedule/joined-before",
                f"{part.name} has one loop with another part already. A loop of several parts is made once.",
                argument="parts",
                expected="parts with loops of their own",
                actual=part.name,
            )
        if not isinstance(loop, Forall):
            raise Refusal(
                "schedule/no-outer-loop",
                f"the statement of {part.name} has no outermost loop: what is computed into a temporary stands in "
                f"front of its loops. Use {command} before precompute.",
                argument="parts",
                expected="a statement inside one loop",
                actual=part.name,
            )
        require_untagged(graph, loop.variable, "parts")
        members.append(PartStatement(part, place, loop))
    return members


def stored_coordinate(graph: IterationGraph, variable: str) -> str | None:
    """The coordinate that a loop takes from what a level stores; None where the loop runs over a range."""
    candidates = (coordinate for coordinate in coordinates(graph) if leaves(graph, coordinate) == (variable,))
    by_level = (coordinate for coordinate in candidates if position_relation(graph, coordinate) is None)
    return next((coordinate for coordinate in by_level if iterators(lattice_at(graph, coordinate))), None)


def _read(graph: IterationGraph, statement: Statement) -> set[str]:
    return {access.tensor for access in operand_accesses(graph, statement)}


def _is_joined(graph: IterationGraph, statement: Statement) -> bool:
    """Whether several parts are in one statement."""
    summed = graph.signature.sum
    read = _read(graph, statement)
    return summed is not None and sum(part.operand in read for part in summed.parts) > 1


def join(
    graph: IterationGraph, members: list[PartStatement], make: Callable[[tuple[Statement, ...]], Forall]
) -> Statement:
    """The statement with the one loop that ``make`` puts around the bodies, in the place of the first one's."""
    assert isinstance(graph.statement, Series)
    places = {member.place for member in members}
    loop = make(tuple(member.loop.body for member in members))
    first = min(places)
    statements: list[Statement] = []
    for place, statement in enumerate(graph.statement.statements):
        if place == first:
            statements.append(loop)
        elif place not in places:
            statements.append(statement)
    return Series(tuple(statements)) if len(statements) > 1 else loop
