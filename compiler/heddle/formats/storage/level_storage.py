"""How a level kind is stored: its arrays are built from coordinates, read back, checked, allocated for a result, and
described. Beside :class:`heddle.formats.levels.level.LevelKind`, which says the same in terms of loop IR.

Each kind implements both in its file under ``formats/levels``. What packs, unpacks and checks whole tensors
(``compiler/heddle/runtime``) asks the kinds level by level, and names none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import InternalError

if TYPE_CHECKING:
    from heddle.formats.format import Format, Level
    from heddle.formats.storage.level_check import Checked, LevelCheck

Array = NDArray[Any]
Mask = NDArray[np.bool_]
Take = Callable[[tuple[str, int], int], Array]
"""Gives an array by its role and level, of so many elements."""
Indexing = Literal["segments", "positions", "parents", "places", "level"]


class OrderedBy(Enum):
    """What the positions of a level below one parent are in the order of."""

    COORDINATES = auto()
    """The coordinates at them, where the level is ordered."""
    SLOTS = auto()
    """Their own numbers, whatever coordinates stand there."""
    DIAGONALS = auto()
    """How far the coordinate lies from that of the other dimension."""
    PARENTS = auto()
    """The one that each stands below: the level only says what is there."""


@dataclass(frozen=True, slots=True, eq=False)
class LevelArrays:
    """One level's arrays, each of one dimension: ``pos`` (one more than there are parent positions) and ``crd`` (one
    for each position); None where the level kind has none.

    ``extra`` has the arrays of other roles: ``width`` (one element), ``offsets``, ``mask`` (uint8). All but ``mask``
    are int32, or all are int64, in all levels of a tensor."""

    pos: Array | None = None
    crd: Array | None = None
    extra: Mapping[str, Array] = field(default_factory=dict)


class Contents(Enum):
    """What the elements of an array are, which bounds their values."""

    POSITIONS = auto()
    """Ascending positions of this level."""
    ASCENDING = auto()
    """Ascending numbers, of which the first and the last bound all."""
    COORDINATES = auto()
    """Coordinates of the level, -1 or their number where there is none."""
    PLACES = auto()
    """Positions of this level, each once, in any order."""
    FLAGS = auto()
    """0 or 1."""


@dataclass(frozen=True, slots=True)
class ArrayFacts:
    """``indexed_by`` says what element ``e`` belongs to (see ``explorer/views/storage/storage_schema.py``), ``dtype``
    is that of the elements; None: that of the tensor's positions and coordinates."""

    indexed_by: Indexing
    contents: Contents
    dtype: str | None = None


ARRAYS: Mapping[str, ArrayFacts] = {
    "pos": ArrayFacts("segments", Contents.POSITIONS),
    "crd": ArrayFacts("positions", Contents.COORDINATES),
    "width": ArrayFacts("level", Contents.ASCENDING),
    "offsets": ArrayFacts("level", Contents.ASCENDING),
}
"""The arrays that several kinds have; a kind describes those of its own."""


@dataclass(frozen=True, slots=True)
class LevelNumber:
    """The number in parentheses that its own kind has: what it ``counts``, in one word and as a ``noun`` for
    messages, the ``most`` that is taken, and how many are ``proposed`` for each coordinate of a block below."""

    counts: str
    noun: str
    most: int
    proposed: int


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A level that cannot stand where it does.

    Attributes
    ----------
    number
        of the level, from 1.
    reason
        why it cannot, as a clause.
    expected
        what may stand there.
    instead
        a level that can, where one is close; None otherwise.
    alone
        a format that is a part of a sum may have it all the same.
    """

    number: int
    reason: str
    expected: str
    instead: Level | None = None
    alone: bool = False


class Memory(Protocol):
    """Where arrays are made."""

    def require(self, count: int, dtype: str, what: str) -> int:
        """``count``, where so many elements fit into memory, else CompileError ``runtime/too-large``: ``what`` they are
        is in its message."""
        ...

    def segments(self, parent_of_child: Array, parents: int, index: str) -> Array:
        """``pos`` of children whose parents ascend: parent p owns [pos[p], pos[p + 1])."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class LevelEntries:
    """The entries that ``level``, ``number`` (1-based) of ``tensor``, is built of, sorted by the coordinates of all
    levels, outermost first, each once.

    ``coordinates`` are those of the level, from 0 to ``size`` - 1. There are ``parents`` positions above; ``parent`` is
    the one of each entry, None where entry e stands below position e. ``beside``: the coordinates at the levels below
    that share the positions of this one; ``innermost`` says that no further levels follow these. ``index`` is the dtype
    of positions and coordinates. ``starts``: where the ranges begin that the level cuts its dimension into, if they are
    stored.
    """

    tensor: str
    number: int
    level: Level
    size: int
    coordinates: Array
    parents: int
    parent: Array | None
    beside: tuple[Array, ...]
    innermost: bool
    index: str
    memory: Memory
    starts: Array | None = None

    @property
    def parent_positions(self) -> Array:
        """The position above of each entry."""
        return np.arange(self.coordinates.size, dtype=np.int64) if self.parent is None else self.parent

    def distinct(self, *beside: Array) -> Mask:
        """Which entries differ from the one before them in their parent, their coordinate, or one ``beside``."""
        parent = self.parent_positions
        fresh = np.ones(self.coordinates.size, dtype=bool)
        fresh[1:] = parent[1:] != parent[:-1]
        for coordinates in (self.coordinates, *beside):
            fresh[1:] |= coordinates[1:] != coordinates[:-1]
        return fresh

    def require_slots(self, count: int) -> int:
        """``count``, where the coordinates of so many slots fit into memory."""
        return self.memory.require(count, self.index, f"slots of {self.tensor} in this format")


@dataclass(frozen=True, slots=True, eq=False)
class BuiltLevel:
    """Result of building one level; ``level_contract.py`` checks that it is as said here.

    Attributes
    ----------
    arrays
        index arrays of this level (``pos``, ``crd``, …).
    count
        number of positions of this level.
    positions
        position of each entry, shape (entries,), from 0 to ``count`` - 1 and non-decreasing, in the order that the
        levels below see: indexed *after* ``order``. None if entry ``e`` is at position ``e``.
    order
        permutation applied to the entries before the next level is built (``entries[order]``), needed where the
        positions of the level are not in the order of its coordinates; None if the order is unchanged.
    """

    arrays: LevelArrays
    count: int
    positions: Array | None
    order: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class StoredLevel:
    """A level to be read back: its arrays below ``parents`` positions. ``above`` has the coordinates that each of these
    has at the levels above, outermost first, and ``block`` the number of coordinates of the last of them."""

    arrays: LevelArrays
    size: int
    parents: int
    above: tuple[Array, ...]
    block: int

    @property
    def crd(self) -> Array:
        """A copy of its coordinates, with 64 bits."""
        assert self.arrays.crd is not None
        return self.arrays.crd.astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Expanded:
    """The coordinate of each position, the position above (None: the same one), and which positions hold an entry
    (None: all)."""

    coordinates: Array
    parent: Array | None = None
    held: Mask | None = None


class StorageKind(ABC):
    """How tensors store a level of a kind: a base of those in ``formats/levels/kinds.py``, with what holds for most."""

    name: ClassVar[str]
    arrays: ClassVar[tuple[str, ...]]
    summary: ClassVar[str]
    """What it stores, in a line."""
    lists_coordinates: ClassVar[bool] = False
    """Its coordinates are listed one for one, so that they may be unordered, and may repeat."""
    inside_blocks: ClassVar[bool] = False
    """It may store the coordinates inside the blocks of a dimension, and then has their number in parentheses."""
    number: ClassVar[LevelNumber | None] = None
    """The number in parentheses that it has else."""
    cuts_repeated: ClassVar[bool] = False
    """Below coordinates that repeat, each of these has at most its number of the coordinates that belong to it."""
    numbers_slots: ClassVar[bool] = False
    """Its coordinates are those of no dimension: it numbers slots, and a level below has the coordinates in them."""
    numbered_by: ClassVar[str | None] = None
    """The kind that numbers the slots in which this one has the coordinates."""
    holds_every_coordinate: ClassVar[bool] = False
    """Every parent has a position for each coordinate of the dimension, stored or not."""
    counts_parts: ClassVar[bool] = False
    """It numbers ranges of its dimension's coordinates, and a level below has the coordinates inside them."""
    permutes: ClassVar[bool] = False
    """The coordinates of its dimension are in another order, which :meth:`original` undoes."""
    pads_with_values: ClassVar[bool] = False
    """As the innermost level it has a value where the tensor has no entry, which cannot be told from a stored zero."""
    value_places: ClassVar[str | None] = None
    """Of its arrays the one that says where the value of a position stands; None: at the position itself."""
    counts_below: ClassVar[bool] = True
    """Building it takes memory for each position above, to count what lies below."""
    assembled: ClassVar[bool] = False
    """A kernel can make one for its result: :meth:`allocate`."""
    ordered_by: ClassVar[OrderedBy | None] = None
    """What its positions are in the order of; None: they are searched for or looked up, as in hash tables."""
    axis: ClassVar[str | None] = None
    """What SparseTIR calls it (Ye et al. 2023): dense or sparse, by whether coordinates are listed; fixed or variable,
    by whether every parent has as many. None for what no such axis says, such as diagonals, hashes or masks."""

    def find_misplacement(self, format: Format, number: int) -> Misplaced | None:
        """Why level ``number`` (from 0) of ``format``, which is of this kind, cannot stand there; None where it can."""
        return None

    def arrays_of(self, level: Level) -> tuple[str, ...]:
        """Those of its ``arrays`` that ``level`` has."""
        return self.arrays

    def describe(self, role: str) -> ArrayFacts:
        """What lies in one of its ``arrays``."""
        return ARRAYS[role]

    def positions_for_entry(self, level: Level) -> int:
        """How many positions there may be for an entry, at most, where the level stores positions (``pos``)."""
        return 1

    def build(self, entries: LevelEntries) -> BuiltLevel:
        """The level's arrays for sorted entries, level by level.

        Raises
        ------
        CompileError
            ``runtime/too-large``, ``runtime/not-singleton``.
        """
        raise InternalError(f"A tensor with {self.name} levels is packed as a whole, not level by level")

    @abstractmethod
    def expand(self, level: StoredLevel) -> Expanded:
        """All positions of the level."""

    def original(self, coordinates: Array, arrays: LevelArrays, count: int) -> Array:
        """Of ``count`` coordinates, as they are stored, those that the tensor has there."""
        return coordinates

    @abstractmethod
    def validate(self, check: LevelCheck) -> Checked:
        """Looks at the level's arrays, through the methods of ``check``.

        Raises
        ------
        CompileError
            ``runtime/malformed-tensor``.
        """

    def allocate(self, number: int, parents: int, size: int, take: Take) -> tuple[LevelArrays, int]:
        """Level ``number`` (1-based) of a result below ``parents`` positions, of the arrays that ``take((role, number),
        count)`` gives; and how many positions it has."""
        raise InternalError(f"No result is assembled with the level kind {self.name}")
