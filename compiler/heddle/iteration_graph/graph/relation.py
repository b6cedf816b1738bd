"""Provenance relations: how derived index variables come from their parents (docs/sources.toml T40 to T44).

A relation answers whatever the rest of the compiler asks about a command that derives variables, so that nothing else
knows which commands there are: what its variables run over, how to propagate bounds down (:meth:`Relation.domain`),
recover the originals (:meth:`Relation.recover`) and the derived (:meth:`Relation.derive`). What the loops must keep to
is said by those of :mod:`~heddle.iteration_graph.graph.constraining_relation`. Each kind of relation is a file of
``iteration_graph/relations/``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from heddle.formats.format import Cut
from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.positions import Positions
from heddle.loop_ir.nodes import Expr
from heddle.notation.nodes import Access


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The variables of a relation are coordinates again, those of ``positions``."""

    positions: Positions


Space = Positions | Coordinates


@dataclass(frozen=True, slots=True)
class Block:
    """``whole`` is cut into blocks or parts ``outer`` with coordinates ``inner``, and ``tensors`` have levels of their
    own for both. ``access`` reads the one whose level ``cut.number`` (from 0) has the parts."""

    whole: str
    outer: str
    inner: str
    cut: Cut
    access: Access
    tensors: tuple[str, ...]

    @property
    def parts(self) -> tuple[str, str]:
        return self.outer, self.inner

    @property
    def text(self) -> str:
        """E.g. ``blocks of 4``, ``4 equal parts``."""
        if self.cut.size is not None:
            return f"blocks of {self.cut.size}"
        return f"{self.cut.parts} {'parts with equally many entries' if self.cut.even else 'equal parts'}"


@dataclass(frozen=True, slots=True)
class Claim:
    """``condition`` must hold for the operands, otherwise the kernel refuses them and says ``text``."""

    condition: Expr
    text: str


class Relation(ABC):
    """One step from ``parents`` to ``children``.

    Most relations have their children in the space of the parents, rise and fall with them, and ask nothing of the
    loops: these are the defaults. A subclass is a frozen dataclass; a field of it that is a property here is written
    ``= field()``, since ``dataclass`` would take the property for its default.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def kind(self) -> str:
        """The name of the command, or of what the format of a tensor does."""

    @property
    @abstractmethod
    def command(self) -> int | None:
        """None where the format of a tensor made it."""

    @property
    @abstractmethod
    def parents(self) -> tuple[str, ...]:
        """The variables that it is made from, outermost first."""

    @property
    @abstractmethod
    def children(self) -> tuple[str, ...]:
        """The variables that it makes, outermost first."""

    @property
    def space(self) -> Space | None:
        """What the children run over; None: the same as the parents."""
        return None

    @property
    def block(self) -> Block | None:
        """The children as coordinates of storage levels; None where no format made them so."""
        return None

    @property
    def monotone(self) -> bool:
        """Whether no parent falls while the innermost loop over a child runs."""
        return True

    @property
    def ascending(self) -> bool:
        """Whether the parents, the last one fastest, come in ascending order where the children do."""
        return True

    @property
    def of_statements(self) -> bool:
        """Whether each parent is a variable of a statement of its own, of those that the loops over the children have
        inside them, in their order."""
        return False

    @property
    def in_turn(self) -> bool:
        """Whether of these statements only one runs in an iteration, see :meth:`case`."""
        return False

    @property
    def uneven(self) -> str | None:
        """The child whose number of values differs from one value of its siblings to the next, if there is one."""
        return None

    def constant_size(self, child: str) -> tuple[str, ...] | None:
        """The parents of which the commands alone must say how many values they have, so that they also say it of
        ``child``; None where they never do."""
        return None

    def derives(self, child: str) -> bool:
        """Whether :meth:`derived` gives ``child`` where the parents and the siblings of ``child`` are known."""
        return False

    @abstractmethod
    def domain(self, child: str, environment: Environment) -> Range:
        """Bounds of ``child`` from the bounds of the parents."""

    @abstractmethod
    def recover(self, environment: Environment) -> None:
        """Bind every parent from the known children (recover_original), with the guards that this needs."""

    def case(self, parent: str, environment: Environment) -> Range:
        """Bind ``parent``, at the beginning of its statement; the values of the only child with which that runs."""
        raise NotImplementedError("all parents are known together")

    @abstractmethod
    def derive(self, child: str, environment: Environment) -> Expr:
        """``child`` from the parents and its siblings (recover_derived)."""

    @abstractmethod
    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        """The range of ``parent`` while its children run over the given ranges."""

    @abstractmethod
    def is_window(self, known: set[str]) -> str | None:
        """The child over which the parent advances by ones when ``known`` are fixed; None when it strides."""

    def claim(self, environment: Environment) -> Claim | None:
        """What the relation says of the operands, to be checked before everything else."""
        return None

    @abstractmethod
    def rename(self, names: Mapping[str, str]) -> Self:
        """The same relation between other variables: ``names`` maps old ones to new ones."""

    def reading(self, access: Access) -> Self:
        """The same relation to ``access``, as which another statement reads the tensor whose positions it has."""
        return self

    @abstractmethod
    def bounds_text(self) -> list[str]:
        """One formula per child, for the provenance diagram."""

    @abstractmethod
    def recovery_text(self) -> list[str]:
        """One formula per parent, for the provenance diagram."""

    @abstractmethod
    def text(self) -> str:
        """The command that made it."""
