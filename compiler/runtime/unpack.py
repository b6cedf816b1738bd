"""From level arrays back to coordinates and to SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compiler.diagnostics import CompileError, Diagnostic, InternalError
from compiler.runtime.tensor import Tensor

if TYPE_CHECKING:
    import scipy.sparse

Array = NDArray[Any]


def to_coordinates(tensor: Tensor) -> tuple[tuple[Array, ...], Array]:
    """Coordinates by dimension and values, in storage order.

    A dense innermost level stores every coordinate, so its zeros cannot be told from padding and are left out; the
    explicit zeros of the other kinds are kept.
    """
    columns, values = position_coordinates(tensor), tensor.vals
    if tensor.format.levels and tensor.format.levels[-1].kind == "dense":
        kept = np.flatnonzero(values if tensor.fill == 0 else values != tensor.fill)
        columns, values = tuple(column[kept] for column in columns), values[kept]
    return columns, values


def position_coordinates(tensor: Tensor) -> tuple[Array, ...]:
    """By dimension, the coordinate of each position of the values, padding included."""
    columns: list[Array] = []
    parents = 1
    for number, (level, arrays) in enumerate(zip(tensor.format.levels, tensor.levels, strict=True)):
        size = tensor.shape[tensor.format.order[number]]
        match level.kind:
            case "dense":
                columns = [np.repeat(column, size) for column in columns]
                columns.append(np.tile(np.arange(size, dtype=np.int64), parents))
                parents *= size
            case "compressed":
                assert arrays.pos is not None
                assert arrays.crd is not None
                parent = np.repeat(np.arange(parents), np.diff(arrays.pos))
                columns = [column[parent] for column in columns]
                columns.append(arrays.crd.astype(np.int64))
                parents = int(arrays.crd.size)
            case "singleton":
                assert arrays.crd is not None
                columns.append(arrays.crd.astype(np.int64))
            case _:
                raise InternalError(f"Unpacking does not know the level kind {level.kind}")
    by_dimension: dict[int, Array] = dict(zip(tensor.format.order, columns, strict=True))
    return tuple(by_dimension[dimension] for dimension in range(tensor.order))


def to_scipy(tensor: Tensor) -> scipy.sparse.sparray:
    """CSR and CSC share the tensor's memory; every other format becomes COO."""
    import scipy.sparse

    if tensor.fill != 0:
        raise CompileError(
            Diagnostic(
                code="runtime/fill",
                message=f"What this tensor does not store is {tensor.fill}; in a SciPy array it would be zero.",
                expected="a tensor with the fill 0",
                found=f"the fill {tensor.fill}",
                hint="Use .to_coo() for what is stored, or .to_numpy() for everything.",
            )
        )
    kinds = tuple(level.kind for level in tensor.format.levels)
    if kinds == ("dense", "compressed") and tensor.format.levels[1].unique:
        # scipy-stubs cannot express that the shape of a matrix is a pair.
        build: Any = scipy.sparse.csr_array if tensor.format.order == (0, 1) else scipy.sparse.csc_array
        matrix: scipy.sparse.sparray = build((tensor.vals, tensor.levels[1].crd, tensor.levels[1].pos), tensor.shape)
        return matrix
    coordinates, values = tensor.to_coo()
    coo_array: Any = scipy.sparse.coo_array
    entries: scipy.sparse.sparray = coo_array((values, coordinates), shape=tensor.shape)
    return entries
