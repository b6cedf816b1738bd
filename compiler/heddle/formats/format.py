"""A format: a list of levels and the order in which they store the dimensions (Chou et al. 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from heddle.formats.parts import Composition

if TYPE_CHECKING:
    from heddle.formats.levels.level import TensorKind


@dataclass(frozen=True, slots=True)
class Level:
    """One storage level. ``kind`` names a file of ``formats/levels``; the flags are the properties of that level.

    A level with a ``size`` stores the coordinates inside the blocks of its dimension, this many; the level above
    it that stores the same dimension stores the blocks. ``parameter`` is the number of a kind that has one of its own,
    such as the rows among which a ``sorted`` level sorts.
    """

    kind: str
    ordered: bool = True
    unique: bool = True
    size: int | None = None
    parameter: int | None = None
    even: bool = False
    """The ranges of a ``parts`` level have about equally many entries."""

    @property
    def number(self) -> int | None:
        """The number in the parentheses after its name."""
        return self.parameter if self.size is None else self.size

    @property
    def holds_slots(self) -> bool:
        """Whether it numbers slots, and another level stores the coordinates of its dimension."""
        kind = self.stored
        return kind is not None and kind.numbers_slots

    @property
    def counts_parts(self) -> bool:
        """Whether it numbers ranges of its dimension's coordinates, and another level stores those inside."""
        kind = self.stored
        return kind is not None and kind.counts_parts

    @property
    def stored(self) -> TensorKind | None:
        """Its kind; None for the name of one that is known but not implemented."""
        return _kind_named(self.kind)

    @property
    def stores_dimension(self) -> bool:
        """Whether a tensor has one such level for each dimension."""
        return self.size is None and not self.holds_slots and not self.counts_parts


@dataclass(frozen=True, slots=True)
class Cut:
    """How the coordinates of a dimension are cut: into blocks of ``size`` coordinates, or into so many ``parts``, which
    are equally long or, where ``even``, have about equally many entries. ``number`` (from 0) is the level of the blocks
    or parts."""

    number: int
    size: int | None = None
    parts: int | None = None
    even: bool = False

    def sizes(self, count: int) -> tuple[int, int]:
        """How many coordinates the two levels have, of a dimension with ``count``."""
        if self.size is not None:
            return -(-count // self.size), self.size
        assert self.parts is not None
        return self.parts, count if self.even else -(-count // self.parts)


@dataclass(frozen=True, slots=True)
class Format:
    """``levels[k]`` stores dimension ``order[k]`` of the tensor (both 0-based). A scalar has no levels.

    A blocked dimension occurs twice in ``order``: ``bcsr(4,4)`` has four levels in the order (0, 1, 0, 1), and
    ``A(i,j)`` is stored at the coordinates (i / 4, j / 4, i mod 4, j mod 4). A dimension occurs twice, too, when its
    slots are numbered first: ``sell(8)`` has levels for (i / 8, slot, i mod 8, j).
    """

    levels: tuple[Level, ...]
    order: tuple[int, ...]
    composition: Composition | None = None
    """The parts of which it is the sum; its own levels are then those of coordinates, by which it is read."""

    @property
    def dimensions(self) -> int:
        """The order of the tensors that it stores."""
        return len(set(self.order))

    @property
    def is_dense(self) -> bool:
        """Every value, by dimension; tiles of a dense tensor are a blocked format."""
        return all(level.kind == "dense" and level.size is None for level in self.levels)

    @property
    def blocks(self) -> dict[int, int]:
        """The block size of each blocked dimension."""
        pairs = zip(self.levels, self.order, strict=True)
        return {dimension: level.size for level, dimension in pairs if level.size is not None}

    @property
    def cuts(self) -> dict[int, Cut]:
        """How each dimension that two levels share is cut: into blocks or parts, and what lies inside."""
        cuts: dict[int, Cut] = {}
        for number, (level, dimension) in enumerate(zip(self.levels, self.order, strict=True)):
            if level.counts_parts:
                cuts[dimension] = Cut(number, parts=level.parameter or 1, even=level.even)
            elif level.size is not None:
                cuts[dimension] = Cut(self.order.index(dimension), size=level.size)
        return cuts

    def inside(self, number: int) -> bool:
        """Whether level ``number`` (from 0) has the coordinates inside the blocks or parts of its dimension."""
        level, dimension = self.levels[number], self.order[number]
        if level.size is not None:
            return True
        above = zip(self.levels[:number], self.order, strict=False)
        return any(upper.counts_parts and other == dimension for upper, other in above)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers after the name of a preset: the sizes inside blocks, then those of kinds."""
        parameters = (level.parameter for level in self.levels if level.parameter is not None)
        return (*(level.size for level in self.levels if level.size is not None), *parameters)

    @property
    def sorts(self) -> int | None:
        """The dimension whose coordinates are sorted by a level, which stores the one at each position; None where they
        are in order."""
        pairs = zip(self.levels, self.order, strict=True)
        kinds = ((level.stored, dimension) for level, dimension in pairs)
        return next((dimension for kind, dimension in kinds if kind is not None and kind.permutes), None)

    @property
    def slots(self) -> tuple[int, ...]:
        """The dimension of each level that numbers slots, outermost level first."""
        pairs = zip(self.levels, self.order, strict=True)
        return tuple(dimension for level, dimension in pairs if level.holds_slots)

    def ascends(self, number: int) -> bool:
        """Whether level ``number`` (from 0) has the coordinates below one coordinate in order: the pieces of repeated
        ones have theirs in no order."""
        level, kind = self.levels[number], self.levels[number].stored
        in_pieces = number > 0 and not self.levels[number - 1].unique and kind is not None and kind.cuts_repeated
        return level.ordered and not in_pieces

    def level_sizes(self, shape: Sequence[int]) -> tuple[int, ...]:
        """How many coordinates each level has for a tensor of that shape; the last block of a dimension may be cut."""
        cuts = self.cuts
        return tuple(
            cuts[dimension].sizes(shape[dimension])[self.inside(number)] if dimension in cuts else shape[dimension]
            for number, dimension in enumerate(self.order)
        )


@cache
def _kind_named(name: str) -> TensorKind | None:
    from heddle.formats.levels.kinds import LEVEL_KINDS  # with NumPy, which a Plan that is only read does not need

    return LEVEL_KINDS.get(name)
