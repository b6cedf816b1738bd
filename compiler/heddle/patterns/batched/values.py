"""Values of many points at once. A frame is the points at which a term is evaluated together: the rows of a matrix, or
the entries of all rows. A number is a NumPy array with an element for each point, a pair a tuple."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import repeat
from heddle.patterns.list_functions import MeaninglessError

Array = NDArray[Any]

MOST_POINTS = 1 << 24
"""Of one frame: an array of it then has 128 MiB."""


class TooLargeError(ValueError):
    """A frame would have more than :data:`MOST_POINTS` points, or a sum more than so many steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """``size`` points; point p lies in the point ``index[p]`` of the ``parent``."""

    size: int
    parent: Frame | None = None
    index: Array | None = None
    known: dict[int, Array] = field(default_factory=dict)

    def inside(self, ancestor: Frame) -> Array:
        """For each point, the point of ``ancestor`` that it lies in."""
        points = self.known.get(id(ancestor))
        if points is None:
            assert self.parent is not None
            assert self.index is not None
            points = self.index if self.parent is ancestor else self.parent.inside(ancestor)[self.index]
            self.known[id(ancestor)] = points
        return points


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """An array for each point: its element t is ``item`` at ``start + t * step``. ``item`` is a value of points of its
    own, which several arrays may share."""

    start: Array
    length: Array
    step: Array
    item: Value


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """``apply`` takes the frame of the argument and the argument; ``operator`` is its name where it is one."""

    apply: Callable[[Frame, Value], Value]
    operator: str | None = None


Value = Array | Rows | tuple["Value", "Value"] | Function | str


def rows_of(lengths: Array, item: Value) -> Rows:
    """Arrays of these lengths that lie behind one another."""
    return Rows(offsets_of(lengths)[:-1], lengths, np.broadcast_to(np.int64(1), lengths.shape), item)


def offsets_of(lengths: Array) -> Array:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))


def take_points(value: Value, index: Array) -> Value:
    """``value`` at the points ``index``."""
    match value:
        case np.ndarray():
            return value[index]
        case Rows(start=start, length=length, step=step, item=item):
            return Rows(start[index], length[index], step[index], item)
        case (first, second):
            return take_points(first, index), take_points(second, index)
        case _:
            return value


def lift(value: Value, frame: Frame, to: Frame) -> Value:
    """``value`` of ``frame`` at the points of ``to``, which lie in it."""
    return value if to is frame or isinstance(value, Function | str) else take_points(value, to.inside(frame))


def size_of(value: Value) -> int:
    match value:
        case np.ndarray():
            return len(value)
        case Rows(length=length):
            return len(length)
        case (first, _):
            return size_of(first)
        case _:
            raise MeaninglessError("a function is no element")


def spread(lengths: Array, *, bounded: bool = True) -> tuple[Array, Array]:
    """For each element of arrays of these lengths: the array, and the place in it."""
    total = int(lengths.sum())
    if bounded and total > MOST_POINTS:
        raise TooLargeError(f"{total:,} points")
    owner = repeat(np.arange(len(lengths)), lengths)
    return owner, np.arange(total) - repeat(offsets_of(lengths)[:-1], lengths)


def elements(rows: Rows, *, bounded: bool = True) -> tuple[Value, Array, Array]:
    """All elements of all arrays, one after the other, with the array and the place of each. What was computed in
    parts may have more of them than are computed with at once: it is not ``bounded``."""
    owner, place = spread(rows.length, bounded=bounded)
    if (
        size_of(rows.item) == len(owner)
        and bool((rows.step == 1).all())
        and np.array_equal(rows.start, offsets_of(rows.length)[:-1])
    ):
        return rows.item, owner, place
    return take_points(rows.item, rows.start[owner] + place * rows.step[owner]), owner, place


def pack(rows: Rows) -> Rows:
    """The same arrays behind one another, with no other elements."""
    return rows_of(rows.length, elements(rows)[0])


def compact(value: Value) -> Value:
    """``value`` without elements that no array in it has."""
    match value:
        case Rows():
            item, _, _ = elements(value, bounded=False)
            return rows_of(value.length, compact(item))
        case (first, second):
            return compact(first), compact(second)
        case _:
            return value


def concatenate(parts: Sequence[Value]) -> Value:
    """The points of all parts, one part behind the other."""
    first = parts[0]
    if len(parts) == 1:
        return first
    match first:
        case np.ndarray():
            return np.concatenate([part for part in parts if isinstance(part, np.ndarray)])
        case Rows():
            rows = [part for part in parts if isinstance(part, Rows)]
            before = offsets_of(np.array([size_of(row.item) for row in rows]))
            return Rows(
                np.concatenate([row.start + shift for row, shift in zip(rows, before, strict=False)]),
                np.concatenate([row.length for row in rows]),
                np.concatenate([row.step for row in rows]),
                concatenate([row.item for row in rows]),
            )
        case (_, _):
            pairs = [part for part in parts if isinstance(part, tuple)]
            return concatenate([first for first, _ in pairs]), concatenate([other for _, other in pairs])
        case _:
            raise MeaninglessError("functions are not data")


def flat(value: Value) -> Array:
    """The numbers of ``value``, the rows behind one another."""
    match value:
        case np.ndarray():
            return value
        case Rows():
            return flat(elements(value, bounded=False)[0])
        case _:
            raise MeaninglessError("a result is one array of numbers")


def array_of(value: Value) -> Rows:
    if not isinstance(value, Rows):
        raise MeaninglessError("no array")
    return value


def numbers_of(value: Value) -> Array:
    if not isinstance(value, np.ndarray):
        raise MeaninglessError("no number")
    return value


def must(holds: Array, message: str) -> None:
    if not holds.all():
        raise MeaninglessError(message)
