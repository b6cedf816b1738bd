"""Indices of int64 that fit into int32, as kernels read them, and whether they still are what they were narrowed from.

SciPy's sparse arrays keep the int64 of the coordinates that they are made of. A kernel that narrowed them at every call
would take several times as long as SciPy, so that the narrow ones are remembered, and compared at each call with what
the caller may have written since.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.index_width import LARGEST_NARROW
from heddle.runtime.native import c_files, library, native_helpers

Array = NDArray[Any]
NARROW, WIDE = np.dtype("int32"), np.dtype("int64")


def narrow_indices(pos: Array, crd: Array, size: int) -> tuple[Array, Array] | None:
    """Positions and coordinates below ``size`` as int32, the same arrays where they are; None where they do not fit."""
    if crd.dtype is NARROW:
        return pos, crd
    if max(size, crd.size) > LARGEST_NARROW:
        return None
    return pos.astype(NARROW), crd.astype(NARROW)


def are_narrowed(narrow: Array, indices: object) -> bool:
    """Whether ``narrow`` has what the first elements of ``indices``, of int64, hold now."""
    if type(indices) is not np.ndarray or indices.dtype is not WIDE or indices.ndim != 1:
        return False
    if indices.size < narrow.size or not (indices.flags.c_contiguous and indices.flags.aligned):
        return False
    call = _compile()
    if call is None:
        return bool((indices[: narrow.size] == narrow).all())
    return bool(call(narrow.size, library.pointer(indices), library.pointer(narrow)))


@functools.cache
def _compile() -> library.Call | None:
    call = native_helpers.moving(c_files.text_of("same_indices.c"), "same_indices", 8, "int64")
    return None if call is None else library.declare(call, dimensions=1, pointers=2)
