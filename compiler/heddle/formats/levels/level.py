"""What a level kind can do, in terms of loop IR (Chou et al. 2018). One module per kind implements it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Protocol

from heddle.formats.storage.level_storage import StorageKind
from heddle.loop_ir.nodes import Array, Expr, SearchKind


@dataclass(frozen=True, slots=True)
class LevelStorage:
    """Level ``number`` (1-based) of ``tensor`` bound to its kernel parameters; ``size`` is the number of coordinates.

    ``repeats``: one coordinate may be at several positions in a row, told apart by the levels below.
    ``extra`` holds the arrays of a kind that are neither ``pos`` nor ``crd``, in the order of ``LevelKind.arrays``.
    """

    tensor: str
    number: int
    kind: str
    size: Expr
    pos: Array | None = None
    crd: Array | None = None
    repeats: bool = False
    extra: tuple[Array, ...] = ()
    parameter: int | None = None
    """The number of a kind that has one of its own."""
    below_repeats: bool = False
    """The level above may have one coordinate at several positions in a row."""
    count: Expr | None = None
    """How many coordinates a level of a workspace holds; with ``begin``, where in ``crd`` they end."""
    begin: Expr | None = None
    """Where they begin, for a workspace whose coordinates are part of a longer array."""
    stride: Expr | None = None
    """What one step of the coordinate adds to the key of a mapped level."""
    block: int | None = None
    """The size of the level above, where that stores the coordinates inside blocks."""
    above: tuple[Expr, ...] = ()
    """The coordinates of the levels above, outermost first, where all are known."""
    block_position: Expr | None = None
    """The position of the block that a level inside of blocks lies in, where it is known."""


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


@dataclass(frozen=True, slots=True)
class Stored:
    """``condition`` says that a position holds an entry. ``above``: once it fails it fails for every later position of
    the same parent, so that a loop over the segment may end there."""

    condition: Expr
    above: bool


class Emitter(Protocol):
    """Where a level kind emits the statements that its search needs."""

    def search(self, name_hint: str, array: Array, among: Range, value: Expr, level: int) -> Expr:
        """The first position in ``among`` whose entry of ``array`` is at least ``value``."""
        ...

    def probe(self, name_hint: str, storage: LevelStorage, table: Range, first: Expr, coordinate: Expr) -> Expr:
        """The position of ``coordinate`` in a hash table, or of the free slot where its probing ends."""
        ...


class LevelKind(ABC):
    """The capabilities of a level kind; what is not abstract holds of most kinds that list coordinates."""

    name: ClassVar[str]
    arrays: ClassVar[tuple[str, ...]] = ()
    """Names of the arrays that it stores: ``pos``, ``crd`` and others."""
    full: ClassVar[bool] = False
    """Every coordinate of the dimension is stored."""
    branchless: ClassVar[bool] = False
    """Each parent has exactly one position."""
    compact: ClassVar[bool] = True
    """Every position between the first and the last holds an entry."""
    iterated: ClassVar[bool] = True
    """Its stored coordinates drive loops, by position and in their order. Other kinds are located: the loop runs over
    all coordinates, or is driven by another operand."""
    can_locate: ClassVar[bool] = False
    """Every coordinate has a position, which a formula computes. A kind that is neither this nor ``iterated`` says
    with :meth:`find` whether a coordinate is stored."""

    def locate(self, storage: LevelStorage, parent: Expr, coordinate: Expr) -> Expr:
        """The position of ``coordinate`` under ``parent``."""
        raise TypeError(f"the position of a coordinate at a {self.name} level is found by a search, not by a formula")

    @abstractmethod
    def children(self, storage: LevelStorage, parents: Range) -> Range:
        """All positions under a range of parent positions."""

    @abstractmethod
    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        """The coordinate stored at a position; ``parent`` is its parent's position where that is known."""

    @abstractmethod
    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        """The parent's position: a formula, or what to search in."""

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        """Whether ``position``, whose coordinate would be ``coordinate``, holds an entry: all of these hold. Empty
        where every position holds one."""
        return ()

    @abstractmethod
    def lower_bound(
        self, storage: LevelStorage, parent: Expr, among: Range, coordinate: Expr, name_hint: str, emit: Emitter
    ) -> Expr:
        """The first position in ``among`` (under ``parent``) whose coordinate is at least ``coordinate``."""

    @abstractmethod
    def find(
        self,
        storage: LevelStorage,
        parents: Range,
        coordinate: Expr,
        name_hint: str,
        path: tuple[str, ...],
        emit: Emitter,
    ) -> tuple[Expr, Expr]:
        """A position for ``coordinate`` under ``parents``, and the condition that it holds it. ``path`` is the
        structured subscript of the levels above."""


class TensorKind(LevelKind, StorageKind):
    """A kind that tensors are stored with: what loops do with it, and how it is stored."""
