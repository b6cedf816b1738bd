"""Looking for NaN in a result, as fast as its memory is read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.runtime.native import c_files, library, native_helpers


def holds_nan(values: NDArray[Any]) -> bool:
    """Whether one of the values is NaN; of complex numbers, whether a part of one is."""
    if values.dtype.kind not in "fc":
        return False
    parts = values.view(values.real.dtype) if values.dtype.kind == "c" else values
    call = None
    if parts.flags.c_contiguous and parts.dtype.itemsize in (4, 8):
        call = native_helpers.moving(c_files.text_of("any_nan.c"), "any_nan", parts.dtype.itemsize, "int64")
    if call is None:
        return bool(np.isnan(parts).any())
    return bool(call(library.dimension(parts.size), library.pointer(parts)))
