"""Arrays of NumPy and matrices of SciPy that already lie as a kernel reads them: taken in a few microseconds.

A small kernel takes less time than finding out what its operands are. So the usual ones are recognised by type and
dtype; whatever is not exactly so goes the general way (``packing/pack.py``), which also explains what is wrong.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from weakref import ReferenceType, ref

import numpy as np

from heddle.formats.presets import PRESETS
from heddle.index_width import LARGEST_NARROW
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix, checked_matrix, look_at_rows
from heddle.runtime.tensors.interop.narrow_indices import are_narrowed, narrow_indices
from heddle.runtime.tensors.interop.scipy_operands import is_scipy_sparse
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.signature import TensorSignature

_LARGEST_CACHED = 1 << 16
"""Bytes of an array that a kernel may keep until its next call."""
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
    last: LastOperand

    def take(self, operand: Any, validate: bool) -> Tensor | None:
        """A tensor on the memory of ``operand``; None where it lies otherwise. The operand of the call before has the
        tensor of before, as long as it has the same arrays, whose contents are looked at each time.

        Raises
        ------
        OperandError
            as :func:`heddle.runtime.tensors.interop.compressed_matrix.checked_matrix`.
        """
        tensor = self.last.recall(operand, self.lines, validate)
        if tensor is None:
            tensor = self._take(operand, validate)
            if tensor is not None:
                self.last.remember(operand, tensor, validate)
        return tensor

    def _take(self, operand: Any, validate: bool) -> Tensor | None:
        if self.dense:
            if type(operand) is not np.ndarray or operand.dtype is not self.dtype:
                return None
            flags = operand.flags
            if operand.ndim != len(self.levels) or not flags.c_contiguous or not flags.aligned:
                return None
            signature = self.signature
            layout, dtype = signature.format, signature.dtype
            return Tensor(operand.shape, layout, dtype, self.levels, operand.ravel(), checked=True, wide=False)
        if self.lines is None or not is_scipy_sparse(operand) or operand.format != self.lines:
            return None
        if operand.data.dtype is not self.dtype:
            return None
        known = checked_matrix(operand, self.signature.name, validate)
        if not isinstance(known, CompressedMatrix) or not known.canonical or max(known.shape) > LARGEST_NARROW:
            return None
        narrow = narrow_indices(known.pos, known.crd, max(known.shape))
        if narrow is None:
            return None
        levels = (self.levels[0], LevelArrays(*narrow))
        signature = self.signature
        return Tensor(
            known.shape, signature.format, signature.dtype, levels, known.values, signature.fill, checked=True
        )


class LastOperand:
    """The operand that was read in place last, and its tensor, as long as somebody has the operand.

    The tensor of an array refers to the array, and so keeps it: that of a large one, whose kernel takes long enough, is
    made anew in each call. That of a matrix refers to the arrays of the matrix alone, and goes with it.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: tuple[ReferenceType[Any], tuple[Any, ...], Tensor, bool] | None = None

    def recall(self, operand: Any, lines: str | None, validate: bool) -> Tensor | None:
        """The tensor of before for an operand with the same arrays, which are still in order, or still what narrow ones
        were made of; None for any other."""
        known = self._known
        if known is None:
            return None
        before: Any = known[0]()
        if before is not operand:
            return None
        _, parts, tensor, checked = known
        if type(operand) is np.ndarray:
            shape, dtype = parts
            same = operand.shape == shape and operand.dtype is dtype
            return tensor if same and operand.flags.c_contiguous else None
        data, indices, indptr, dtype = parts
        if operand.data is not data or operand.indices is not indices or operand.indptr is not indptr:
            return None
        if operand.format != lines or operand.shape != tensor.shape or data.dtype is not dtype:
            return None
        pos, crd = tensor.levels[1].pos, tensor.levels[1].crd
        assert pos is not None
        assert crd is not None
        if pos is not indptr or crd is not indices:
            unchanged = are_narrowed(pos, indptr) and are_narrowed(crd, indices)
            return tensor if unchanged and (checked or not validate) else None
        if pos.item(-1) != crd.size:
            return None
        size = tensor.shape[1 if lines == "csr" else 0]
        return tensor if not validate or not look_at_rows(pos, crd, size) else None

    def remember(self, operand: Any, tensor: Tensor, checked: bool) -> None:
        """``tensor`` is what the next call with the same operand takes. ``checked``: its indices were looked at."""
        if type(operand) is np.ndarray:
            if operand.nbytes > _LARGEST_CACHED:
                return
            parts: tuple[Any, ...] = (operand.shape, operand.dtype)
        else:
            parts = (operand.data, operand.indices, operand.indptr, operand.data.dtype)
            if not _is_made_of(tensor.levels[1], operand):
                return
        with suppress(TypeError):  # what takes no weak references
            self._known = ref(operand, self._forget), parts, tensor, checked

    def _forget(self, reference: ReferenceType[Any]) -> None:
        known = self._known
        if known is not None and known[0] is reference:
            self._known = None


def _is_made_of(level: LevelArrays, matrix: Any) -> bool:
    """Whether the arrays of the level are those of the matrix, or have what those of int64 hold."""
    pos, crd = level.pos, level.crd
    if pos is matrix.indptr and crd is matrix.indices:
        return True
    return (
        pos is not None and crd is not None and are_narrowed(pos, matrix.indptr) and are_narrowed(crd, matrix.indices)
    )


def direct_operand(signature: TensorSignature) -> DirectOperand:
    """How operands of ``signature`` are recognised."""
    layout = signature.format
    natural = layout.is_dense and layout.order == tuple(range(signature.order)) and signature.order > 0
    lines = next((name for name, format in _LINES.items() if format == layout), None)
    levels = tuple(LevelArrays() for _ in layout.levels)
    return DirectOperand(signature, np.dtype(signature.dtype), natural, lines, levels, LastOperand())
