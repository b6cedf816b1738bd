"""Anything that holds numbers by coordinates as a tensor."""

from __future__ import annotations

from heddle.formats.format import Format
from heddle.library.arrays.entries import as_tensor
from heddle.library.arrays.stored_values import astype
from heddle.runtime.packing.convert import convert
from heddle.runtime.packing.pack import pack, require_dtype
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import as_asked


def asarray(operand: object, format: Format | str | None = None, dtype: str | None = None) -> Tensor:
    """A packed tensor of whatever a kernel takes: ``hd.asarray(matrix)``.

    Parameters
    ----------
    operand
        of any shape and dtype: NumPy arrays, SciPy's and pydata's sparse arrays, pandas' frames and series, graphs of
        networkx (their adjacency), PyTorch's tensors in any layout, what has ``__dlpack__`` on a processor,
        ``(coordinates, values, shape)``, lists and numbers.
    format
        as for :func:`pack`; None keeps that of a tensor, stores what is sparse by rows (``csr``; ``csc`` where SciPy
        has columns), and what is dense as it is.
    dtype
        of the tensor, which must have all values of the operand; None keeps theirs.

    Returns
    -------
    Tensor
        A snapshot, which does not change when the operand does; a tensor that is one already is returned itself.

    Raises
    ------
    OperandError
        as :func:`pack`.
    """
    tensor = as_tensor(operand)
    if dtype is not None and tensor.dtype != require_dtype(dtype):
        as_asked(tensor.on_host().to_coo()[1] if type(tensor) is not Tensor else tensor.vals, dtype, "the array")
        tensor = astype(tensor, dtype)
    if format is None:
        return pack(tensor, tensor.format, None, "the array")
    return convert(tensor, format, "the array")
