"""``coord(p, i)``: ``i`` runs over the coordinates between those of the first and the last position of ``p``
(docs/sources.toml T21); the position of ``i`` is searched, and a coordinate that is not stored is skipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.constraining_relation import ConstrainingRelation
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.provenance import all_paths, closure, leaves
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.relation import Coordinates
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr, Select
from heddle.origin import Role


@dataclass(frozen=True, slots=True)
class CoordinateRelation(ConstrainingRelation):
    """``parent`` is the variable of the positions ``origin`` or the loop over single positions inside its tiles."""

    command: int = field()
    parent: str
    coordinate: str
    origin: Positions
    kind: str = "coord"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.coordinate,)

    @property
    def space(self) -> Coordinates:
        return Coordinates(self.origin)

    def _positions(self, environment: Environment) -> Range:
        """The positions that ``parent`` runs over while the tiles around it are fixed."""
        return environment.ranges(self.parent, lambda: [self._declare(environment)])[0]

    def _declare(self, environment: Environment) -> Range:
        window = environment.window(self.origin.position, self.parent)
        lower = environment.declare_bound(f"{self.parent}_begin", window.lower, self.parent)
        return Range(lower, environment.declare_bound(f"{self.parent}_end", window.upper, self.parent))

    def domain(self, child: str, environment: Environment) -> Range:
        return environment.ranges(self.coordinate, lambda: [self._coordinates(environment)])[0]

    def _coordinates(self, environment: Environment) -> Range:
        """Empty where there is no position, whose coordinates could not be loaded."""
        positions, zero, unit = self._positions(environment), build.index(0), build.index(1)
        some = build.compare("<", positions.lower, positions.upper)
        lower = Select(some, self._load(environment, positions.lower), zero)
        last = self._load(environment, build.sub(positions.upper, unit))
        upper = Select(some, build.add(last, unit), zero)
        name = self.coordinate
        return Range(
            environment.declare_bound(f"{name}_begin", lower, name),
            environment.declare_bound(f"{name}_end", upper, name),
        )

    def _load(self, environment: Environment, position: Expr) -> Expr:
        storage = environment.storage(self.origin.access, self.origin.last_level)
        path = (*self.origin.access.indices[: self.origin.last_level - 1], self.origin.position)
        return LEVEL_KINDS[storage.kind].coordinate(storage, position, path)

    def recover(self, environment: Environment) -> None:
        storage = environment.storage(self.origin.access, self.origin.last_level)
        assert storage.crd is not None
        coordinate, among = environment.value(self.coordinate), self._positions(environment)
        # The last coordinate of the range is stored, so that the search ends before the end of the positions.
        position = environment.search(f"{self.parent}_found", storage.crd, among, coordinate, storage.number)
        stored = build.compare("==", self._load(environment, position), coordinate)
        environment.guard_condition(self.coordinate, stored)
        environment.bind(self.origin.position, position, Role.RECOVERY)

    def derive(self, child: str, environment: Environment) -> Expr:
        return self._load(environment, environment.value(self.origin.position))

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return environment.domain(parent)

    def is_window(self, known: set[str]) -> str | None:
        return None

    def check(self, graph: IterationGraph) -> None:
        """The tiles around the positions are known where the loop over their coordinates begins."""
        for path in all_paths(graph):
            parts = set(leaves(graph, self.coordinate))
            if not parts & set(path):
                continue
            begun = min(path.index(leaf) for leaf in parts if leaf in path)
            known = closure(graph, set(path[:begun]))
            around = [v for v in leaves(graph, self.origin.position) if v not in parts and v not in known]
            if around:
                raise Refusal(
                    "schedule/coord-before-tile",
                    f"which positions of {self.origin.access.tensor} the coordinates {self.coordinate} stand for "
                    f"depends on {around[0]}. Keep {around[0]} outside {path[begun]}.",
                    expected=f"{around[0]} outside {path[begun]}",
                    actual=" → ".join(path),
                )

    def rename(self, names: Mapping[str, str]) -> Self:
        """The positions stay those of the loops around the original: :meth:`check` refuses a copy without them."""
        parent, coordinate = (names.get(variable, variable) for variable in (self.parent, self.coordinate))
        return replace(self, parent=parent, coordinate=coordinate)

    def bounds_text(self) -> list[str]:
        p, array = self.parent, self._array()
        return [f"{self.coordinate} ∈ [{array}[{p}_min], {array}[{p}_max − 1] + 1)"]

    def recovery_text(self) -> list[str]:
        return [f"{self.parent} = the position of {self.coordinate} in {self._array()}"]

    def _array(self) -> str:
        return f"{self.origin.access.tensor}{self.origin.last_level}.crd"

    def text(self) -> str:
        return f"coord({self.parent}, {self.coordinate})"
