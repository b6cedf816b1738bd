"""What kernels of patterns give back: tensors, numbers, and rows of different lengths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.patterns.typing.layout import start_of
from heddle.patterns.typing.types import ArrayType, Type
from heddle.runtime.patterns.memos import starts
from heddle.symbolic.evaluate import evaluate
from heddle.symbolic.nodes import length


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """A result whose rows are alike."""

    values: NDArray[Any]

    def to_numpy(self) -> NDArray[Any]:
        """All values, a dimension for each level of the type."""
        return self.values

    def to_list(self) -> Any:
        return self.values.tolist()


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """A result whose rows have different lengths: row i is ``values[offsets[i] : offsets[i + 1]]``."""

    offsets: NDArray[Any]
    values: NDArray[Any]

    def to_numpy(self) -> NDArray[Any]:
        """All values, one row after another."""
        return self.values

    def to_list(self) -> list[list[Any]]:
        """The rows."""
        return [row.tolist() for row in np.split(self.values, self.offsets[1:-1])] if len(self.offsets) > 1 else []


Result = Dense | Ragged


def result_of(type: Type, values: NDArray[Any], sizes: Mapping[str, int], arrays: Mapping[str, NDArray[Any]]) -> Result:
    """``values`` as what ``type`` says."""
    if not isinstance(type, ArrayType):
        return Dense(values.reshape(()))
    level: Type = type
    shape: list[int] = []
    while isinstance(level, ArrayType):
        if level.ragged:
            whole = start_of(type, length("row'"))
            return Ragged(starts(whole, "row'", type.size, sizes, arrays), values)
        shape.append(int(evaluate(level.size, sizes, arrays)))
        level = level.element
    return Dense(values.reshape(shape))
