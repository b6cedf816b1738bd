"""Provenance relations: how derived index variables come from their parents (docs/sources.md T40 to T44).

A relation carries the four functions that lowering needs and nothing else in the lowering may know a command:
propagate bounds down (:meth:`Relation.domain`), recover the originals (:meth:`Relation.recover`), recover the derived
(:meth:`Relation.derived`), and track (:meth:`Relation.start_tracking`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from compiler.formats.levels.level import LevelStorage, Range, Stored
from compiler.loop_ir.nodes import Array, Expr
from compiler.notation.nodes import Access
from compiler.origin import Role


class Environment(Protocol):
    """What a relation may ask of the place in the loop nest where it is lowered."""

    def value(self, variable: str) -> Expr:
        """The value of a known variable."""
        ...

    def domain(self, variable: str) -> Range:
        """The range that bounds propagation gives to a variable here."""
        ...

    def window(self, variable: str, within: str) -> Range:
        """The range of the underived ``variable`` while its descendant ``within`` runs over its own domain."""
        ...

    def bind(self, variable: str, value: Expr, role: Role) -> None:
        """``variable`` is known from here on."""
        ...

    def ranges(self, key: str, make: Callable[[], list[Range]]) -> list[Range]:
        """The ranges of positions behind ``key``; computed once, by ``make``, where they are first needed."""
        ...

    def guard(self, variable: str) -> None:
        """Run the rest only where ``variable`` lies in its domain."""
        ...

    def guard_condition(self, variable: str, condition: Expr) -> None:
        """Run the rest only where ``condition`` holds; it neither rises nor falls with ``variable``."""
        ...

    def declare_bound(self, wish: str, value: Expr, variable: str) -> Expr:
        """A scalar that holds a bound of ``variable``."""
        ...

    def storage(self, access: Access, level: int) -> LevelStorage: ...

    def position(self, access: Access, level: int) -> Expr:
        """The known position of ``access`` at a level; level 0 is the root, at position 0."""
        ...

    def position_range(self, access: Access, level: int) -> Range:
        """The known positions at a level: several where its coordinate repeats."""
        ...

    def set_position(self, access: Access, level: int, position: Expr) -> None: ...

    def only_where(self, variable: str, stored: Stored, monotone: bool) -> None:
        """Run the rest only where the position that gave ``variable`` holds an entry."""
        ...

    def probe(self, wish: str, storage: LevelStorage, table: Range, first: Expr, coordinate: Expr) -> Expr:
        """The position of ``coordinate`` in a hash table, or of the free slot where its probing ends."""
        ...

    def search(self, wish: str, array: Array, among: Range, value: Expr, level: int) -> Expr:
        """The first position in ``among`` whose entry of ``array`` is at least ``value``."""
        ...

    def products(self, access: Access, weights: Access) -> Array:
        """How many pairs lie in front of each row of ``access``: of its entries in those rows, and the entries of
        ``weights`` in the row that each selects."""
        ...

    def find_parent(self, access: Access, level: int, array: Array, among: Range, child: Expr) -> Expr:
        """The position at ``level`` that owns position ``child`` of the next level; tracked if it can be."""
        ...


class Relation(Protocol):
    """One command's step from ``parents`` to ``children``."""

    @property
    def kind(self) -> str: ...

    @property
    def command(self) -> int | None:
        """None where no command made it."""
        ...

    @property
    def parents(self) -> tuple[str, ...]: ...

    @property
    def children(self) -> tuple[str, ...]: ...

    def domain(self, child: str, environment: Environment) -> Range:
        """Bounds of ``child`` from the bounds of the parents."""
        ...

    def recover(self, environment: Environment) -> None:
        """Bind every parent from the known children (recover_original), with the guards that this needs."""
        ...

    def derived(self, child: str, environment: Environment) -> Expr:
        """``child`` from the parents and its siblings (recover_derived)."""
        ...

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        """The range of ``parent`` while its children run over the given ranges."""
        ...

    def is_window(self, known: set[str]) -> str | None:
        """The child over which the parent advances by ones when ``known`` are fixed; None when it strides."""
        ...

    def bounds_text(self) -> list[str]:
        """One formula per child, for the provenance diagram."""
        ...

    def recovery_text(self) -> list[str]:
        """One formula per parent, for the provenance diagram."""
        ...

    def text(self) -> str:
        """The command that made it."""
        ...
