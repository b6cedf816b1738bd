"""Sums, extrema and means of tensors over axes, as kernels of index notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import numpy as np

from heddle.counts import bincount, reduceat, repeat
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.library.arrays.entries import as_tensor, from_elements, sparse_entries
from heddle.library.arrays.shapes import normal_axes, reshape
from heddle.library.arrays.stored_values import astype
from heddle.library.einsum.evaluate import evaluate
from heddle.runtime.tensors.tensor import Tensor
from heddle.wrong_arguments import wrong_argument

REDUCTIONS = ("sum", "prod", "min", "max", "any", "all")
Axes = int | Sequence[int] | None


def reduce(function: str, tensor: object, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """The elements along some axes combined by one of ``REDUCTIONS`` or their mean; what is not stored counts as its
    fill. Sums and products of integers and truth values are of 64 bits, as NumPy's.

    Raises
    ------
    OperandError
        ``runtime/axis``; ``runtime/empty`` for the extremum of nothing.
    """
    operand = as_tensor(tensor)
    axes = _axes(axis, operand.ndim)
    count = prod(operand.shape[number] for number in axes)
    kind = np.dtype(operand.dtype).kind
    if function in ("min", "max") and not count:
        raise _empty(function, operand.shape)
    if function == "mean":
        total = reduce("sum", operand if kind in "fc" else astype(operand, "float64"), axis, keepdims)
        return evaluate(f"{_all('m', total.ndim)} = {_all('s', total.ndim)} / n", s=total, n=float(count))
    if function in ("sum", "prod") and kind in "biu":
        operand = astype(operand, "uint64" if kind == "u" else "int64")
    if function in ("any", "all") and kind != "b":
        operand = evaluate(f"{_all('b', operand.ndim)} = {_all('A', operand.ndim)} != 0", A=operand)
    left = ",".join(f"i{number}" for number in range(operand.ndim) if number not in axes)
    text = _all("A", operand.ndim)
    for number in reversed(axes):
        text = f"{function}(i{number}, {text})"
    result = evaluate(f"R({left}) = {text}" if left else f"R = {text}", A=operand)
    if not keepdims:
        return result
    return reshape(result, tuple(1 if number in axes else size for number, size in enumerate(operand.shape)))


def arg_extremum(function: str, tensor: object, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The first coordinate at which the ``min`` or ``max`` along an axis lies; without an axis its number in C order.
    With ``keepdims`` the axes that go stay with the size 1.

    Raises
    ------
    OperandError
        ``runtime/axis``, ``runtime/empty``.
    """
    operand = as_tensor(tensor)
    if keepdims:
        axes = _axes(axis, operand.ndim)
        extrema = arg_extremum(function, operand, axis)
        return reshape(extrema, tuple(1 if number in axes else size for number, size in enumerate(operand.shape)))
    if np.dtype(operand.dtype).kind == "c":
        raise _complex(f"arg{function}", operand.dtype)
    if axis is None:
        if not operand.size:
            raise _empty(f"arg{function}", operand.shape)
        return arg_extremum(function, reshape(operand, (-1,)) if operand.ndim != 1 else operand, 0)
    (axis,) = normal_axes((axis,), operand.ndim)
    size = operand.shape[axis]
    if not size:
        raise _empty(f"arg{function}", operand.shape)
    if operand.format.is_dense:
        elements = operand.to_numpy()
        return from_elements(np.asarray(elements.argmax(axis) if function == "max" else elements.argmin(axis)))
    entries, fill = sparse_entries(operand)
    others = [number for number in range(operand.ndim) if number != axis]
    shape = tuple(operand.shape[number] for number in others)
    groups = np.zeros(entries.values.size, np.int64)
    for number in others:
        groups = groups * operand.shape[number] + entries.columns[number]
    return from_elements(_first(function, groups, entries.columns[axis], entries.values, fill, size, shape))


def _first(function: str, groups: Any, places: Any, values: Any, fill: Any, size: int, shape: tuple[int, ...]) -> Any:
    """Of each group of entries the place of the extremum, where places without an entry hold the fill. NaN is the
    extremum, as in NumPy."""
    positions = np.zeros(prod(shape), np.int64)
    order = np.lexsort((places, groups))
    groups, places, values = groups[order], places[order].astype(np.int64), values[order]
    if not groups.size:
        return positions.reshape(shape)
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    counts = np.diff(np.append(starts, groups.size))
    within = np.arange(groups.size) - repeat(starts, counts)
    gap = reduceat(np.minimum, np.where(places != within, within, size), starts)
    gap = np.minimum(gap, np.where(counts < size, counts, size))
    best = reduceat(np.maximum if function == "max" else np.minimum, values, starts)
    # NaN is no value, not even of itself; where it is the extremum, its first place counts.
    held = (values == repeat(best, counts)) | (values != values)
    at = reduceat(np.minimum, np.where(held, places, size), starts)
    absent = np.dtype(values.dtype).type(fill)
    better = (best > absent) if function == "max" else (best < absent)
    stored = better | (best != best) | (counts == size) | ((best == absent) & (at < gap))
    positions[groups[starts]] = np.where(stored, at, gap)
    return positions.reshape(shape)


def topk(tensor: object, k: int, axis: int = -1) -> tuple[Tensor, Tensor]:
    """The ``k`` largest elements along an axis in descending order, and their coordinates there. Elements that are not
    stored count as their fill.

    Parameters
    ----------
    tensor
        of any shape and real dtype; whatever :func:`heddle.pack` takes.
    k
        at most the size of the axis.
    axis
        along which elements are compared.

    Returns
    -------
    tuple[Tensor, Tensor]
        Two dense tensors of the shape of the operand, with ``k`` in place of the size of the axis: values of its dtype,
        and int64 coordinates.

    Raises
    ------
    OperandError
        ``runtime/axis``, ``runtime/empty`` where the axis has fewer elements; ``runtime/argument`` where ``k`` is
        negative or not whole.
    """
    operand = as_tensor(tensor)
    (axis,) = normal_axes((axis,), operand.ndim)
    if not isinstance(k, int | np.integer) or isinstance(k, bool) or k < 0:
        raise wrong_argument("k", "a whole number from 0 to the size of the axis", k)
    if k > operand.shape[axis]:
        raise _empty(f"topk of {k}", operand.shape)
    size = operand.shape[axis]
    others = [number for number in range(operand.ndim) if number != axis]
    shape = tuple(operand.shape[number] for number in others)
    entries, fill = sparse_entries(operand)
    groups = np.zeros(entries.values.size, np.int64)
    for number in others:
        groups = groups * operand.shape[number] + entries.columns[number]
    places, values = entries.columns[axis].astype(np.int64), entries.values
    absent_groups, absent = _absent(groups, places, prod(shape), size, k)
    groups, places = np.append(groups, absent_groups), np.append(places, absent)
    values = np.append(values, np.full(absent.size, fill, values.dtype))
    _, ranks = np.unique(values, return_inverse=True)  # so that unsigned numbers can be turned round
    order = np.lexsort((places, -ranks, groups))
    starts = np.searchsorted(groups[order], np.arange(prod(shape)))
    chosen = order[(starts[:, None] + np.arange(k)).reshape(-1)]
    moved = (np.moveaxis(array[chosen].reshape((*shape, k)), -1, axis) for array in (values, places))
    first, second = (from_elements(array) for array in moved)
    return first, second


def _absent(groups: Any, places: Any, rows: int, size: int, k: int) -> tuple[Any, Any]:
    """At least the first ``k`` coordinates of each row that hold no entry, or all of them."""
    counts = np.minimum(bincount(groups, minlength=rows) + k, size)
    row = repeat(np.arange(rows), counts)
    candidates = np.arange(counts.sum()) - repeat(np.cumsum(counts) - counts, counts)
    free = ~np.isin(row * size + candidates, groups * size + places)
    return row[free], candidates[free]


def _axes(axis: Axes, order: int) -> list[int]:
    if axis is None:
        return list(range(order))
    named: Any = axis
    several = isinstance(named, Iterable) and not isinstance(named, str)
    return sorted(normal_axes(tuple(named) if several else (named,), order))


def _all(name: str, order: int) -> str:
    return f"{name}({','.join(f'i{number}' for number in range(order))})" if order else name


def _empty(what: str, shape: tuple[int, ...]) -> OperandError:
    return OperandError(
        Diagnostic(
            "runtime/empty",
            f"There are too few elements for the {what} of a tensor of the shape {shape}.",
            Location(Part.INPUT),
            expected="enough elements along the axis",
            actual=str(shape),
        )
    )


def _complex(what: str, dtype: str) -> OperandError:
    return OperandError(
        Diagnostic(
            "runtime/dtype-mismatch",
            f"{what} compares real numbers, and the tensor has values of type {dtype}.",
            Location(Part.INPUT),
            expected="real values",
            actual=dtype,
            hint=f"Take magnitudes first: abs(A).{what}().",
        )
    )
