"""Other shapes, types and orders of the same elements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from operator import index
from typing import Any

import numpy as np

from heddle.counts import repeat
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.library.arrays.compressed_lines import join_lines, outer_dimension, relabel_dimensions
from heddle.library.arrays.entries import (
    as_tensor,
    dense_elements,
    from_elements,
    from_entries,
    sparse_entries,
    split_coordinates,
)
from heddle.runtime.tensors.tensor import Tensor
from heddle.wrong_arguments import wrong_argument


def reshape(tensor: object, shape: Sequence[int]) -> Tensor:
    """The elements in C order in another shape, in which one size may be -1.

    Parameters
    ----------
    tensor
        of any shape and dtype; whatever :func:`heddle.pack` takes.
    shape
        with as many elements.

    Returns
    -------
    Tensor
        A tensor of that shape, sparse where the operand is, with memory of its own.

    Raises
    ------
    OperandError
        ``runtime/shape`` where the number of elements differs.
    """
    dense = dense_elements(tensor)
    operand_shape = tuple(as_tensor(tensor).shape) if dense is None else dense.shape
    sizes = _complete(operand_shape, tuple(int(size) for size in shape))
    if dense is not None:
        return from_elements(dense.reshape(sizes))
    entries, fill = sparse_entries(tensor)
    flat = _flat(entries.columns, operand_shape, entries.values.size)
    return from_entries(sizes, split_coordinates(flat, sizes), entries.values, fill)


def _complete(operand_shape: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, ...]:
    count, known = prod(operand_shape), prod(size for size in sizes if size != -1)
    if sizes.count(-1) == 1 and known and count % known == 0:
        return tuple(count // known if size == -1 else size for size in sizes)
    if -1 not in sizes and known == count and all(size >= 0 for size in sizes):
        return sizes
    raise OperandError(
        Diagnostic(
            "runtime/shape",
            f"A tensor of the shape {operand_shape} has {count:,} elements, which do not fit the shape {sizes}.",
            Location(Part.INPUT),
            expected=f"sizes with the product {count:,}",
            actual=str(sizes),
        )
    )


def _flat(columns: tuple[Any, ...], shape: tuple[int, ...], count: int) -> Any:
    """The number of each coordinate in C order."""
    if prod(shape) >= 2**63:
        raise OperandError(
            Diagnostic(
                "runtime/shape",
                f"The shape {shape} has too many elements to be numbered, which a sparse reshape does.",
                Location(Part.INPUT),
                expected="fewer than 2⁶³ elements",
                actual=str(shape),
            )
        )
    flat = np.zeros(count, np.int64)
    for column, size in zip(columns, shape, strict=True):
        flat = flat * size + column
    return flat


def transpose(tensor: object, axes: Sequence[int] | None = None) -> Tensor:
    """The dimensions in another order, reversed where none is named.

    Parameters
    ----------
    tensor
        of any shape and dtype; whatever :func:`heddle.pack` takes.
    axes
        every dimension once.

    Returns
    -------
    Tensor
        A tensor with its own memory; of a sparse one the same entries, stored as before in the new order of dimensions:
        the transpose of rows are columns.

    Raises
    ------
    OperandError
        ``runtime/axis``.
    """
    stored = as_tensor(tensor)
    order = tuple(reversed(range(stored.ndim))) if axes is None else tuple(normal_axes(axes, stored.ndim))
    if len(order) != stored.ndim:
        raise _axis_error(order, stored.ndim)
    dense = dense_elements(stored)
    if dense is not None:
        return from_elements(dense.transpose(order))
    shape = tuple(stored.shape[axis] for axis in order)
    layout: Format | None = None
    if stored.format.composition is None and len(stored.format.levels) == stored.ndim:
        layout = Format(stored.format.levels, tuple(order.index(dimension) for dimension in stored.format.order))
        layout = None if format_text(layout).startswith("coo-perm") else layout
    if layout is not None and outer_dimension(stored) is not None:
        return relabel_dimensions(stored, shape, layout)
    entries, fill = sparse_entries(stored)
    columns = tuple(entries.columns[axis] for axis in order)
    return from_entries(shape, columns, entries.values, fill, layout)


def broadcast_to(tensor: object, shape: Sequence[int]) -> Tensor:
    """The elements repeated along dimensions of size 1 and new ones in front.

    Parameters
    ----------
    tensor
        of any shape and dtype; whatever :func:`heddle.pack` takes.
    shape
        that NumPy broadcasts the tensor's to.

    Returns
    -------
    Tensor
        A tensor of that shape, sparse where the operand is, with memory of its own.

    Raises
    ------
    OperandError
        ``runtime/shape``.
    """
    sizes = tuple(int(size) for size in shape)
    dense = dense_elements(tensor)
    operand_shape = tuple(as_tensor(tensor).shape) if dense is None else dense.shape
    inner = sizes[len(sizes) - len(operand_shape) :] if len(operand_shape) <= len(sizes) else ()
    if len(operand_shape) > len(sizes) or any(
        size not in (1, whole) for size, whole in zip(operand_shape, inner, strict=True)
    ):
        raise OperandError(
            Diagnostic(
                "runtime/shape",
                f"A tensor of the shape {operand_shape} cannot be repeated to the shape {sizes}.",
                Location(Part.INPUT),
                expected="equal sizes, or 1, from the last dimension on",
                actual=str(sizes),
            )
        )
    if dense is not None:
        return from_elements(np.broadcast_to(dense, sizes))
    entries, fill = sparse_entries(tensor)
    columns, values = list(entries.columns), entries.values
    for dimension, (size, whole) in enumerate(zip(operand_shape, inner, strict=True)):
        if size != whole:
            columns, values = _repeated(columns, values, whole, dimension)
    for whole in reversed(sizes[: len(sizes) - len(operand_shape)]):
        columns.insert(0, np.zeros(values.size, np.int64))
        columns, values = _repeated(columns, values, whole, 0)
    return from_entries(sizes, tuple(columns), values, fill)


def _repeated(columns: list[Any], values: Any, count: int, dimension: int) -> tuple[list[Any], Any]:
    repeated = [repeat(column, count) for column in columns]
    repeated[dimension] = np.tile(np.arange(count), values.size)
    return repeated, repeat(values, count)


def concatenate(tensors: Sequence[object], axis: int = 0) -> Tensor:
    """The tensors one after the other along a dimension.

    Parameters
    ----------
    tensors
        of the same shape but for this dimension; sparse and dense ones.
    axis
        the dimension.

    Returns
    -------
    Tensor
        A tensor with memory of its own, dense where all are, else sparse.

    Raises
    ------
    OperandError
        ``runtime/shape``, ``runtime/axis``; ``runtime/fill`` where fills differ.
    """
    parts = [as_tensor(tensor) for tensor in tensors]
    shapes = [part.shape for part in parts]
    if not parts:
        raise _join_error("nothing", "at least one tensor")
    (axis,) = normal_axes((axis,), parts[0].ndim)
    others = {(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}
    if len(others) > 1 or len({len(shape) for shape in shapes}) > 1:
        raise _join_error(" and ".join(map(str, shapes)), f"the same sizes but for dimension {axis}")
    if all(part.format.is_dense for part in parts):
        return from_elements(np.concatenate([part.to_numpy() for part in parts], axis))
    joined = join_lines(parts, axis) if len({part.fill for part in parts}) == 1 else None
    if joined is not None:
        return joined
    pairs = [sparse_entries(part) for part in parts]
    fills = [fill for part, (_, fill) in zip(parts, pairs, strict=True) if not part.format.is_dense]
    fill = fills[0]
    columns: list[list[Any]] = [[] for _ in shapes[0]]
    values, start = [], 0
    for part, (entries, part_fill) in zip(parts, pairs, strict=True):
        if not part.format.is_dense and part_fill != fill and not (part_fill != part_fill and fill != fill):
            raise _join_error(f"the fills {fill} and {part_fill}", "one fill")
        held = np.ones(entries.values.size, bool) if not part.format.is_dense else entries.values != fill
        for dimension, column in enumerate(entries.columns):
            columns[dimension].append(column[held] + (start if dimension == axis else 0))
        values.append(entries.values[held])
        start += part.shape[axis]
    shape = (*shapes[0][:axis], start, *shapes[0][axis + 1 :])
    return from_entries(shape, tuple(map(np.concatenate, columns)), np.concatenate(values), fill)


def stack(tensors: Sequence[object], axis: int = 0) -> Tensor:
    """The tensors next to each other along a new dimension.

    Parameters
    ----------
    tensors
        of the same shape, sparse and dense ones.
    axis
        where the new dimension is in the result.

    Returns
    -------
    Tensor
        A tensor as of :func:`concatenate`.

    Raises
    ------
    OperandError
        as :func:`concatenate`.
    """
    parts = [as_tensor(tensor) for tensor in tensors]
    if len({part.shape for part in parts}) != 1:
        raise _join_error(" and ".join(str(part.shape) for part in parts) or "nothing", "tensors of the same shape")
    (axis,) = normal_axes((axis,), parts[0].ndim + 1)
    return concatenate([reshape(part, (*part.shape[:axis], 1, *part.shape[axis:])) for part in parts], axis)


def normal_axes(axes: Sequence[int], order: int) -> list[int]:
    """Axes counted from the front.

    Raises
    ------
    OperandError
        ``runtime/axis`` for one that does not exist, or is named twice.
    """
    try:
        numbers = [index(axis) for axis in axes]
    except TypeError:
        raise wrong_argument("the axis", "a whole number, or several", _first_wrong(axes)) from None
    normal = [axis + order if axis < 0 else axis for axis in numbers]
    if len(set(normal)) < len(normal) or any(not 0 <= axis < order for axis in normal):
        raise _axis_error(tuple(axes), order)
    return normal


def _first_wrong(axes: object) -> object:
    """The first that is no number; all of them where they are none."""
    if not isinstance(axes, Iterable):
        return axes
    return next((axis for axis in axes if not hasattr(axis, "__index__")), axes)


def _axis_error(axes: tuple[int, ...], order: int) -> OperandError:
    dimensions = f"{order} dimension{'' if order == 1 else 's'}"
    actual = ", ".join(map(str, axes)) or "none"
    return OperandError(
        Diagnostic(
            "runtime/axis",
            f"The axes {actual} are not those of a tensor of {dimensions}.",
            Location(Part.INPUT),
            expected=f"numbers from {-order} to {order - 1}, each once",
            actual=actual,
        )
    )


def _join_error(actual: str, expected: str) -> OperandError:
    return OperandError(
        Diagnostic(
            "runtime/shape",
            f"These tensors cannot be joined: expected {expected}, found {actual}.",
            Location(Part.INPUT),
            expected=expected,
            actual=actual,
        )
    )
