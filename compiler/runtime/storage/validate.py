"""Are the arrays of a tensor those of its format? Kernels trust them: a wrong position would be read from memory."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from compiler.diagnostics import CompileError, Diagnostic, Location, Part
from compiler.formats.compositions import misplaced_levels
from compiler.formats.format import Level
from compiler.formats.levels.kinds import LEVEL_KINDS
from compiler.formats.levels.runs import NO_RUN, run_starts
from compiler.index_width import index_dtype
from compiler.runtime.storage.stored_tensor import LevelArrays, StoredTensor

Array = NDArray[Any]
_DTYPES = {"mask": "uint8"}


def validate(tensor: StoredTensor, name: str = "tensor") -> None:
    """Checks every array of ``tensor``: its dtype, its shape, positions that ascend, and coordinates that lie in their
    dimension in the order that the format promises. Time and memory are linear in the tensor (hashed levels sort).

    Raises:
        CompileError: ``runtime/malformed-tensor``, which says the level, the array and what is wrong with it.
    """
    _Validation(tensor, name).run()


class _Validation:
    def __init__(self, tensor: StoredTensor, name: str) -> None:
        self.tensor, self.name = tensor, name
        self.positions = 1
        self.index = index_dtype(tensor.wide)
        self.same: NDArray[np.bool_] | None = None
        """Which positions have the coordinates of the position in front of them, while these may repeat."""

    def run(self) -> None:
        tensor, format = self.tensor, self.tensor.format
        if len(tensor.shape) != format.dimensions or any(size < 0 for size in tensor.shape):
            self.refuse(f"its shape is {tensor.shape}", f"{format.dimensions} sizes of at least 0")
        if len(tensor.levels) != len(format.levels):
            self.refuse(f"it has the arrays of {len(tensor.levels)} levels", f"{len(format.levels)} levels")
        for misplaced in misplaced_levels(format):
            self.refuse(f"level {misplaced.number} cannot stand there: {misplaced.reason}", misplaced.expected)
        sizes = format.level_sizes(tensor.shape)
        for number, (level, arrays, size) in enumerate(zip(format.levels, tensor.levels, sizes, strict=True), start=1):
            self.level(number, level, arrays, size)
        self.array("vals", tensor.vals, tensor.dtype)
        self.length("vals", tensor.vals, self.positions)

    def level(self, number: int, level: Level, arrays: LevelArrays, size: int) -> None:
        if level.kind not in LEVEL_KINDS:
            self.refuse(f"level {number} is of the unknown kind {level.kind}", f"one of {', '.join(LEVEL_KINDS)}")
        found = {role: self.needed(number, role, arrays) for role in LEVEL_KINDS[level.kind].arrays}
        label = f"level {number}"
        match level.kind:
            case "sorted":
                self.each_row_once(found["rows"])
                self.positions, self.same = self.positions * size, None
            case "dense":
                self.positions, self.same = self.positions * size, None
            case "bitmap":
                self.positions, self.same = self.positions * size, None
                self.length(f"the mask of {label}", found["mask"], self.positions)
            case "compressed":
                self.compressed(label, level, found["pos"], found["crd"], size)
            case "singleton":
                self.length(f"crd of {label}", found["crd"], self.positions)
                self.inside(label, found["crd"], 0, size)
                self.ordered(label, level, found["crd"], self.same)
            case "padded":
                self.padded(label, found["crd"], self.width(label, found["width"]), size)
            case "slots":
                self.segments(label, found["pos"])
                self.positions, self.same = int(found["pos"][-1]), None
            case "diagonals":
                self.positions, self.same = self.positions * self.width(label, found["width"]), None
            case "optional" | "runs":
                self.length(f"crd of {label}", found["crd"], self.positions)
                self.inside(label, found["crd"], 0, size + 1)
                self.each_once(label, found["crd"], size)
                if level.kind == "runs":
                    self.runs(label, found["first"], found["crd"], size)
            case "shifted":
                self.offsets(label, found["offsets"], self.width(label, found["width"]))
                above = int(self.tensor.levels[number - 3].extra["width"][0])
                if (width := int(found["width"][0])) != above:
                    self.refuse(f"{label} has {width} diagonals, level {number - 2} has {above}", f"{above}")
            case "hashed":
                self.hashed(label, found["crd"], self.width(label, found["width"]), size)
            case "offset":
                width = self.width(label, found["width"])
                self.offsets(label, found["offsets"], width)
                self.positions, self.same = self.positions * width, None
            case _:
                raise TypeError(f"unexpected level {level!r}")

    def compressed(self, label: str, level: Level, pos: Array, crd: Array, size: int) -> None:
        steps = self.segments(label, pos)
        self.length(f"crd of {label}", crd, int(pos[-1]))
        self.inside(label, crd, 0, size)
        together = np.ones(crd.size, dtype=bool)  # with the entry in front, in one segment
        together[pos[:-1][steps > 0]] = False
        self.positions = int(crd.size)
        self.ordered(label, level, crd, together)

    def segments(self, label: str, pos: Array) -> Array:
        """How many positions each parent has."""
        self.length(f"pos of {label}", pos, self.positions + 1)
        if pos[0] != 0:
            self.refuse(f"pos of {label} starts with {pos[0]}", "0")
        steps = np.diff(pos.astype(np.int64))
        if (steps < 0).any():
            place = int(np.flatnonzero(steps < 0)[0])
            self.refuse(f"pos of {label} falls from {pos[place]} to {pos[place + 1]}", "positions that never fall")
        return steps

    def offsets(self, label: str, offsets: Array, width: int) -> None:
        self.length(f"the array offsets of {label}", offsets, width)
        if not (np.diff(offsets.astype(np.int64)) > 0).all():
            self.refuse(f"the offsets of {label} do not ascend", "every diagonal once, in ascending order")

    def each_row_once(self, rows: Array) -> None:
        count = self.tensor.shape[self.tensor.format.order[0]]
        self.length("the array rows of level 1", rows, count)
        if not (np.sort(rows) == np.arange(count)).all():
            self.refuse("the array rows of level 1 leaves out a row", f"each of 0 to {count - 1} once")

    def each_once(self, label: str, crd: Array, size: int) -> None:
        """No row of sliced ELL holds a column in two slots."""
        pos = self.tensor.levels[1].pos
        assert pos is not None
        height = self.tensor.format.level_sizes(self.tensor.shape)[2]
        block = np.repeat(np.arange(pos.size - 1), np.diff(pos) * height)
        row = block * height + np.arange(crd.size) % height
        held = np.flatnonzero(crd < size)
        key = np.sort(row[held] * max(size, 1) + crd[held])
        if (key[1:] == key[:-1]).any():
            row_twice, twice = divmod(int(key[1:][key[1:] == key[:-1]][0]), size)
            self.refuse(f"{label} holds the coordinate {twice} twice in row {row_twice}", "each coordinate once")

    def runs(self, label: str, first: Array, crd: Array, size: int) -> None:
        height = self.tensor.format.level_sizes(self.tensor.shape)[2]
        self.length(f"the array first of {label}", first, crd.size // height)
        known = run_starts(crd.reshape(-1, height), size)
        wrong = np.flatnonzero((first != known) & (first != NO_RUN))
        if wrong.size:
            slot = int(wrong[0])
            self.refuse(f"first of {label} has {first[slot]} for slot {slot}", f"{known[slot]} or {NO_RUN}")

    def ordered(self, label: str, level: Level, crd: Array, together: NDArray[np.bool_] | None) -> None:
        """``together`` says which entries must be in order with the one in front of them; then which of them repeat."""
        if together is None or crd.size == 0:
            return
        steps = np.diff(crd.astype(np.int64))
        rising = steps > 0 if level.unique else steps >= 0
        if level.ordered and not (rising | ~together[1:]).all():
            place = int(np.flatnonzero(~rising & together[1:])[0])
            what = "ascend, each once" if level.unique else "ascend"
            self.refuse(f"in crd of {label} {crd[place + 1]} follows {crd[place]}", f"coordinates that {what}")
        if level.unique and not level.ordered:
            segments = np.cumsum(~together)
            order = np.lexsort((crd, segments))
            equal = (np.diff(segments[order]) == 0) & (np.diff(crd[order]) == 0)
            if equal.any():
                twice = int(crd[order][1:][equal][0])
                self.refuse(f"crd of {label} holds {twice} twice in one segment", "each coordinate once")
        self.same = None
        if not level.unique:
            self.same = together.copy()
            self.same[1:] &= steps == 0

    def padded(self, label: str, crd: Array, width: int, size: int) -> None:
        self.length(f"crd of {label}", crd, self.positions * width)
        self.inside(label, crd, 0, size + 1)
        rows = crd.reshape(self.positions, width)
        rising = (np.diff(rows.astype(np.int64), axis=1) > 0) | (rows[:, 1:] == size)
        if not rising.all():
            self.refuse(
                f"the coordinates of a parent in crd of {label} do not ascend", f"them in order, then only {size}"
            )
        self.positions, self.same = self.positions * width, None

    def hashed(self, label: str, crd: Array, width: int, size: int) -> None:
        self.length(f"crd of {label}", crd, self.positions * width)
        self.inside(label, crd, -1, size)
        slots = np.flatnonzero(crd >= 0)
        parent, slot, coordinate = slots // max(width, 1), slots % max(width, 1), crd[slots].astype(np.int64)
        order = np.lexsort((coordinate, parent))
        if ((np.diff(parent[order]) == 0) & (np.diff(coordinate[order]) == 0)).any():
            self.refuse(f"a table of {label} holds a coordinate twice", "each coordinate once")
        held = np.bincount(parent, minlength=self.positions)
        if (held[held == width] < size).any() or (width == 0 and self.positions > 0 and size > 0):
            self.refuse(f"a table of {label} has no free slot, where a search would end", "a free slot (-1)")
        free = np.zeros((self.positions, 2 * width + 1), dtype=np.int64)
        free[:, 1:] = np.cumsum(np.tile(crd.reshape(self.positions, width) < 0, 2), axis=1)
        home = coordinate % max(width, 1)
        end = np.where(slot >= home, slot, slot + width)
        if (free[parent, end] != free[parent, home]).any():
            self.refuse(
                f"a table of {label} holds a coordinate behind a free slot, where no search finds it",
                "every coordinate at its remainder by the width, or in the slots that follow without a gap",
            )
        self.positions, self.same = self.positions * width, None

    def width(self, label: str, width: Array) -> int:
        self.length(f"the width of {label}", width, 1)
        if width[0] < 0:
            self.refuse(f"the width of {label} is {width[0]}", "at least 0")
        return int(width[0])

    def needed(self, number: int, role: str, arrays: LevelArrays) -> Array:
        array = {"pos": arrays.pos, "crd": arrays.crd, **arrays.extra}.get(role)
        label = f"{role} of level {number}"
        if array is None:
            self.refuse(f"it has no {label}", f"an array of {_DTYPES.get(role, self.index)}")
        self.array(label, array, _DTYPES.get(role, self.index))
        return array

    def array(self, label: str, array: object, dtype: str) -> None:
        if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype != np.dtype(dtype):
            found = (
                f"{array.dtype} of {array.ndim} dimensions" if isinstance(array, np.ndarray) else type(array).__name__
            )
            self.refuse(f"{label} is {found}", f"a one-dimensional array of {dtype}")
        if not (array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative):
            self.refuse(f"the elements of {label} do not stand one behind the other in memory", "a contiguous array")

    def length(self, label: str, array: Array, expected: int) -> None:
        if array.size != expected:
            self.refuse(f"{label} has the length {array.size:,}", f"{expected:,}")

    def inside(self, label: str, crd: Array, lower: int, upper: int) -> None:
        if crd.size and (int(crd.min()) < lower or int(crd.max()) >= upper):
            wrong = int(crd[(crd < lower) | (crd >= upper)][0])
            expected = f"coordinates from {lower} to {upper - 1}" if upper > lower else "no coordinates"
            self.refuse(f"crd of {label} holds {wrong}", expected)

    def refuse(self, found: str, expected: str) -> NoReturn:
        raise CompileError(
            Diagnostic(
                code="runtime/malformed-tensor",
                message=f"The arrays of {self.name} are not those of its format: {found}, expected {expected}.",
                location=Location(Part.INPUT, tensor=self.name),
                expected=expected,
                found=found,
                hint="hd.pack and hd.convert make arrays that fit.",
            )
        )
