"""Tensors of order 3 to 5: long and short fibres, and one real."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from heddle.runtime.data_files.tns import read_tns
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum

MED = Path(__file__).resolve().parents[2] / "backend" / "heddle_server" / "datasets" / "med.tns"


@dataclass(frozen=True, slots=True)
class SparseTensor:
    """``fill`` is the share of a fibre that is stored: the shape follows from it and from the number of nonzeros."""

    name: str
    title: str
    order: int
    make: Callable[[int], Entries]
    real: bool = False


def load(tensor: SparseTensor, nonzeros: int, dtype: str) -> Entries:
    """Sorted entries without duplicates, values in (0, 1]; the same each time."""
    made = tensor.make(nonzeros)
    made = sort_and_sum(made, tuple(range(len(made.shape))))
    values = (1.0 - np.random.default_rng(1).random(made.values.size)).astype(dtype)
    return Entries(made.shape, made.columns, values)


def _uniform(order: int, fill: float) -> Callable[[int], Entries]:
    def make(nonzeros: int) -> Entries:
        side = max(4, round((nonzeros / fill) ** (1 / order)))
        rng = np.random.default_rng(order)
        columns = tuple(rng.integers(0, side, nonzeros) for _ in range(order))
        return Entries((side,) * order, columns, np.ones(nonzeros))

    return make


TENSORS = (
    SparseTensor("long-fibres", "order 3, 4 % full", 3, _uniform(3, 0.04)),
    SparseTensor("short-fibres", "order 3, 0.1 % full", 3, _uniform(3, 0.001)),
    SparseTensor("med", "order 3, real", 3, lambda nonzeros: read_tns(MED), real=True),
    SparseTensor("order-4", "order 4, 1 % full", 4, _uniform(4, 0.01)),
    SparseTensor("order-5", "order 5, 0.5 % full", 5, _uniform(5, 0.005)),
)
BY_NAME = {tensor.name: tensor for tensor in TENSORS}
