"""A program of the benchmark, with what NumPy and PyTorch compute in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """``numpy`` and ``torch`` compute the same from arrays and, given PyTorch's module, from its tensors. ``target`` is
    the ratio to the fastest library that is wanted, ``paper`` what the paper says of its GPU. Operands among ``rows``
    are indices, with how many there are to choose from. Of ``pruned`` nine in ten values are 0: it is stored as csr
    beside all of it. ``hand`` is a schedule that a person wrote. ``left_out`` are schedules that do not take part, each
    with why."""

    name: str
    text: str
    shapes: Mapping[str, Sequence[int]]
    numpy: Callable[[Arrays], Any]
    torch: Callable[[Any, Mapping[str, Any]], Any]
    target: float | None = None
    paper: str = ""
    rows: Mapping[str, int] = field(default_factory=dict)
    pruned: str = ""
    hand: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)


def operands_of(case: Case, shrunk: int = 1) -> dict[str, NDArray[Any]]:
    """Values that a seed draws; ``shrunk``: how many times smaller the dimensions from 32 on are."""
    random, made = np.random.default_rng(7), dict[str, NDArray[Any]]()
    for name, shape in case.shapes.items():
        sizes = [size // shrunk if size >= 32 else size for size in shape]
        if name in case.rows:
            made[name] = random.integers(0, case.rows[name] // shrunk, sizes).astype("int32")
        else:
            made[name] = random.standard_normal(sizes).astype("float32")
    if case.pruned:
        made[case.pruned] *= random.random(made[case.pruned].shape) < 0.1
    return made
