"""Arrays of NumPy and matrices of SciPy that already lie as a kernel reads them: taken in a few microseconds.

A small kernel takes less time than finding out what its operands are. So the usual ones are recognised by type and
dtype; whatever is not exactly so goes the general way (``packing/pack.py``), which also explains what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heddle.formats.presets import PRESETS
from heddle.index_width import LARGEST_NARROW
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix, checked_matrix
from heddle.runtime.tensors.interop.scipy_operands import is_scipy_sparse
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.signature import TensorSignature

_NARROW = np.dtype("int32")
_LINES = {preset.name: preset.instance(2) for preset in PRESETS if preset.name in ("csr", "csc")}


@dataclass(frozen=True, slots=True, eq=False)
class DirectOperand:
    """What an operand of ``signature`` looks like where it can be read in place: an array in C order, or for ``lines``
    (csr or csc) a matrix of SciPy in this format."""

    signature: TensorSignature
    dtype: np.dtype[Any]
    dense: bool
    lines: str | None
    levels: tuple[LevelArrays, ...]

    def take(self, operand: Any, validate: bool) -> Tensor | None:
        """A tensor on the memory of ``operand``; None where it lies otherwise.

        Raises:
            OperandError: as :func:`heddle.runtime.tensors.interop.compressed_matrix.checked_matrix`.
        """
        if self.dense:
            if type(operand) is not np.ndarray or operand.dtype is not self.dtype:
                return None
            flags = operand.flags
            if operand.ndim != len(self.levels) or not flags.c_contiguous or not flags.aligned:
                return None
            signature = self.signature
            return Tensor(operand.shape, signature.format, signature.dtype, self.levels, operand.ravel(), checked=True)
        if self.lines is None or not is_scipy_sparse(operand) or operand.format != self.lines:
            return None
        if operand.data.dtype is not self.dtype:
            return None
        known = checked_matrix(operand, self.signature.name, validate)
        if not isinstance(known, CompressedMatrix) or not known.canonical or known.crd.dtype is not _NARROW:
            return None
        if max(known.shape) > LARGEST_NARROW:
            return None
        levels = (self.levels[0], LevelArrays(known.pos, known.crd))
        signature = self.signature
        return Tensor(
            known.shape, signature.format, signature.dtype, levels, known.values, signature.fill, checked=True
        )


def direct_operand(signature: TensorSignature) -> DirectOperand:
    """How operands of ``signature`` are recognised."""
    layout = signature.format
    natural = layout.is_dense and layout.order == tuple(range(signature.order)) and signature.order > 0
    lines = next((name for name, format in _LINES.items() if format == layout), None)
    levels = tuple(LevelArrays() for _ in layout.levels)
    return DirectOperand(signature, np.dtype(signature.dtype), natural, lines, levels)
