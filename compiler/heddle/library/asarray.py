"""Anything that holds numbers by coordinates as a tensor."""

from __future__ import annotations

from heddle.formats.format import Format
from heddle.library.arrays.entries import as_tensor
from heddle.runtime.packing.convert import convert
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.tensor import Tensor


def asarray(operand: object, format: Format | str | None = None, dtype: str | None = None) -> Tensor:
    """A packed tensor of whatever a kernel takes: ``hd.asarray(matrix)``.

    Args:
        operand: of any shape and dtype: NumPy arrays, SciPy's and pydata's sparse arrays, pandas' frames and series,
            graphs of networkx (their adjacency), PyTorch's tensors in any layout, what has ``__dlpack__`` on a
            processor, ``(coordinates, values, shape)``, lists and numbers.
        format: as for :func:`pack`; None keeps that of a tensor, stores what is sparse by rows (``csr``; ``csc`` where
            SciPy has columns), and what is dense as it is.
        dtype: as for :func:`pack`.

    Returns:
        A snapshot, which does not change when the operand does; a tensor that is one already is returned itself.

    Raises:
        OperandError: as :func:`pack`.
    """
    tensor = as_tensor(operand)
    if format is None:
        return pack(tensor, tensor.format, dtype, "the array")
    return pack(tensor, format, dtype, "the array") if dtype is not None else convert(tensor, format, "the array")
