"""Nonzeros counted in the bins of a coarse grid: how a large matrix is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.explorer.views.data.tiles_schema import RasterView


def raster_of(columns: tuple[NDArray[Any], ...], shape: tuple[int, ...], bins: int) -> RasterView:
    """At most ``bins`` × ``bins`` counts over the last two dimensions; a vector has one row of them."""
    raster = Raster(shape, bins)
    rows = columns[-2].astype(np.int64) if len(shape) > 1 else np.zeros(columns[-1].size, np.int64)
    raster.add(rows, columns[-1].astype(np.int64))
    return raster.view()


class Raster:
    """The same, of entries that come piece by piece."""

    def __init__(self, shape: tuple[int, ...], bins: int) -> None:
        rows, width = (shape[-2] if len(shape) > 1 else 1), shape[-1]
        self._row_step, self._column_step = max(1, -(-rows // bins)), max(1, -(-width // bins))
        self._across, self._down = -(-width // self._column_step), -(-rows // self._row_step)
        self._counts: NDArray[np.int64] = np.zeros(self._down * self._across, np.int64)

    def add(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> None:
        """Entries by their last two coordinates."""
        bins = rows // self._row_step * self._across + columns // self._column_step
        self._counts += bincount(bins, minlength=self._counts.size)

    def view(self) -> RasterView:
        counts = self._counts.reshape(self._down, self._across).tolist()
        return RasterView(row_step=self._row_step, column_step=self._column_step, counts=counts)
