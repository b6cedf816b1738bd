"""Patterns whose results are views of their array: pieces, windows, hands and ends of it, nothing copied."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heddle.patterns.batched.values import Array, Frame, Rows, Value, array_of, must, numbers_of, rows_of, spread


def _views(rows: Rows, counts: Array, first: Callable[[Array, Array], tuple[Array, Array, Array]]) -> Rows:
    """``counts`` arrays of each array, all views of it. ``first(owner, number)`` says where each begins, how many
    elements it has, and how many of the array's one step of it is."""
    owner, number = spread(counts)
    begin, length, stride = first(owner, number)
    step = rows.step[owner]
    return rows_of(counts, Rows(rows.start[owner] + begin * step, length, step * stride, rows.item))


def pieces(frame: Frame, size: Value, array: Value) -> Value:
    rows, each = array_of(array), numbers_of(size)
    must(each > 0, "pieces without elements")

    def first(owner: Array, number: Array) -> tuple[Array, Array, Array]:
        begin = number * each[owner]
        return begin, np.minimum(each[owner], rows.length[owner] - begin), np.ones_like(begin)

    return _views(rows, -(-rows.length // each), first)


def split(frame: Frame, size: Value, array: Value) -> Value:
    each = numbers_of(size)
    must((each > 0) & (array_of(array).length % np.maximum(each, 1) == 0), "pieces that do not divide")
    return pieces(frame, size, array)


def deal(frame: Frame, hands: Value, array: Value) -> Value:
    rows, count = array_of(array), numbers_of(hands)
    must(count > 0, "no hands")

    def first(owner: Array, number: Array) -> tuple[Array, Array, Array]:
        left = np.maximum(rows.length[owner] - number, 0)
        return number, -(-left // count[owner]), count[owner]

    return _views(rows, np.array(count, np.int64), first)


def slide(frame: Frame, size: Value, step: Value, array: Value) -> Value:
    rows, each, stride = array_of(array), numbers_of(size), numbers_of(step)
    must((each > 0) & (stride > 0), "windows without elements")
    must((rows.length - each) % stride == 0, "windows that do not fit")

    def first(owner: Array, number: Array) -> tuple[Array, Array, Array]:
        return number * stride[owner], each[owner], np.ones_like(number)

    return _views(rows, np.maximum((rows.length - each) // stride + 1, 0), first)


def take(frame: Frame, count: Value, array: Value) -> Value:
    rows, wanted = array_of(array), numbers_of(count)
    must((wanted >= 0) & (wanted <= rows.length), "more elements than there are")
    return Rows(rows.start, np.array(wanted, np.int64), rows.step, rows.item)


def drop(frame: Frame, count: Value, array: Value) -> Value:
    rows, gone = array_of(array), numbers_of(count)
    must((gone >= 0) & (gone <= rows.length), "more elements than there are")
    return Rows(rows.start + gone * rows.step, rows.length - gone, rows.step, rows.item)


def reverse(frame: Frame, array: Value) -> Value:
    rows = array_of(array)
    return Rows(rows.start + (rows.length - 1) * rows.step, rows.length, -rows.step, rows.item)
