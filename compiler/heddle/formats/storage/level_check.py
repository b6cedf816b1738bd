"""Are the arrays of a level those of its kind? Kernels trust them: a wrong position would be read from memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.formats.storage.level_storage import Array, LevelArrays, Mask

if TYPE_CHECKING:
    from heddle.formats.format import Level


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """A level that fits: how many positions it has, and which of them have the coordinates of the position before
    them, while these may repeat."""

    positions: int
    same: Mask | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LevelCheck:
    """Level ``number`` (1-based) of ``tensor`` below what was ``checked``. ``arrays`` has all that its kind stores, of
    the right types; ``above`` are the levels above, outermost first, and ``sizes`` the number of coordinates of these
    and of the level. ``count`` is the size of its dimension."""

    tensor: str
    number: int
    level: Level
    arrays: Mapping[str, Array]
    above: tuple[LevelArrays, ...]
    sizes: tuple[int, ...]
    count: int
    checked: Checked

    @property
    def label(self) -> str:
        return f"level {self.number}"

    @property
    def size(self) -> int:
        return self.sizes[-1]

    @property
    def parents(self) -> int:
        """How many positions the level above has."""
        return self.checked.positions

    @property
    def crd(self) -> Array:
        return self.arrays["crd"]

    def segments(self) -> Array:
        """How many positions each parent has."""
        pos = self.arrays["pos"]
        self.length(f"pos of {self.label}", pos, self.parents + 1)
        if pos[0] != 0:
            self.refuse(f"pos of {self.label} starts with {pos[0]}", "0")
        steps = np.diff(pos.astype(np.int64))
        if (steps < 0).any():
            place = int(np.flatnonzero(steps < 0)[0])
            self.refuse(
                f"pos of {self.label} decreases from {pos[place]} to {pos[place + 1]}", "positions that never decrease"
            )
        return steps

    def width(self) -> int:
        """The number of slots of each parent."""
        width = self.arrays["width"]
        self.length(f"the width of {self.label}", width, 1)
        if width[0] < 0:
            self.refuse(f"the width of {self.label} is {width[0]}", "at least 0")
        return int(width[0])

    def offsets(self, width: int) -> None:
        offsets = self.arrays["offsets"]
        self.length(f"the array offsets of {self.label}", offsets, width)
        if not (np.diff(offsets.astype(np.int64)) > 0).all():
            self.refuse(
                f"the offsets of {self.label} are not in ascending order", "every diagonal once, in ascending order"
            )

    def coordinates(self, count: int, lower: int, upper: int) -> Array:
        """``crd``, of ``count`` coordinates in [lower, upper)."""
        self.length(f"crd of {self.label}", self.crd, count)
        if self.crd.size and (int(self.crd.min()) < lower or int(self.crd.max()) >= upper):
            wrong = int(self.crd[(self.crd < lower) | (self.crd >= upper)][0])
            expected = f"coordinates from {lower} to {upper - 1}" if upper > lower else "no coordinates"
            self.refuse(f"crd of {self.label} holds {wrong}", expected)
        return self.crd

    def in_order(self, together: Mask | None) -> Checked:
        """``together`` says which entries must be in order with the one before them; the answer, which repeat."""
        crd, level = self.crd, self.level
        if together is None or crd.size == 0:
            return Checked(int(crd.size), self.checked.same)
        steps = np.diff(crd.astype(np.int64))
        rising = steps > 0 if level.unique else steps >= 0
        if level.ordered and not (rising | ~together[1:]).all():
            place = int(np.flatnonzero(~rising & together[1:])[0])
            what = "ascend, each once" if level.unique else "ascend"
            self.refuse(f"in crd of {self.label} {crd[place + 1]} follows {crd[place]}", f"coordinates that {what}")
        if level.unique and not level.ordered:
            segments = np.cumsum(~together)
            order = np.lexsort((crd, segments))
            equal = (np.diff(segments[order]) == 0) & (np.diff(crd[order]) == 0)
            if equal.any():
                twice = int(crd[order][1:][equal][0])
                self.refuse(f"crd of {self.label} holds {twice} twice in one segment", "each coordinate once")
        if level.unique:
            return Checked(int(crd.size))
        same = together.copy()
        same[1:] &= steps == 0
        return Checked(int(crd.size), same)

    def length(self, label: str, array: Array, expected: int) -> None:
        if array.size != expected:
            self.refuse(f"{label} has {elements(array.size)}", f"{expected:,}")

    def refuse(self, actual: str, expected: str) -> NoReturn:
        raise malformed_error(self.tensor, actual, expected)


def elements(count: int) -> str:
    """So many of them, in words."""
    return "1 element" if count == 1 else f"{count:,} elements"


def malformed_error(tensor: str, actual: str, expected: str) -> OperandError:
    """The arrays of a tensor are not those of its format."""
    return OperandError(
        Diagnostic(
            code="runtime/malformed-tensor",
            message=f"The arrays of {tensor} are not those of its format: {actual}, expected {expected}.",
            location=Location(Part.INPUT, tensor=tensor),
            expected=expected,
            actual=actual,
            hint="hd.pack and hd.convert make arrays that fit.",
        )
    )
