"""The kernels of a decomposition, compiled and bound once: a sweep packs nothing, and factors change in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.algorithms.choose import Choice
from compiler.algorithms.roles import FACTORS, TENSOR_NORM
from compiler.algorithms.tensor_input import Input
from compiler.diagnostics import InternalError
from compiler.runtime.kernels.calling import BoundCall
from compiler.runtime.kernels.kernel import Kernel
from compiler.runtime.packing.pack import pack
from compiler.runtime.tensors.tensor import Tensor

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Products:
    """By mode: ``calls`` compute what ``results`` holds afterwards, from the factors that they were bound to."""

    calls: Mapping[int, BoundCall]
    results: Mapping[int, Array]
    norm2: float
    stored: Mapping[str, Tensor]


def bound(chosen: Mapping[str, Choice], given: Input, factors: list[Array]) -> Products:
    """Kernels of all roles on ``given``; each format that occurs is packed once.

    Raises:
        CompileError: ``runtime/no-c-compiler``, ``runtime/too-large``, ``runtime/out-of-memory``.
    """
    stored: dict[str, Tensor] = {}
    entries = (given.entries.columns, given.entries.values, given.shape)
    calls: dict[int, BoundCall] = {}
    results: dict[int, Array] = {}
    norm2 = 0.0
    for name, choice in chosen.items():
        text = choice.kernel.formats.get("X", "dense")
        if text not in stored:
            stored[text] = pack(entries, text, "float64", "X")
        kernel = Kernel(choice.result)
        if name == TENSOR_NORM:
            norm2 = float(kernel(X=stored[text]).item().real)
            continue
        operands = {FACTORS[mode]: factors[mode] for mode in choice.role.operands}
        call = kernel.bind(X=stored[text], **operands)
        for other in choice.role.operands:
            if not np.shares_memory(call.operands[FACTORS[other]].vals, factors[other]):
                raise InternalError(f"{name} reads a copy of factor {FACTORS[other]}, which would never change")
        mode = choice.role.mode
        assert mode is not None
        calls[mode] = call
        results[mode] = call.output.vals.reshape(factors[mode].shape)
    return Products(calls, results, norm2, stored)
