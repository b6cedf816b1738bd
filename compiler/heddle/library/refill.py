"""Another value for what a tensor does not store."""

from __future__ import annotations

import numpy as np

from heddle.fills.fill import Fill
from heddle.library.operand_kinds import sparse_format
from heddle.runtime.packing.pack import pack
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.operands import as_operand
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import dtype_name


def refill(tensor: object, fill: Fill) -> Tensor:
    """The same entries, with another value for everything that is not stored: ``hd.refill(A, -numpy.inf)`` for the
    largest entry of a row, whatever its sign.

    Parameters
    ----------
    tensor
        of any shape and dtype; whatever :func:`pack` takes.
    fill
        any value of its dtype.

    Returns
    -------
    Tensor
        A snapshot of the same shape, dtype and format. A dense tensor stores everything, and stays as it is.

    Raises
    ------
    OperandError
        as :func:`pack`; ``runtime/fill`` for what is not a value of the dtype.
    """
    known = tensor if isinstance(tensor, Tensor) else as_operand(tensor, "the tensor")
    shape, dtype = tuple(known.shape), dtype_name(known.dtype)
    # Whether the dtype has the fill is what packing nothing with it says.
    checked = pack(np.empty(0, dtype), "sparse", name="the tensor", fill=fill).fill
    if isinstance(known, Tensor) and not isinstance(known, Composite):
        stored = pack(known, known.format, name="the tensor")
    elif isinstance(known, np.ndarray):
        return pack(known, name="the tensor")
    else:
        stored = pack(known, sparse_format(len(shape)), name="the tensor")
    if stored.format.is_dense:
        return stored
    owner = Ownership.SNAPSHOT
    return Tensor(shape, stored.format, dtype, stored.levels, stored.vals, checked, checked=True, ownership=owner)
