"""Parts of tensors: slices, index arrays, masks; other types, and tensors without explicit zeros."""

from __future__ import annotations

from copy import deepcopy
from types import EllipsisType
from typing import Any

import numpy as np

from heddle.counts import repeat
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.fills.dtypes import differing, holds_fill
from heddle.library.arrays.entries import as_tensor, dense_elements, from_elements, from_entries, owned, sparse_entries
from heddle.runtime.storage.device_arrays import moved_levels
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.runtime.tensors.value_types import dtype_name
from heddle.wrong_arguments import type_of


def take(tensor: Tensor, key: object) -> Any:
    """``tensor[key]``: a copy, or a number where every dimension has an integer.

    Raises
    ------
    OperandError
        ``runtime/index``.
    """
    dense = dense_elements(tensor)
    if isinstance(key, Tensor) or (isinstance(key, np.ndarray) and key.dtype == bool and key.ndim > 1):
        return _mask(tensor, key)
    keys = _expand(key, tensor.ndim)
    if dense is not None:
        try:
            element = dense[tuple(keys)]
        except IndexError as error:
            raise _refuse(f"The index does not fit the shape {tensor.shape}: {error}.", "an index", str(key)) from None
        return element if not isinstance(element, np.ndarray) else from_elements(element)
    rows = _row_slice(tensor, keys)
    if rows is not None:
        return rows
    return _select(tensor, keys)


def _expand(key: object, order: int) -> list[Any]:
    """A key for each dimension, and None for each new one."""
    keys = list(key) if isinstance(key, tuple) else [key]
    keys = [_index_array(subscript) if isinstance(subscript, list | range) else subscript for subscript in keys]
    named = sum(subscript is not None and not isinstance(subscript, EllipsisType) for subscript in keys)
    if named > order:
        raise _refuse(f"{named} indices are too many for {order} dimensions.", f"at most {order} indices", str(named))
    dots = [place for place, subscript in enumerate(keys) if isinstance(subscript, EllipsisType)]
    if len(dots) > 1:
        raise _refuse("An index has ... once.", "one ...", str(len(dots)))
    place = dots[0] if dots else len(keys)
    return [*keys[:place], *[slice(None)] * (order - named), *keys[place + len(dots) :]]


def _index_array(subscript: list[Any] | range) -> np.ndarray[Any, Any]:
    """A list of indices; an empty one, of which NumPy makes floats, selects nothing."""
    array = np.asarray(subscript)
    return array if array.size else array.astype(np.intp)


def _row_slice(tensor: Tensor, keys: list[Any]) -> Tensor | None:
    """Rows that follow one another of a matrix in compressed rows, without looking at others; None for anything
    else."""
    levels = tensor.levels
    plain = tensor.format.order == (0, 1) and [level.kind for level in tensor.format.levels] == ["dense", "compressed"]
    if not plain or tensor.resident or len(keys) != 2 or not all(isinstance(key, slice) for key in keys):
        return None
    if keys[1] != slice(None):
        return None
    start, stop, step = keys[0].indices(tensor.shape[0])
    pos, crd = levels[1].pos, levels[1].crd
    if step != 1 or pos is None or crd is None:
        return None
    stop = max(start, stop)
    first, last = int(pos[start]), int(pos[stop])
    part = (LevelArrays(), LevelArrays(pos[start : stop + 1] - pos[start], crd[first:last].copy()))
    shape, owner = (stop - start, tensor.shape[1]), Ownership.RESULT
    values = tensor.vals[first:last].copy()
    return Tensor(shape, tensor.format, tensor.dtype, part, values, tensor.fill, checked=True, ownership=owner)


def _select(tensor: Tensor, keys: list[Any]) -> Any:
    """Of a sparse tensor the entries at the selected coordinates."""
    if sum(isinstance(key, np.ndarray) and key.ndim > 0 for key in keys) > 1:
        return _select_pairs(tensor, keys)
    entries, fill = sparse_entries(tensor)
    columns, values = list(entries.columns), entries.values
    result: list[Any] = []
    shape: list[int] = []
    dimension = 0
    for key in keys:
        if key is None:
            result.append(None)
            shape.append(1)
            continue
        size = tensor.shape[dimension]
        chosen, single = _coordinates(key, size, dimension)
        places, number = _matches(columns[dimension], chosen)
        columns = [column[places] for column in columns]
        result = [None if column is None else column[places] for column in result]
        values = values[places]
        if not single:
            result.append(number)
            shape.append(len(chosen))
        dimension += 1
    if not shape:
        return values[0] if values.size else np.dtype(tensor.dtype).type(fill)
    final = tuple(np.zeros(values.size, np.int64) if column is None else column for column in result)
    same = len(shape) == tensor.ndim and tensor.format.composition is None and not tensor.format.blocks
    return from_entries(tuple(shape), final, values, fill, tensor.format if same else None)


def _select_pairs(tensor: Tensor, keys: list[Any]) -> Tensor:
    """The elements at the coordinates that index arrays name together, as a dense tensor of their shape."""
    if any(key is None or isinstance(key, slice) for key in keys):
        raise _refuse(
            "Several index arrays beside slices select a block of single elements for each pair of indices.",
            "an index array or an integer for each dimension, or one index array beside slices",
            "several index arrays beside slices",
            "Index one dimension after the other: T[rows][:, columns] has all combinations.",
        )
    arrays = [np.flatnonzero(key) if np.asarray(key).dtype == bool else np.asarray(key) for key in keys]
    try:
        paired = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise _refuse(
            f"Index arrays of the shapes {shapes} do not make pairs.", "shapes that broadcast", shapes
        ) from None
    columns = []
    for dimension, (key, array) in enumerate(zip(keys, paired, strict=True)):
        if np.asarray(key).dtype == bool:
            _coordinates(key, tensor.shape[dimension], dimension)
        columns.append(_coordinates(array.reshape(-1), tensor.shape[dimension], dimension)[0])
    return from_elements(_elements_at(tensor, columns).reshape(paired[0].shape))


def _coordinates(key: Any, size: int, dimension: int) -> tuple[Any, bool]:
    """The coordinates that a key selects, in its order, and whether the dimension goes."""
    if isinstance(key, slice):
        return range(*key.indices(size)), False
    array = np.asarray(key)
    if array.dtype == bool and array.ndim == 1:
        if array.size != size:
            raise _refuse(
                f"The mask of dimension {dimension} has {array.size} elements.", f"{size} elements", str(array.size)
            )
        return np.flatnonzero(array), False
    if array.dtype.kind not in "iu" or array.ndim > 1:
        raise _refuse(
            f"{type_of(key)} is not an index.", "integers, slices, ..., None, index arrays or masks", type_of(key)
        )
    numbers = np.where(array < 0, array + size, array).reshape(-1)
    outside = (numbers < 0) | (numbers >= size)
    if outside.any():
        wrong = int(array.reshape(-1)[outside][0])
        raise _refuse(
            f"The index {wrong} lies outside of dimension {dimension}, which has the size {size}.",
            f"indices from {-size} to {size - 1}",
            str(wrong),
        )
    return numbers, array.ndim == 0


def _matches(column: Any, chosen: Any) -> tuple[Any, Any]:
    """The entries whose coordinate is chosen, each as often as it is, and the number of the choice."""
    if isinstance(chosen, range):
        ascending = chosen if chosen.step > 0 else chosen[::-1]
        if not len(ascending):
            return np.empty(0, np.int64), np.empty(0, np.int64)
        offset = column.astype(np.int64) - ascending.start
        held = (offset >= 0) & (column <= ascending[-1]) & (offset % ascending.step == 0)
        places = np.flatnonzero(held)
        number = offset[places] // ascending.step
        return places, number if chosen.step > 0 else len(chosen) - 1 - number
    order = np.argsort(chosen, kind="stable")
    ranked = np.asarray(chosen)[order]
    first, last = np.searchsorted(ranked, column, "left"), np.searchsorted(ranked, column, "right")
    counts = last - first
    places = repeat(np.arange(column.size), counts)
    within = np.arange(counts.sum()) - repeat(np.cumsum(counts) - counts, counts)
    return places, order[repeat(first, counts) + within]


def _mask(tensor: Tensor, mask: Any) -> Tensor:
    """The elements at which a mask of the same shape is true, in C order, as a dense vector."""
    held = as_tensor(mask, "the mask")
    if held.shape != tensor.shape or held.dtype != "bool":
        raise _refuse(
            f"A mask of the shape {held.shape} and type {held.dtype} does not fit.",
            f"truth values of the shape {tensor.shape}",
            f"{held.dtype} values of the shape {held.shape}",
        )
    if held.fill:
        return from_elements(tensor.to_numpy()[held.to_numpy()])
    columns, truths = held.to_coo()
    wanted = [column[truths] for column in columns]
    order = np.lexsort(wanted[::-1]) if wanted else np.arange(int(truths.sum()))
    wanted = [column[order] for column in wanted]
    dense = dense_elements(tensor)
    if dense is not None:
        return from_elements(dense[tuple(wanted)])
    return from_elements(_elements_at(tensor, wanted))


def _elements_at(tensor: Tensor, wanted: list[Any]) -> Any:
    """The elements of a sparse tensor at these coordinates, one array for each dimension."""
    entries, fill = sparse_entries(tensor)
    shape = tensor.shape
    keys, stored_keys = (np.zeros(len(side[0]), np.int64) for side in (wanted, entries.columns))
    for size, left, right in zip(shape, wanted, entries.columns, strict=True):
        keys, stored_keys = keys * size + left, stored_keys * size + right
    by_key = np.argsort(stored_keys)
    place = np.minimum(np.searchsorted(stored_keys[by_key], keys), max(stored_keys.size - 1, 0))
    values = np.full(keys.size, fill, tensor.dtype)
    if stored_keys.size:
        is_stored = stored_keys[by_key][place] == keys
        values[is_stored] = entries.values[by_key][place][is_stored]
    return values


def astype(tensor: object, dtype: Any) -> Tensor:
    """The same elements as another type, converted as NumPy's ``astype`` does.

    Parameters
    ----------
    tensor
        of any shape and dtype; whatever :func:`heddle.pack` takes.
    dtype
        of the result.

    Returns
    -------
    Tensor
        A tensor of the same shape and format, with memory of its own.

    Raises
    ------
    OperandError
        ``runtime/fill`` where the type does not have the fill.
    """
    operand = as_tensor(tensor).on_host()
    name = dtype_name(np.dtype(dtype))
    fill = np.dtype(name).type(operand.fill).item() if holds_fill(name, operand.fill) else operand.fill
    if not holds_fill(name, operand.fill):
        raise _refuse(
            f"{name} has no value for the fill {operand.fill}.", f"a type that has {operand.fill}", name, code="fill"
        )
    if type(operand) is not Tensor:
        entries, _ = sparse_entries(operand)
        return from_entries(operand.shape, entries.columns, entries.values.astype(name), fill, operand.format)
    values, owner = operand.vals.astype(name), Ownership.RESULT
    levels = moved_levels(operand, lambda array: array.copy() if operand.borrowed else array)
    return Tensor(operand.shape, operand.format, name, levels, values, fill, checked=True, ownership=owner)


def copy(tensor: Tensor) -> Tensor:
    """The same tensor with memory of its own."""
    if type(tensor) is not Tensor:
        return deepcopy(tensor)
    return owned(tensor) if tensor.ownership is not Ownership.BORROWED else astype(tensor, tensor.dtype)


def prune(tensor: object) -> Tensor:
    """The tensor without entries that are equal to its fill: the explicit zeros of a sparse result.

    Parameters
    ----------
    tensor
        of any shape and dtype; whatever :func:`heddle.pack` takes.

    Returns
    -------
    Tensor
        A tensor of the same shape, dtype and format with memory of its own. A dense tensor stays as it is.

    Raises
    ------
    OperandError
        as :func:`heddle.pack`.
    """
    operand = as_tensor(tensor)
    if operand.format.is_dense:
        return copy(operand)
    entries, fill = sparse_entries(operand)
    held = differing(entries.values, fill)
    columns = tuple(column[held] for column in entries.columns)
    return from_entries(operand.shape, columns, entries.values[held], fill, operand.format)


def _refuse(message: str, expected: str, actual: str, hint: str | None = None, code: str = "index") -> OperandError:
    return OperandError(
        Diagnostic(f"runtime/{code}", message, Location(Part.INPUT), expected=expected, actual=actual, hint=hint)
    )
