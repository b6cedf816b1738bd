"""Looking for NaN in a result that padding may have made, as fast as its memory is read, and when nobody needs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.runtime.kernels.calling import Prepared
from heddle.runtime.native import c_files, library, native_helpers
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.tensor import Tensor


@dataclass(frozen=True, slots=True, eq=False)
class NanSearch:
    """What follows each run of a kernel that multiplies padding. ``exact`` prepares the kernel that leaves padding out,
    for a result that has a NaN. The search runs ``on_threads`` where the kernel does."""

    exact: Callable[[Tensor], tuple[Tensor, Prepared]]
    on_threads: bool


def padding_is_harmless(factors: frozenset[str] | None, operands: Mapping[str, Tensor]) -> bool:
    """Whether nothing that padding is multiplied by is infinite or NaN, now and in later runs: these ``factors`` are
    operands that nobody can write, and were looked at once. None: padding is multiplied by what the kernel computes."""
    if factors is None or not factors <= operands.keys():
        return False
    tensors = [operands[name] for name in factors]
    return all(tensor.ownership is Ownership.SNAPSHOT for tensor in tensors) and all(map(Tensor.is_finite, tensors))


def holds_nan(values: NDArray[Any], on_threads: bool = False) -> bool:
    """Whether one of the values is NaN; of complex numbers, whether a part of one is."""
    if values.dtype.kind not in "fc":
        return False
    parts = values.view(values.real.dtype) if values.dtype.kind == "c" else values
    call = None
    if parts.flags.c_contiguous and parts.dtype.itemsize in (4, 8):
        call = native_helpers.moving(c_files.text_of("any_nan.c"), "any_nan", parts.dtype.itemsize, "int64")
    if call is None:
        return bool(np.isnan(parts).any())
    return bool(call(library.dimension(parts.size), library.dimension(on_threads), library.pointer(parts)))
