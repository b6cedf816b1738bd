"""Parts of tensors: slices, index arrays, masks."""

from __future__ import annotations

from math import prod
from types import EllipsisType
from typing import Any

import numpy as np

from heddle.counts import repeat
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.fills.fill import Fill
from heddle.library.arrays.compressed_lines import (
    entries_of_lines,
    narrow_lines,
    outer_dimension,
    take_lines,
)
from heddle.library.arrays.entries import (
    as_tensor,
    dense_elements,
    from_elements,
    from_entries,
    sparse_entries,
    split_coordinates,
)
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import Tensor
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
    lines = _lines(tensor, keys)
    return _select(tensor, keys) if lines is None else lines


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


def _lines(tensor: Tensor, keys: list[Any]) -> Tensor | None:
    """Rows of a matrix in compressed rows, or columns of one in compressed columns, whole or a range of each; None for
    anything else."""
    outer = outer_dimension(tensor)
    if outer is None or len(keys) != 2 or not isinstance(keys[1 - outer], slice) or keys[outer] is None:
        return None
    start, stop, step = keys[1 - outer].indices(tensor.shape[1 - outer])
    if step != 1 or (not isinstance(keys[outer], slice) and np.ndim(keys[outer]) != 1):
        return None
    chosen, _ = _coordinates(keys[outer], tensor.shape[outer], outer)
    lines = tensor if isinstance(keys[outer], slice) and keys[outer] == slice(None) else take_lines(tensor, chosen)
    whole = keys[1 - outer] == slice(None)
    return lines if lines is None or (whole and lines is not tensor) else narrow_lines(lines, start, max(start, stop))


class _Selection:
    """Entries that were selected so far: their coordinates in the tensor, their numbers along each dimension of the
    result (None: 0 of a new one), and which tuple of the index arrays each belongs to."""

    def __init__(self, entries: Entries) -> None:
        self.columns: list[Any] = list(entries.columns)
        self.values = entries.values
        self.numbers: list[Any] = []
        self.tuples: Any = None

    def keep(self, places: Any) -> None:
        """The entries at these places, each as often as it is named."""
        self.columns = [column[places] for column in self.columns]
        self.numbers = [None if numbers is None else numbers[places] for numbers in self.numbers]
        self.values = self.values[places]
        self.tuples = None if self.tuples is None else self.tuples[places]


def _select(tensor: Tensor, keys: list[Any]) -> Any:
    """Of a sparse tensor the entries at the selected coordinates. As in NumPy, index arrays select together: their
    dimensions stand where the first of them stood, or in front where slices separate them or an integer from them."""
    arrays = [place for place, key in enumerate(keys) if _is_array(key)]
    if len(arrays) > 1 and not any(key is None or isinstance(key, slice) for key in keys):
        return _select_pairs(tensor, keys)
    tuples, block = _broadcast_arrays(tensor, keys)
    entries, fill = _nearby_entries(tensor, keys)
    selection, shape, block_axis = _Selection(entries), [], 0
    dimension = 0
    for key in keys:
        if key is None:
            selection.numbers.append(None)
            shape.append(1)
            continue
        column = selection.columns[dimension]
        if not _is_array(key):
            chosen, single = _coordinates(key, tensor.shape[dimension], dimension)
            places, numbers = _matches(column, chosen)
            selection.keep(places)
            if not single:
                selection.numbers.append(numbers)
                shape.append(len(chosen))
        elif selection.tuples is None:
            places, numbers = _matches(column, tuples[dimension])
            selection.keep(places)
            selection.tuples, block_axis = numbers, len(shape)
        else:
            selection.keep(np.flatnonzero(column == tuples[dimension][selection.tuples]))
        dimension += 1
    if arrays:
        advanced = [place for place, key in enumerate(keys) if key is not None and not isinstance(key, slice)]
        at = block_axis if advanced[-1] - advanced[0] < len(advanced) else 0
        selection.numbers[at:at] = split_coordinates(selection.tuples, block)
        shape[at:at] = block
    values = selection.values
    if not shape:
        return values[0] if values.size else np.dtype(tensor.dtype).type(fill)
    final = tuple(np.zeros(values.size, np.int64) if column is None else column for column in selection.numbers)
    same = len(shape) == tensor.ndim and tensor.format.composition is None and not tensor.format.blocks
    return from_entries(tuple(shape), final, values, fill, tensor.format if same else None)


def _is_array(key: Any) -> bool:
    return isinstance(key, np.ndarray) and key.ndim > 0


def _broadcast_arrays(tensor: Tensor, keys: list[Any]) -> tuple[dict[int, Any], tuple[int, ...]]:
    """The coordinates that index arrays name together, by dimension and in one dimension, and their shape."""
    dimensions = [(number, key) for number, key in enumerate(key for key in keys if key is not None) if _is_array(key)]
    coordinates = []
    for number, key in dimensions:
        chosen, _ = _coordinates(key, tensor.shape[number], number)
        coordinates.append(chosen if key.dtype == bool else np.asarray(chosen).reshape(key.shape))
    try:
        together = np.broadcast_arrays(*coordinates)
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in coordinates)
        raise _refuse(
            f"Index arrays of the shapes {shapes} do not make pairs.", "shapes that broadcast", shapes
        ) from None
    flat = {number: array.reshape(-1) for (number, _), array in zip(dimensions, together, strict=True)}
    return flat, together[0].shape if together else ()


def _nearby_entries(tensor: Tensor, keys: list[Any]) -> tuple[Entries, Fill]:
    """The entries among which those are that the keys select: of compressed lines those that are named."""
    outer = outer_dimension(tensor)
    key = None if outer is None else [key for key in keys if key is not None][outer]
    if outer is None or (isinstance(key, slice) and key == slice(None)):
        return sparse_entries(tensor)
    return entries_of_lines(tensor, outer, _coordinates(key, tensor.shape[outer], outer)[0])


def _select_pairs(tensor: Tensor, keys: list[Any]) -> Tensor:
    """The elements at the coordinates that index arrays name together, as a dense tensor of their shape."""
    tuples, block = _broadcast_arrays(tensor, keys)
    count = prod(block)
    columns = [
        tuples[dimension]
        if dimension in tuples
        else np.full(count, _coordinates(key, tensor.shape[dimension], dimension)[0][0])
        for dimension, key in enumerate(keys)
    ]
    return from_elements(_elements_at(tensor, columns).reshape(block))


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
    if array.dtype.kind not in "iu":
        held = f"{array.ndim}-dimensional {array.dtype}" if array.dtype == bool else str(array.dtype)
        message = f"{type_of(key)} is not an index."
        if array.ndim:
            message = (
                f"An index array of dimension {dimension} has integers or one truth value for each element, not {held}."
            )
        raise _refuse(message, "integers, slices, ..., None, index arrays or masks", type_of(key))
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
    outer = outer_dimension(tensor)
    entries, fill = sparse_entries(tensor) if outer is None else entries_of_lines(tensor, outer, wanted[outer])
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


def _refuse(message: str, expected: str, actual: str) -> OperandError:
    return OperandError(Diagnostic("runtime/index", message, Location(Part.INPUT), expected=expected, actual=actual))
