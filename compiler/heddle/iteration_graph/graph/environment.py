"""What a relation between index variables may ask of the place in the loop nest where it is lowered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from heddle.formats.levels.level import LevelStorage, Range, Stored
from heddle.loop_ir.nodes import Array, Expr
from heddle.notation.nodes import Access
from heddle.origin import Role


class Environment(Protocol):
    """A place in the loop nest."""

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
        """The ranges of positions that ``key`` names; computed once, by ``make``, where they are first needed."""
        ...

    def guard(self, variable: str) -> None:
        """Run the rest only where ``variable`` lies in its domain."""
        ...

    def guard_condition(self, variable: str, condition: Expr) -> None:
        """Run the rest only where ``condition`` holds; it neither rises nor falls with ``variable``."""
        ...

    def declare_bound(self, name_hint: str, value: Expr, variable: str) -> Expr:
        """A scalar that holds a bound of ``variable``."""
        ...

    def storage(self, access: Access, level: int) -> LevelStorage:
        """A level of the tensor of ``access``, bound to the kernel's parameters; levels count from 1."""
        ...

    def position(self, access: Access, level: int) -> Expr:
        """The known position of ``access`` at a level; level 0 is the root, at position 0."""
        ...

    def position_range(self, access: Access, level: int) -> Range:
        """The known positions at a level: several where its coordinate repeats."""
        ...

    def set_position(self, access: Access, level: int, position: Expr) -> None:
        """The position of ``access`` at a level is known from here on."""
        ...

    def only_where(self, variable: str, stored: Stored, monotone: bool) -> None:
        """Run the rest only where the position that gave ``variable`` holds an entry."""
        ...

    def probe(self, name_hint: str, storage: LevelStorage, table: Range, first: Expr, coordinate: Expr) -> Expr:
        """The position of ``coordinate`` in a hash table, or of the free slot where its probing ends."""
        ...

    def search(self, name_hint: str, array: Array, among: Range, value: Expr, level: int) -> Expr:
        """The first position in ``among`` whose entry of ``array`` is at least ``value``."""
        ...

    def products(self, access: Access, weights: Access) -> Array:
        """How many pairs lie before each row of ``access``: of its entries in those rows, and the entries of
        ``weights`` in the row that each selects."""
        ...

    def find_parent(self, access: Access, level: int, array: Array, among: Range, child: Expr) -> Expr:
        """The position at ``level`` that owns position ``child`` of the next level; tracked if it can be."""
        ...
