"""A tensor as it lies in memory: the arrays of its levels and its values. Plain data; what is done with it is in
functions of this room, and what a person does with it in :class:`heddle.runtime.tensors.tensor.Tensor`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from heddle.fills.fill import Fill
from heddle.formats.format import Format
from heddle.formats.storage.level_storage import Array, LevelArrays

__all__ = ["Array", "LevelArrays", "StoredTensor"]


@dataclass(slots=True, eq=False)  # not frozen, which would take a tenth of a small kernel's call
class StoredTensor:
    """``levels[k]`` are the arrays of storage level k (0-based); ``vals``, of one dimension, has one value per position
    of the last level.

    ``shape`` is by dimension, not by level. Level k stores dimension ``format.order[k]``. ``dtype`` is that of the
    values, ``fill`` the value of what is not stored.
    """

    shape: tuple[int, ...]
    format: Format
    dtype: str
    levels: tuple[LevelArrays, ...]
    vals: Array
    fill: Fill = 0

    @property
    def order(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def ndim(self) -> int:
        """The number of dimensions, as NumPy calls it."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements, stored or not."""
        return math.prod(self.shape)

    @property
    def wide(self) -> bool:
        """Whether positions and coordinates have 64 bits."""
        return not self.format.is_dense and any(
            array.dtype.itemsize == 8 for level in self.levels for array in index_arrays(level)
        )

    @property
    def resident(self) -> bool:
        """Whether its values lie in the memory of a GPU, as a CuPy array."""
        return not isinstance(self.vals, np.ndarray)

    @property
    def stored(self) -> int:
        """Number of stored values, explicit zeros and the padding of dense levels included."""
        return int(self.vals.size)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self.arrays().values())

    def arrays(self) -> dict[tuple[str, int], Array]:
        """Arrays by (role, 1-based level): ``("pos", 2)``, ``("crd", 2)``; ``("vals", 0)`` are the values. Shapes and
        dtypes are those of :class:`LevelArrays`."""
        arrays: dict[tuple[str, int], Array] = {}
        for number, level in enumerate(self.levels, start=1):
            if level.pos is not None:
                arrays["pos", number] = level.pos
            if level.crd is not None:
                arrays["crd", number] = level.crd
            arrays.update({(role, number): array for role, array in level.extra.items()})
        arrays["vals", 0] = self.vals
        return arrays


def index_arrays(level: LevelArrays) -> list[Array]:
    """The arrays that ``level`` has."""
    return [array for array in (level.pos, level.crd, *level.extra.values()) if array is not None]
