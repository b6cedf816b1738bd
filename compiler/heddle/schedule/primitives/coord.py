"""``coord(p, i)``: back from positions to coordinates (docs/sources.toml T21); public TACO never built it.

Before: ``∀p S``. After: ``∀i S`` with ``i`` from the coordinate of the first position of ``p`` to that of its last,
``p`` found by a search. Tiles of positions thus become ranges of coordinates that hold equally many entries.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.printer import level_text
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.provenance import all_loops, is_position, relation_above, single_steps
from heddle.iteration_graph.graph.rewrite import replace_loop
from heddle.iteration_graph.relations.coord import CoordinateRelation
from heddle.schedule.checks import require_loop, require_new, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class Coord:
    position: str = argument("variable", "the loop over positions")
    coordinate: str = argument(
        "new-variable", "the loop over the coordinates between the first and the last of them", suggestions=("{}crd",)
    )

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.position, "position")
        require_untagged(graph, self.position, "position")
        require_new(graph, {"coordinate": self.coordinate})
        loops = all_loops(graph)
        if not is_position(graph, self.position):
            others = tuple(loop for loop in loops if is_position(graph, loop))
            raise Refusal(
                "schedule/not-positions",
                f"{self.position} already runs over coordinates; coord goes back from the positions that pos makes.",
                argument="position",
                expected="a position variable",
                actual=f"{self.position}, a coordinate variable",
                candidates=others,
                replacement=others[-1] if others else None,
            )
        positions = _origin(graph, self.position)
        tensor = positions.access.tensor
        if len(positions.components) > 1:
            names = ", ".join(positions.components)
            raise Refusal(
                "schedule/coord-of-fused",
                f"{self.position} runs over positions of {names} together: the coordinates "
                f"{positions.components[-1]} start over in each segment of {tensor}, so there is no first and no "
                f"last one. Use pos on {positions.components[-1]} alone, then coord.",
                argument="position",
                expected="positions of one level",
                actual=f"positions of {len(positions.components)} levels of {tensor}",
            )
        steps = single_steps(graph, positions.position)
        if self.position not in steps:
            raise Refusal(
                "schedule/coord-of-tile",
                f"{self.position} counts tiles of the positions of {tensor}; only single positions have a coordinate.",
                argument="position",
                expected=f"the loop over single positions, {steps[-1]}",
                actual=f"{self.position}, a loop over tiles",
                replacement=steps[-1] if steps[-1] in loops else None,
            )
        _check_level(graph, positions)
        relation = CoordinateRelation(number, self.position, self.coordinate, positions)
        statement = replace_loop(graph.statement, self.position, lambda loop: Forall(self.coordinate, loop.body))
        return graph.with_relation(relation, statement)


def _check_level(graph: IterationGraph, positions: Positions) -> None:
    """Each coordinate between the first and the last must be stored, and found by one search, at one position."""
    levels = graph.signature.tensors[positions.access.tensor].format.levels
    number = positions.last_level
    level, kind = levels[number - 1], LEVEL_KINDS[levels[number - 1].kind]
    if "crd" not in kind.arrays:
        raise Refusal(
            "schedule/coord-of-level",
            f"level {number} of {positions.access.tensor} is {level_text(level)}, which counts its coordinates and "
            "does not store them: there is none to search for. Leave out pos and coord, or store the level compressed.",
            argument="position",
            expected="positions of a level that stores coordinates",
            actual=level_text(level),
        )
    if level.ordered and kind.compact and (level.unique or number == len(levels)):
        return
    raise Refusal(
        "schedule/coord-of-level",
        f"level {number} of {positions.access.tensor} is {level_text(level)}, where one search does not find a "
        "coordinate at one position. Leave out coord, or store the level compressed.",
        argument="position",
        expected="positions of a level with ordered and unique coordinates",
        actual=level_text(level),
    )


def _origin(graph: IterationGraph, variable: str) -> Positions:
    """The positions that a position variable comes from."""
    above = relation_above(graph, variable)
    while above is not None:
        if isinstance(above.space, Positions):
            return above.space
        above = relation_above(graph, above.parents[0])
    raise TypeError(f"{variable} is not a position variable")


SPEC = CommandSpec(
    name="coord",
    make=Coord,
    summary="Iterate the coordinates between those of the first and the last position; each position is found by a "
    "search.",
    before="for p in [p_begin, p_end):\n  j = A2.crd[p]\n  S(i, j)",
    after="for jc in [A2.crd[p_begin], A2.crd[p_end − 1] + 1):\n  p = search(A2.crd, jc)\n"
    "  if A2.crd[p] = jc: S(i, jc)",
    preconditions=(
        "the variable runs over single positions of one level, not over tiles of them",
        "the tiles around it are outer loops",
    ),
)
