"""Which integers wrap around: the values that a kernel computes do, as NumPy's; indices must never come to that."""

from __future__ import annotations

from heddle.loop_ir.dtypes import SIGNED
from heddle.loop_ir.nodes import ArrayRole, Function

OVERFLOWING = frozenset({*SIGNED, "uint8", "uint16"})
"""The dtypes whose overflow C leaves undefined unless it is told that integers wrap around (``-fwrapv``): what is
narrower than ``int`` is computed as ``int``."""

ALWAYS_VALUES = OVERFLOWING - {"int64"}
"""Scalars of these dtypes are always values: indices have 64 bits."""


def wrapping_dtypes(function: Function) -> frozenset[str]:
    """The dtypes of :data:`OVERFLOWING` of which results and tensors hold values, and whose arithmetic wraps around in
    scalars and vectors; beside them scalars of :data:`ALWAYS_VALUES` do. Scalar operands of ``int64`` and arrays of no
    tensor may be sizes and places, and say nothing."""
    return OVERFLOWING & {
        parameter.dtype
        for parameter in function.parameters
        if (array := parameter.array) is not None
        and array.role is ArrayRole.VALS
        and (parameter.output or array.tensor is not None)
    }
