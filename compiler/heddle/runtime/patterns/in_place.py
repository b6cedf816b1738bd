"""Arguments of calls that are repeated: arrays that had to be copied are refused, for no run would see new values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.patterns.lowering.parameters import Buffer
from heddle.runtime.patterns.refused import refusal
from heddle.runtime.tensors.interop.scipy_operands import is_scipy_sparse

Arrays = Mapping[str, NDArray[Any]]


def require_in_place(buffers: tuple[Buffer, ...], arguments: Mapping[str, object], arrays: Arrays) -> None:
    """That every array that the kernel reads lies in the memory of an argument, and every number is one that nobody can
    write.

    Raises
    ------
    OperandError
        ``runtime/bound-copy``.
    """
    memory = [array for value in arguments.values() for array in _memory_of(value)]
    for buffer in buffers:
        for field, name in buffer.fields:
            array = arrays.get(name)
            if array is None:
                copied = isinstance(arguments.get(buffer.parameter), np.ndarray)
            else:
                copied = array.size > 0 and not any(np.may_share_memory(array, block) for block in memory)
            if copied:
                raise refusal(
                    "bound-copy",
                    f"{buffer.parameter} would be copied when it is bound: a run would not see its new values.",
                    buffer.parameter,
                    expected=f"an array of {field.dtype} whose elements lie one after the other, or a number",
                    actual="an argument that is converted or put together",
                    hint="Call the kernel itself, or bind such an array and write new values into it.",
                )


def _memory_of(value: object) -> Iterator[NDArray[Any]]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _memory_of(part)
    elif is_scipy_sparse(value):
        for name in ("data", "indices", "indptr"):
            yield from _memory_of(getattr(value, name, None))
