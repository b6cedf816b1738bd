"""Nonzeros counted in the bins of a coarse grid: how a large matrix is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.explorer.views.data.tiles_schema import RasterView


def raster_of(columns: tuple[NDArray[Any], ...], shape: tuple[int, ...], bins: int) -> RasterView:
    """At most ``bins`` × ``bins`` counts over the last two dimensions; a vector has one row of them."""
    rows, width = (shape[-2] if len(shape) > 1 else 1), shape[-1]
    row_step, column_step = max(1, -(-rows // bins)), max(1, -(-width // bins))
    across, down = -(-width // column_step), -(-rows // row_step)
    row = columns[-2].astype(np.int64) // row_step if len(shape) > 1 else np.zeros(columns[-1].size, np.int64)
    counts = bincount(row * across + columns[-1] // column_step, minlength=down * across)
    return RasterView(row_step=row_step, column_step=column_step, counts=counts.reshape(down, across).tolist())
