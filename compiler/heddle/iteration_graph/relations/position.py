"""``pos(i, p, A)``: ``p`` runs over the positions of A's level instead of coordinates (docs/sources.toml T20, T44).

When ``i`` is a fused variable its components are consecutive levels of A: the coordinate of the last is loaded,
those above are found by searching (or tracking) the parents' ``pos`` arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.level import ParentSearch, Range, Stored
from heddle.iteration_graph.algebra.absent_operands import remove_absent
from heddle.iteration_graph.graph.constraining_relation import ConstrainingRelation
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph
from heddle.iteration_graph.graph.own_statement import find_statement_loop
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.printer import statement_text
from heddle.iteration_graph.graph.provenance import all_loops, leaves, level_variables, operand_accesses, roots
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir.nodes import Expr
from heddle.notation.nodes import Access
from heddle.origin import Role


@dataclass(frozen=True, slots=True)
class PositionRelation(ConstrainingRelation):
    """``space`` has the positions; its components are the underived variables of ``parent``."""

    command: int | None = field()
    parent: str
    space: Positions = field()
    kind: str = "pos"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.space.position,)

    def domain(self, child: str, environment: Environment) -> Range:
        return self.space.ranges(environment)[-1]

    def recover(self, environment: Environment) -> None:
        space = self.space
        position = environment.value(space.position)
        ranges = space.ranges(environment) if len(space.components) > 1 else []
        stored: list[tuple[str, Stored]] = []
        for level in range(space.last_level, space.first_level - 1, -1):
            variable = space.components[level - space.first_level]
            storage = environment.storage(space.access, level)
            kind = LEVEL_KINDS[storage.kind]
            environment.set_position(space.access, level, position)
            path = (*space.access.indices[: level - 1], space.position)
            parent = kind.parent(storage, position)
            if storage.crd is None and isinstance(parent, ParentSearch):  # its coordinates are counted from the parent
                parent = self._parent(level, parent, ranges, position, environment)
            known = None if isinstance(parent, ParentSearch) else parent
            environment.bind(variable, kind.coordinate(storage, position, path, known), Role.RECOVERY)
            stored += [
                (variable, held) for held in kind.stored_conditions(storage, position, environment.value(variable))
            ]
            if level == space.first_level:
                break
            if isinstance(parent, ParentSearch):
                parent = self._parent(level, parent, ranges, position, environment)
            position = parent
        for variable, held in stored:
            environment.only_where(variable, held, monotone=False)

    def _parent(
        self, level: int, search: ParentSearch, ranges: list[Range], position: Expr, environment: Environment
    ) -> Expr:
        """The position above ``position`` of ``level``: known before the first level, else found by a search."""
        if level == self.space.first_level:
            return environment.position_range(self.space.access, level - 1).lower
        among = ranges[level - 1 - self.space.first_level]
        return environment.find_parent(self.space.access, level - 1, search.array, among, position)

    def derive(self, child: str, environment: Environment) -> Expr:
        raise NotImplementedError("a position is never derived from a coordinate that is already known")

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return environment.domain(parent)

    def is_window(self, known: set[str]) -> str | None:
        return None

    def check(self, graph: IterationGraph) -> None:
        """Only stored positions of one tensor are visited: where it has none, nothing else may have a value."""
        loops, tensor = leaves(graph, self.space.position), self.space.access.tensor
        if not set(loops) <= set(all_loops(graph)):
            return  # a part of them moved to a producer, which walks its own copy of these positions
        loop = find_statement_loop(graph, self.space.position)
        rest = remove_absent(loop, _same_entries(graph, loop, self.space.access))
        if rest is not None:
            raise Refusal(
                "schedule/not-covering",
                f"{self.space.position} visits only what {tensor} stores, but elsewhere there is still "
                f"{statement_text(rest)} to compute.",
                argument="tensor",
                expected=f"an expression that is zero where {tensor} has no entry",
                actual=statement_text(rest),
            )

    def check_workspace(self, graph: IterationGraph, moved: Sequence[str], dimensions: Sequence[str]) -> None:
        """Positions lie below the coordinates of the levels above them: a producer cannot have copies of these alone,
        and a workspace cannot have both as dimensions."""
        space, parts = self.space, leaves(graph, self.space.position)
        walked = [loop for loop in (*moved, *dimensions) if loop in parts]
        if not walked:
            return
        copied = {root: loop for loop in dimensions for root in roots(graph, loop)}
        tiles = {root for loop in dimensions if loop not in parts for root in roots(graph, loop)}
        outer = level_variables(graph, space.access)[: space.first_level - 1]
        chosen = [index for index in copied if index in outer or (index in space.components and index in tiles)]
        summed = {root: loop for loop in moved for root in roots(graph, loop)} if walked[-1] in dimensions else {}
        above = [index for index in space.access.indices if index in chosen or (index in outer and index in summed)]
        if above:
            loop = copied.get(above[0]) or summed[above[0]]
            why = f"would move into a producer that has a copy of {loop}"
            if walked[-1] in dimensions:
                both = "over both" if above[0] in copied else f"over them, whose producer sums over {loop},"
                why = f"their number differs from one {loop} to the next: a workspace {both} has no size"
            raise Refusal(
                "schedule/precompute-positions",
                f"{space.position} walks positions of {space.access.tensor} that lie below {loop}, and {why}. "
                f"Precompute before pos, or keep {loop} outside.",
                argument="variables",
                expected=f"loops below {space.position}",
                actual=loop,
            )

    def rename(self, names: Mapping[str, str]) -> Self:
        return replace(self, parent=names.get(self.parent, self.parent), space=self.space.rename(names))

    def reading(self, access: Access) -> Self:
        return replace(self, space=replace(self.space, access=access))

    def bounds_text(self) -> list[str]:
        i, a = self.parent, self.space.access.tensor
        return [f"{self.space.position} ∈ [searchceil_{a}({i}_min), search_{a}({i}_max − 1) + 1)"]

    def recovery_text(self) -> list[str]:
        name, inner = self.space.access.tensor, self.space.position
        texts = [f"{self.space.components[-1]} = {name}{self.space.last_level}.crd[{inner}]"]
        for level in range(self.space.last_level - 1, self.space.first_level - 1, -1):
            variable = self.space.components[level - self.space.first_level]
            texts.append(f"{variable} = the coordinate whose segment in {name}{level + 1}.pos holds {inner}")
            inner = variable
        return texts

    def text(self) -> str:
        access = self.space.access
        return f"pos({self.parent}, {self.space.position}, {access.tensor}({','.join(access.indices)}))"


def _same_entries(graph: IterationGraph, loop: Forall, access: Access) -> frozenset[Access]:
    """``access``, and what a producer's copies of its variables make of it: the same entries of the tensor."""

    def original(other: Access) -> tuple[str, tuple[str, ...]]:
        return other.tensor, tuple(graph.copies.get(index, index) for index in other.indices)

    return frozenset(o for o in operand_accesses(graph, loop) if original(o) == original(access)) | {access}
