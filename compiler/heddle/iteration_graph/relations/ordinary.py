"""What holds of most relations; each kind says for itself where it is otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.relation import Block, Claim, Space
from heddle.notation.nodes import Access

if TYPE_CHECKING:
    from typing import Self

    from heddle.iteration_graph.graph.nodes import IterationGraph


class OrdinaryRelation:
    """Children in the space of their parents, which rise and fall with them, and nothing that loops must keep to."""

    __slots__ = ()

    @property
    def space(self) -> Space | None:
        return None

    @property
    def block(self) -> Block | None:
        return None

    @property
    def monotone(self) -> bool:
        return True

    @property
    def ascending(self) -> bool:
        return True

    @property
    def of_statements(self) -> bool:
        return False

    @property
    def in_turn(self) -> bool:
        return False

    @property
    def uneven(self) -> str | None:
        return None

    def constant_size(self, child: str) -> tuple[str, ...] | None:
        return None

    def derives(self, child: str) -> bool:
        return False

    def claim(self, environment: Environment) -> Claim | None:
        return None

    def case(self, parent: str, environment: Environment) -> Range:
        raise NotImplementedError("all parents are known together")

    def check(self, graph: IterationGraph) -> None:
        pass

    def check_workspace(self, graph: IterationGraph, moved: Sequence[str], dimensions: Sequence[str]) -> None:
        pass

    def reading(self, access: Access) -> Self:
        return self
