"""Entries of tensors into the order of their coordinates, by compiled C.

The coordinates of an entry become one number, in bits for each dimension. One pass brings entries together whose
highest bits agree; each such bucket then is sorted where the cache holds it, by two digits that begin with the highest
bit in which its entries differ (a stable radix sort; McIlroy, Bostic and McIlroy, *Engineering Radix Sort*, 1993).
Threads share the entries, then the buckets; what comes out is the same for any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.runtime.memory import buffers
from heddle.runtime.native import c_files, library, native_helpers

Array = NDArray[Any]

_KEYS = {8: "uint64_t", 16: "unsigned __int128"}
"""C types of keys of so many bytes."""
_BUCKETS = 1024
"""As in ``coordinate_sort.c``."""
_LEAST = 1 << 14
"""Fewer entries are sorted faster by NumPy than C is loaded."""


@dataclass(frozen=True, slots=True, eq=False)
class SortedEntries:
    """Coordinates by dimension and values, equal ones in the order in which they came; whether coordinates repeat."""

    columns: tuple[Array, ...]
    values: Array
    repeated: bool


def sort_coordinates(columns: list[Array], sizes: list[int], values: Array, index: str) -> SortedEntries | None:
    """Entries in lexicographic order of ``columns``; entries that are in order are not moved.

    Parameters
    ----------
    columns
        coordinates by dimension, within ``sizes``; any strides.
    values
        of any dtype of up to 16 bytes.
    index
        dtype of the coordinates of the answer.

    Returns
    -------
    SortedEntries | None
        None for few entries, for coordinates of more than 128 bits, and where there is no C compiler.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    count, bits = int(values.size), [max(size - 1, 0).bit_length() for size in sizes]
    if count < _LEAST or sum(bits) > 128:
        return None
    key_bytes = 8 if sum(bits) <= 64 else 16
    text = c_files.defining({"KEY": _KEYS[key_bytes]}, c_files.text_of("coordinate_sort.c"))
    compose, sort = (native_helpers.moving(text, name, values.itemsize, index) for name in ("compose", "sort"))
    if compose is None or sort is None:
        return None
    read = [column if column.dtype in (np.int32, np.int64) else column.astype(np.int64) for column in columns]
    widths, strides = [column.itemsize for column in read], [column.strides[0] for column in read]
    parts = native_helpers.threads(count)
    keys, different = (buffers.empty(number * key_bytes, "uint8") for number in (count, parts + 1))
    numbers = [_numbers(bits), _numbers([_address(column) for column in read]), _numbers(strides), _numbers(widths)]
    dimensions = [library.dimension(number) for number in (parts, count, len(read))]
    state = compose(*dimensions, *(library.pointer(array) for array in (*numbers, keys, different)))
    if not state & 1:
        return SortedEntries(tuple(column.astype(index, copy=False) for column in columns), values, bool(state & 2))
    values = np.ascontiguousarray(values)
    *sorted_columns, sorted_values = buffers.allocate_together(*[(count, index)] * len(read), (count, values.dtype))
    scratch = buffers.empty(count * key_bytes, "uint8"), buffers.empty(count, values.dtype)
    next_places = np.empty(parts * _BUCKETS, np.int64)
    addresses = _numbers([_address(column) for column in sorted_columns])
    arrays = (numbers[0], different, keys, values, *scratch, next_places, addresses, sorted_values)
    repeated = sort(*dimensions, *(library.pointer(array) for array in arrays))
    return SortedEntries(tuple(sorted_columns), sorted_values, bool(repeated))


def _numbers(numbers: list[int]) -> NDArray[np.int64]:
    return np.array(numbers, np.int64)


def _address(array: Array) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
