"""The patterns on all points of a frame at once. Those that only look at an array in another way are in views.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heddle.counts import bincount, repeat
from heddle.patterns.batched import views
from heddle.patterns.batched.operators import reduce
from heddle.patterns.batched.values import (
    Array,
    Frame,
    Function,
    Rows,
    TooLargeError,
    Value,
    array_of,
    compact,
    concatenate,
    elements,
    lift,
    must,
    numbers_of,
    offsets_of,
    pack,
    rows_of,
    size_of,
    spread,
    take_points,
)
from heddle.patterns.list_functions import MeaninglessError, UntoldError

MOST_STEPS = 1 << 15
"""That a sum by a function of its own may take."""


def call(function: Value, frame: Frame, value: Value) -> Value:
    if not isinstance(function, Function):
        raise MeaninglessError("no function")
    return function.apply(frame, value)


def _evaluate(frame: Frame, inner: Value, owner: Array, function: Callable[[Frame, Value], Value]) -> Value:
    """``function`` of the points ``inner``, which lie in the points ``owner`` of ``frame``: in halves where all of
    them are too many."""
    try:
        return function(Frame(len(owner), frame, owner), inner)
    except TooLargeError:
        if len(owner) < 2:
            raise
    half = len(owner) // 2
    parts = [np.arange(half), np.arange(half, len(owner))]
    return concatenate([compact(_evaluate(frame, take_points(inner, part), owner[part], function)) for part in parts])


def _map(frame: Frame, function: Value, array: Value) -> Value:
    rows = array_of(array)
    values, owner, _ = elements(rows)
    return rows_of(rows.length, _evaluate(frame, values, owner, lambda inner, element: call(function, inner, element)))


def _mapi(frame: Frame, function: Value, array: Value) -> Value:
    rows = array_of(array)
    values, owner, place = elements(rows)

    def both(inner: Frame, pair: Value) -> Value:
        assert isinstance(pair, tuple)
        return call(call(function, inner, pair[0]), inner, pair[1])

    return rows_of(rows.length, _evaluate(frame, (place, values), owner, both))


def _steps(frame: Frame, function: Value, start: Value, rows: Rows) -> Any:
    """The points that go on at each step with what they have then, and those that end before it."""
    left, held = np.arange(frame.size), start
    most = int(rows.length.max(initial=0))
    if most > MOST_STEPS:
        raise TooLargeError(f"{most:,} steps")
    inner = Frame(frame.size, frame, left)
    for number in range(most + 1):
        going = rows.length[left] > number
        if not going.all():
            yield number, left[~going], compact(take_points(held, np.flatnonzero(~going))), True
            left, held = left[going], take_points(held, np.flatnonzero(going))
            inner = Frame(len(left), frame, left)
        if not left.size:
            return
        element = take_points(rows.item, rows.start[left] + number * rows.step[left])
        held = call(call(function, inner, held), inner, element)
        yield number, left, held, False


def _reduce(frame: Frame, function: Value, start: Value, array: Value) -> Value:
    rows = array_of(array)
    if isinstance(function, Function) and function.operator is not None:
        total = reduce(function.operator, start, rows)
        if total is not None:
            return total
    ended = [(points, held) for _, points, held, last in _steps(frame, function, start, rows) if last]
    return _in_order(ended) if ended else start


def _in_order(parts: list[tuple[Array, Value]]) -> Value:
    """The parts by their points."""
    points = np.concatenate([part_points for part_points, _ in parts])
    return take_points(concatenate([held for _, held in parts]), np.argsort(points, kind="stable"))


def _scan(frame: Frame, function: Value, start: Value, array: Value) -> Value:
    rows = array_of(array)
    before = offsets_of(rows.length)[:-1]
    states = [
        (before[points] + number, compact(held))
        for number, points, held, last in _steps(frame, function, start, rows)
        if not last
    ]
    return rows_of(rows.length, _in_order(states) if states else take_points(start, np.empty(0, np.int64)))


def _zip(frame: Frame, left: Value, right: Value) -> Value:
    array, other = array_of(left), array_of(right)
    must(array.length == other.length, "zip of arrays of different lengths")
    alike = size_of(array.item) == size_of(other.item)
    if alike and np.array_equal(array.start, other.start) and np.array_equal(array.step, other.step):
        return Rows(array.start, array.length, array.step, (array.item, other.item))
    return rows_of(array.length, (elements(array)[0], elements(other)[0]))


def _unzip(frame: Frame, array: Value) -> Value:
    rows = array_of(array)
    if not isinstance(rows.item, tuple):
        raise MeaninglessError("no array of pairs")
    first, second = rows.item
    return (
        Rows(rows.start, rows.length, rows.step, first),
        Rows(rows.start, rows.length, rows.step, second),
    )


def _join(frame: Frame, array: Value) -> Value:
    outer = pack(array_of(array))
    if not isinstance(outer.item, Rows):
        raise MeaninglessError("no array of arrays")
    inner = pack(outer.item)
    before = offsets_of(inner.length)
    ends = offsets_of(outer.length)
    lengths = before[ends[1:]] - before[ends[:-1]]
    return rows_of(lengths, inner.item)


def _transpose(frame: Frame, array: Value) -> Value:
    outer = pack(array_of(array))
    if not isinstance(outer.item, Rows):
        raise MeaninglessError("no array of arrays")
    if (outer.length == 0).any():
        raise UntoldError("no row tells how many columns there are")
    inner, begin = outer.item, outer.start
    columns = inner.length[begin]
    must(inner.length == repeat(columns, outer.length), "rows of different lengths")
    owner, column = spread(columns)
    each, row = spread(outer.length[owner])
    source = begin[owner][each] + row
    return rows_of(
        columns,
        rows_of(outer.length[owner], take_points(inner.item, inner.start[source] + column[each] * inner.step[source])),
    )


def _concat(frame: Frame, left: Value, right: Value) -> Value:
    front, other = pack(array_of(left)), pack(array_of(right))
    lengths = front.length + other.length
    owner, place = spread(lengths)
    behind = place >= front.length[owner]
    at = np.where(
        behind,
        int(front.length.sum()) + other.start[owner] + place - front.length[owner],
        front.start[owner] + place,
    )
    return rows_of(lengths, take_points(concatenate([front.item, other.item]), at))


def _gather(frame: Frame, indices: Value, array: Value) -> Value:
    rows, wanted = array_of(array), array_of(indices)
    places, owner, _ = elements(wanted)
    return rows_of(wanted.length, element(take_points(rows, owner), places))


def element(array: Value, place: Value) -> Value:
    """The element at ``place`` of the array of each point."""
    rows, at = array_of(array), numbers_of(place)
    wrong = np.flatnonzero((at < 0) | (at >= rows.length))
    if wrong.size:
        raise MeaninglessError(f"position {at[wrong[0]]} of {rows.length[wrong[0]]}")
    return take_points(rows.item, rows.start + at * rows.step)


def _scatter(frame: Frame, indices: Value, array: Value) -> Value:
    rows, wanted = pack(array_of(array)), array_of(indices)
    places, owner, _ = elements(wanted)
    places = numbers_of(places)
    must(wanted.length == rows.length, "no permutation")
    must((places >= 0) & (places < rows.length[owner]), "no permutation")
    target = rows.start[owner] + places
    must(bincount(target, minlength=len(target)) == 1, "no permutation")
    return rows_of(rows.length, take_points(rows.item, np.argsort(target, kind="stable")))


def _pad(frame: Frame, left: Value, right: Value, mode: Value, array: Value) -> Value:
    rows, before = pack(array_of(array)), numbers_of(left)
    lengths = rows.length + before + numbers_of(right)
    owner, place = spread(lengths)
    place, size = place - before[owner], rows.length[owner]
    if isinstance(mode, str) and mode == "wrap":
        must(size > 0, "nothing is wrapped")
        return rows_of(lengths, take_points(rows.item, rows.start[owner] + place % np.maximum(size, 1)))
    if isinstance(mode, str) and mode == "clamp":
        filler: Value = np.zeros(len(owner))
        outside = size == 0
        place = np.clip(place, 0, np.maximum(size - 1, 0))
    else:
        filler, outside = take_points(mode, owner), (place < 0) | (place >= size)
    source = np.where(outside, 0, rows.start[owner] + place)
    total = int(rows.length.sum())
    if not outside.any():
        return rows_of(lengths, take_points(rows.item, source))
    merged = concatenate([rows.item, filler])
    return rows_of(lengths, take_points(merged, np.where(outside, total + np.arange(len(owner)), source)))


def _iota(frame: Frame, count: Value) -> Value:
    lengths = np.array(numbers_of(count), np.int64)
    return rows_of(lengths, spread(lengths)[1])


def _generate(frame: Frame, count: Value, function: Value) -> Value:
    return _map(frame, function, _iota(frame, count))


def _zeros(frame: Frame, count: Value) -> Value:
    lengths = np.array(numbers_of(count), np.int64)
    return rows_of(lengths, np.zeros(int(lengths.sum())))


def _iterate(frame: Frame, count: Value, function: Value, value: Value) -> Value:
    times = np.unique(numbers_of(count))
    if len(times) > 1:
        raise MeaninglessError("iterate takes one number of rounds")
    for _ in range(int(times[0]) if len(times) else 0):
        value = call(function, frame, value)
    return value


_MAPS = (
    *("map", "mapSeq", "mapUnroll", "mapPar", "mapVec", "mapGlobal", "mapGlb"),
    *("mapWorkgroup", "mapWrg", "mapLocal", "mapLcl", "mapWarp", "mapLane"),
)
_ARITY: dict[str, tuple[int, Callable[..., Value]]] = {
    **dict.fromkeys(_MAPS, (2, _map)),
    "mapi": (2, _mapi),
    **dict.fromkeys(("reduce", "reduceSeq", "reduceUnroll"), (3, _reduce)),
    "scan": (3, _scan),
    "zip": (2, _zip),
    "unzip": (1, _unzip),
    "split": (2, views.split),
    "splitUp": (2, views.pieces),
    "deal": (2, views.deal),
    "join": (1, _join),
    "transpose": (1, _transpose),
    "concat": (2, _concat),
    "take": (2, views.take),
    "drop": (2, views.drop),
    "reverse": (1, views.reverse),
    "gather": (2, _gather),
    "scatter": (2, _scatter),
    "slide": (3, views.slide),
    "pad": (4, _pad),
    "iota": (1, _iota),
    "generate": (2, _generate),
    "zeros": (1, _zeros),
    "iterate": (3, _iterate),
    **dict.fromkeys(("toGlobal", "toLocal", "toPrivate", "toNat"), (1, lambda frame, value: value)),
}


def pattern(name: str) -> Function | None:
    """The pattern ``name`` as a function that takes its arguments one at a time; each in a frame that lies in those of
    the arguments before."""
    known = _ARITY.get(name)
    if known is None:
        return None
    count, function = known

    def take(operands: tuple[tuple[Frame, Value], ...]) -> Function:
        def apply(frame: Frame, value: Value) -> Value:
            if len(operands) + 1 < count:
                return take((*operands, (frame, value)))
            return function(frame, *(lift(operand, operand_frame, frame) for operand_frame, operand in operands), value)

        return Function(apply)

    return take(())
