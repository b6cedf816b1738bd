"""``pos(i, p, A)``: iterate the positions of A's level instead of coordinates (docs/sources.toml T20, T32).

Before: ``∀i S``. After: ``∀p S`` with ``i = A.crd(p)``. On a fused variable: all positions of A's last fused level.
The result has no positions before the loop has run: where its entries are those of a single operand, its name stands
for that operand's, and a remark says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.printer import format_text
from heddle.iteration_graph.graph.fused_components import parts
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Remark
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.provenance import (
    find_assignments,
    is_position,
    level_roots,
    level_variables,
    operand_accesses,
    position_relation,
)
from heddle.iteration_graph.graph.rewrite import find_loop, replace_loop
from heddle.iteration_graph.relations.position import PositionRelation
from heddle.notation.nodes import Access
from heddle.schedule.checks import require_loop, require_new, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class Pos:
    variable: str = argument("variable", "the loop to move into position space")
    position: str = argument("new-variable", "the loop over positions", suggestions=("{}pos",))
    tensor: str = argument("tensor", "the tensor whose positions are iterated")

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        require_new(graph, {"position": self.position})
        if is_position(graph, self.variable):
            raise Refusal(
                "schedule/already-positions",
                f"{self.variable} already runs over positions.",
                argument="variable",
                expected="a coordinate variable",
                actual=f"{self.variable}, a position variable",
            )
        origin = next(
            (r for v in level_roots(graph, self.variable) if (r := position_relation(graph, v)) is not None), None
        )
        if origin is not None:
            raise Refusal(
                "schedule/pos-of-coord",
                f"{self.variable} comes from the positions {origin.position} of {origin.access.tensor} by coord; it "
                f"cannot be turned into positions again. Use {origin.position} itself, without coord.",
                argument="variable",
                expected="a variable that does not come from positions",
                actual=f"{self.variable}, the coordinates of {origin.position}",
            )
        fused = parts(graph, self.variable)
        self._check_parts(graph, fused)
        components = level_roots(graph, self.variable)
        access = self._access(graph, components)
        if access.tensor != self.tensor:
            graph = graph.with_tags(remarks=(*graph.remarks, Remark(number, self._stands_for(access))))
        levels = level_variables(graph, access)
        first = levels.index(components[0]) + 1
        self._check_levels(graph, access, levels, components, first)
        positions = Positions(self.position, access, first, components, fused[0])
        relation = PositionRelation(number, self.variable, positions)
        statement = replace_loop(graph.statement, self.variable, lambda loop: Forall(self.position, loop.body))
        return graph.with_relation(relation, statement)

    def _check_parts(self, graph: IterationGraph, fused: tuple[str, ...]) -> None:
        """Only the outermost part may be a tile: its positions are then contiguous."""
        for number, part in enumerate(fused):
            roots = level_roots(graph, part)
            if len(roots) > 1 or (number > 0 and roots != (part,)):
                raise Refusal(
                    "schedule/pos-of-tile",
                    f"{part} is a tile of {', '.join(roots)}; its positions are not contiguous. "
                    f"Use pos first, then split.",
                    argument="variable",
                    expected="a whole variable, or whole variables fused below one tile",
                    actual=part,
                )

    def _access(self, graph: IterationGraph, wanted: tuple[str, ...]) -> Access:
        """The access of ``tensor`` that has all parts of the variable."""
        body = find_loop(graph.statement, self.variable)
        accesses = operand_accesses(graph, body)
        named = [a for a in accesses if a.tensor == self.tensor]
        tensors = tuple(dict.fromkeys(a.tensor for a in accesses))
        written = [assign.target for assign in find_assignments(graph, body) if assign.target.tensor == self.tensor]
        if not named and written and self.tensor in graph.signature.tensors:
            return self._source_of_result(graph, written[0], accesses, wanted)
        if not named:
            raise Refusal(
                "schedule/unknown-tensor",
                f"{self.tensor} is not an operand below {self.variable}. Operands: {', '.join(tensors) or 'none'}.",
                argument="tensor",
                expected="an operand of the expression",
                actual=self.tensor,
                candidates=tensors,
            )
        fitting = [a for a in named if all(part in a.indices for part in wanted)]
        if not fitting:
            missing = next(part for part in wanted if not all(part in a.indices for a in named))
            others = tuple(
                dict.fromkeys(
                    a.tensor
                    for a in accesses
                    if all(part in a.indices for part in wanted) and not _locatable(graph, a, wanted[-1])
                )
            )
            raise Refusal(
                "schedule/not-in-access",
                f"{missing} does not index {_text(named[0])}, so it has no positions there.",
                argument="tensor",
                expected=f"a tensor that is indexed by {', '.join(wanted)}",
                actual=_text(named[0]),
                candidates=others,
                replacement=others[0] if others else None,
            )
        return fitting[0]

    def _source_of_result(
        self, graph: IterationGraph, result: Access, accesses: tuple[Access, ...], wanted: tuple[str, ...]
    ) -> Access:
        """The access of the single operand that is iterated along the whole variable, as a sparse result is.

        Raises
        ------
        Refusal
            none is, several are, or the result is not stored sparse along the variable.
        """

        def iterated(access: Access) -> bool:
            return all(part in access.indices for part in wanted) and not _locatable(graph, access, wanted[-1])

        sources = [access for access in accesses if iterated(access)]
        if len(sources) == 1 and iterated(result):
            return sources[0]
        names = tuple(dict.fromkeys(access.tensor for access in sources))
        raise Refusal(
            "schedule/pos-of-result",
            f"{self.tensor} is the result: it has no positions before {self.variable} has run. "
            + (
                f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} some."
                if names
                else "Nor has an operand."
            ),
            argument="tensor",
            expected="an operand whose entries are iterated",
            actual=f"{self.tensor}, the result",
            candidates=names,
            replacement=names[0] if len(names) == 1 else None,  # positions of one of several do not cover a sum
        )

    def _stands_for(self, access: Access) -> Refusal:
        return Refusal(
            "schedule/pos-of-result",
            f"{self.tensor} is the result, which has no positions before {self.variable} has run: {self.position} runs "
            f"over those of {access.tensor}, where its entries come from.",
            argument="tensor",
            expected="an operand whose entries are iterated",
            actual=f"{self.tensor}, the result",
            candidates=(access.tensor,),
            replacement=access.tensor,
        )

    def _check_levels(
        self, graph: IterationGraph, access: Access, levels: list[str], wanted: tuple[str, ...], first: int
    ) -> None:
        stored = "→".join(levels)
        diagonal = set(wanted) & set(levels[: first - 1])  # known from a level above, which must come first
        if tuple(levels[first - 1 : first - 1 + len(wanted)]) != wanted or diagonal:
            raise Refusal(
                "schedule/not-consecutive-levels",
                f"{self.variable} fuses {', '.join(wanted)}, but {access.tensor} is stored {stored}: its positions "
                f"follow that order.",
                argument="tensor",
                expected=f"consecutive levels of {access.tensor} in the order {stored}",
                actual=", ".join(wanted),
            )
        last = first + len(wanted) - 1
        layout = graph.signature.tensors[access.tensor].format
        if layout.slots and last > 1:
            raise Refusal(
                "schedule/pos-of-slots",
                f"{access.tensor} is stored in slots ({format_text(layout)}), which the loop over {levels[1]} already "
                "visits by position; a place in a slot holds one coordinate or none. "
                f"Split {levels[1]} instead, or store {access.tensor} as csr.",
                argument="tensor",
                expected="a tensor without slots",
                actual=format_text(layout),
            )
        kind = graph.signature.tensors[access.tensor].format.levels[last - 1].kind
        if not LEVEL_KINDS[kind].iterated:
            sparse = tuple(
                a.tensor
                for a in operand_accesses(graph, graph.statement)
                if wanted[-1] in a.indices and not _locatable(graph, a, wanted[-1])
            )
            raise Refusal(
                "schedule/pos-of-dense",
                f"level {last} of {access.tensor} (variable {wanted[-1]}) is {kind}: every coordinate is stored, so "
                f"positions and coordinates are the same. Split {self.variable} itself instead, or store the level "
                "compressed.",
                argument="tensor",
                expected="a compressed level",
                actual=f"a {kind} level",
                candidates=sparse,
                replacement=sparse[0] if sparse else None,
            )


def _text(access: Access) -> str:
    return f"{access.tensor}({', '.join(access.indices)})"


def _locatable(graph: IterationGraph, access: Access, variable: str) -> bool:
    level = level_variables(graph, access).index(variable)
    return not LEVEL_KINDS[graph.signature.tensors[access.tensor].format.levels[level].kind].iterated


SPEC = CommandSpec(
    name="pos",
    make=Pos,
    summary="Iterate positions of a tensor's level instead of coordinates: tiles then hold equally many entries.",
    before="for j in A's row i:\n  S(i, j)",
    after="for p in [A2.pos[i], A2.pos[i + 1]):\n  j = A2.crd[p]\n  S(i, j)",
    preconditions=(
        "the variable runs over coordinates and indexes the tensor",
        "the tensor's level is compressed",
        "a fused variable covers consecutive levels of the tensor, in storage order",
        "the tensor decides what is visited: the rest of the expression is zero where it has no entry",
        "a sparse result stands for the single operand whose entries it stores, with a warning",
    ),
)
