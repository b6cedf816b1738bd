"""What a level kind can do, in terms of loop IR (Chou et al. 2018; DESIGN §3.2). One module per kind implements it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from compiler.loop_ir.nodes import Array, Expr, SearchKind


@dataclass(frozen=True, slots=True)
class LevelStorage:
    """Level ``number`` (1-based) of ``tensor`` bound to its kernel parameters."""

    tensor: str
    number: int
    kind: str
    size: Expr
    pos: Array | None = None
    crd: Array | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """Positions or coordinates in [lower, upper)."""

    lower: Expr
    upper: Expr


@dataclass(frozen=True, slots=True)
class ParentSearch:
    """How to find the parent of a position: a search in ``array``, where parent ``p`` owns [array[p], array[p+1])."""

    array: Array
    kind: SearchKind = SearchKind.BEFORE


class LevelKind(Protocol):
    """The capabilities of a level kind."""

    name: str
    arrays: tuple[str, ...]
    """Names of the arrays that it stores: ``pos``, ``crd``."""
    full: bool
    """Every coordinate of the dimension is stored."""
    can_locate: bool
    """A coordinate's position can be computed without a search."""
    can_iterate: bool
    """Its stored coordinates are iterated by position (they are a subset of the dimension)."""

    def locate(self, storage: LevelStorage, parent: Expr, coordinate: Expr) -> Expr:
        """The position of ``coordinate`` under ``parent``."""
        ...

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        """All positions under a range of parent positions."""
        ...

    def coordinate(self, storage: LevelStorage, position: Expr, path: tuple[str, ...]) -> Expr:
        """The coordinate stored at a position."""
        ...

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        """The parent's position: a formula, or what to search in."""
        ...
