"""Stored tensors as arrays of SciPy and CuPy."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from heddle.counts import repeat
from heddle.diagnostics import Diagnostic, OperandError
from heddle.formats.presets import PRESETS
from heddle.formats.printer import format_text
from heddle.runtime.extras import require_scipy
from heddle.runtime.storage.ownership import protect
from heddle.runtime.storage.padded_rows import Rows, compressed_rows
from heddle.runtime.storage.stored_tensor import Array, LevelArrays, StoredTensor
from heddle.runtime.storage.unpack import to_coordinates

if TYPE_CHECKING:
    import scipy.sparse

CUPY_FORMATS = {preset.name: preset.instance(2) for preset in PRESETS if preset.name in ("csr", "csc", "coo")}
"""The formats of ``cupyx.scipy.sparse`` whose memory is that of the preset of the same name."""

INSTEAD = "to_coo() and to_numpy() give NumPy arrays without it."


def to_scipy(tensor: StoredTensor, *, copy: bool) -> scipy.sparse.sparray:
    """CSR and CSC of the tensor's memory or of a ``copy``; every other format becomes COO.

    Raises
    ------
    CompileError
        ``runtime/fill`` where what is not stored is not zero; ``runtime/no-scipy``.
    """
    require_scipy("to_scipy()", INSTEAD)
    import scipy.sparse

    _check_fill(tensor)
    if [level.kind for level in tensor.format.levels] == ["dense", "compressed"] and tensor.format.levels[1].unique:
        # scipy-stubs cannot express that the shape of a matrix is a pair.
        build: Any = scipy.sparse.csr_array if tensor.format.order == (0, 1) else scipy.sparse.csc_array
        vals, last = tensor.vals, tensor.levels[1]
        arrays: Any = (vals.copy(), _copy(last.crd), _copy(last.pos)) if copy else _views(vals, last)
        matrix: scipy.sparse.sparray = build(arrays, tensor.shape)
        return matrix
    rows = compressed_rows((tensor,))
    if rows is not None:
        return rows_to_scipy(tensor, rows)
    coordinates, values = to_coordinates(tensor)
    return entries_to_scipy(tensor, coordinates, values.copy() if copy and values is tensor.vals else values)


def _copy(array: Array | None) -> Array:
    assert array is not None
    return array.copy()


def _views(vals: Array, level: LevelArrays) -> tuple[Array, Array, Array]:
    """Values, coordinates and positions as new arrays on the same memory, through which only values may be written."""
    assert level.crd is not None
    assert level.pos is not None
    return vals, protect(level.crd.view()), protect(level.pos.view())


def rows_to_scipy(tensor: StoredTensor, rows: Rows) -> scipy.sparse.sparray:
    """What ``tensor`` stores, given by compressed rows, as COO.

    Raises
    ------
    CompileError
        as :func:`to_scipy`.
    """
    row = repeat(np.arange(rows.pos.size - 1, dtype=np.int32), np.diff(rows.pos))
    columns = (rows.crd, row) if tensor.format.order[:2] == (1, 0) else (row, rows.crd)
    return entries_to_scipy(tensor, columns, rows.values)


def entries_to_scipy(tensor: StoredTensor, coordinates: tuple[Array, ...], values: Array) -> scipy.sparse.sparray:
    """What ``tensor`` stores, given by coordinates, as COO.

    Raises
    ------
    CompileError
        as :func:`to_scipy`.
    """
    require_scipy("to_scipy()", INSTEAD)
    import scipy.sparse

    _check_fill(tensor)
    coo_array: Any = scipy.sparse.coo_array
    entries: scipy.sparse.sparray = coo_array((values, coordinates), shape=tensor.shape)
    return entries


def _check_fill(tensor: StoredTensor) -> None:
    if tensor.fill == 0:
        return
    raise OperandError(
        Diagnostic(
            code="runtime/fill",
            message=f"What this tensor does not store is {tensor.fill}; in a SciPy array it would be zero.",
            expected="a tensor with the fill 0",
            actual=f"the fill {tensor.fill}",
            hint="Use .to_coo() for what is stored, or .to_numpy() for everything.",
        )
    )


def to_cupy(tensor: StoredTensor, *, copy: bool) -> Any:
    """A CuPy array of a dense tensor, on its memory where that is on the GPU and no ``copy`` is asked for; or a matrix
    of ``cupyx.scipy.sparse``, which is a copy.

    Raises
    ------
    CompileError
        ``runtime/resident`` for a format that CuPy does not have, ``runtime/no-cuda``.
    """
    from heddle.runtime.devices.cuda import gpu

    cupy = gpu()
    if tensor.format.is_dense:
        vals = cupy.array(tensor.vals) if copy else cupy.asarray(tensor.vals)
        sizes = [tensor.shape[dimension] for dimension in tensor.format.order]
        return vals.reshape(sizes).transpose(tuple(map(int, np.argsort(tensor.format.order))))
    name = next((name for name, format in CUPY_FORMATS.items() if format == tensor.format), None)
    if name is None or tensor.fill != 0:
        raise _not_in_cupy(tensor)
    sparse: Any = import_module("cupyx.scipy.sparse")
    vals, last = cupy.array(tensor.vals), tensor.levels[1]
    if name == "coo":
        coordinates = (cupy.array(tensor.levels[0].crd), cupy.array(last.crd))
        return sparse.coo_matrix((vals, coordinates), shape=tensor.shape)
    build = sparse.csr_matrix if name == "csr" else sparse.csc_matrix
    return build((vals, cupy.array(last.crd), cupy.array(last.pos)), shape=tensor.shape)


def _not_in_cupy(tensor: StoredTensor) -> OperandError:
    text = format_text(tensor.format) + (f" with the fill {tensor.fill}" if tensor.fill != 0 else "")
    expected = f"dense, {', '.join(CUPY_FORMATS)}, with the fill 0"
    return OperandError(
        Diagnostic(
            code="runtime/resident",
            message=f"CuPy has no array for a tensor that is stored as {text}.",
            expected=expected,
            actual=text,
            hint="to_coo() gives its entries, on the host.",
        )
    )
