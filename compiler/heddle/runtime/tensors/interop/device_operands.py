"""Operands that are on a GPU already: CuPy arrays, matrices of ``cupyx.scipy.sparse``, and arrays of any other library
with a ``__cuda_array_interface__``. Kernels for CUDA take them where they are and leave the result there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.fills.fill import Fill
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.runtime.storage.device_arrays import DeviceArray, is_device_matrix
from heddle.runtime.storage.interop import CUPY_FORMATS
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.targets import Feature, names_with


def view_resident(operand: Any, format: Format, dtype: str | None, name: str, fill: Fill) -> Tensor:
    """A tensor on the memory of a resident ``operand``, which is looked at on the GPU and not copied.

    Raises
    ------
    CompileError
        ``runtime/resident`` where it is not stored in ``format`` as it is, ``runtime/malformed-tensor``,
        ``runtime/no-cuda``.
    """
    from heddle.runtime.devices.cuda import gpu

    cupy = gpu()
    values = _on_current_stream(cupy, operand.data if is_device_matrix(operand) else operand)
    dtype_name = values.dtype.name
    if dtype is not None and dtype_name != dtype:
        raise _other(name, f"{dtype_name} values", f"{dtype} values", f"Use .astype('{dtype}').")
    if not is_device_matrix(operand):
        return _dense(values, format, dtype_name, name)
    if CUPY_FORMATS.get(operand.format) != format:
        raise _other(name, operand.format, format_text(format), "Convert it there, or pass a copy on the host: .get().")
    levels = _LEVELS[operand.format](cupy, operand, name)
    return Tensor(tuple(int(size) for size in operand.shape), format, dtype_name, levels, values, fill, checked=True)


def _on_current_stream(cupy: Any, array: Any) -> DeviceArray:
    """``array`` as CuPy's. Another library's, such as PyTorch's, is asked by DLPack to let CuPy's stream wait for what
    it has queued; its ``__cuda_array_interface__`` need not name a stream."""
    if isinstance(array, cupy.ndarray) or not hasattr(array, "__dlpack__"):
        return cupy.asarray(array)
    return cupy.from_dlpack(array)


def _dense(values: DeviceArray, format: Format, dtype: str, name: str) -> Tensor:
    if not format.is_dense:
        raise _other(name, "dense", format_text(format), "Pass a matrix of cupyx.scipy.sparse.")
    shape, stored = values.shape, values.transpose(format.order)
    if not stored.flags.c_contiguous:
        raise _other(name, "strided memory", "contiguous memory", "Use cupy.ascontiguousarray.")
    return Tensor(shape, format, dtype, (LevelArrays(),) * len(shape), stored.reshape(-1), checked=True)


def _compressed_levels(cupy: Any, matrix: Any, name: str) -> tuple[LevelArrays, ...]:
    pos, crd = _indices(cupy, matrix.indptr, matrix.indices)
    rows, columns = matrix.shape if matrix.format == "csr" else matrix.shape[::-1]
    stored = int(matrix.data.size)
    _require(name, pos.size == rows + 1 and crd.size == stored, "arrays whose lengths do not match its shape")
    _require(name, int(pos[0]) == 0 and int(pos[-1]) == stored, "positions that do not span its entries")
    _require(name, bool((pos[1:] >= pos[:-1]).all()), "positions that decrease")
    _check_bounds(name, crd, columns)
    rising = crd[1:] > crd[:-1]
    starts = cupy.zeros(stored + 1, dtype="bool")
    starts[pos] = True
    _require(name, bool((rising | starts[1:-1]).all()), "coordinates that are not in ascending order in their rows")
    return LevelArrays(), LevelArrays(pos, crd)


def _coordinate_levels(cupy: Any, matrix: Any, name: str) -> tuple[LevelArrays, ...]:
    rows, columns = _indices(cupy, matrix.row, matrix.col)
    stored = int(matrix.data.size)
    _require(name, rows.size == stored and columns.size == stored, "arrays of different lengths")
    for array, size in ((rows, matrix.shape[0]), (columns, matrix.shape[1])):
        _check_bounds(name, array, size)
    later = (rows[1:] > rows[:-1]) | ((rows[1:] == rows[:-1]) & (columns[1:] > columns[:-1]))
    _require(name, bool(later.all()), "entries that are not sorted by row and column, each once")
    return LevelArrays(np.array([0, stored], dtype=rows.dtype), rows), LevelArrays(None, columns)


_LEVELS: Mapping[str, Callable[[Any, Any, str], tuple[LevelArrays, ...]]] = {
    "csr": _compressed_levels,
    "csc": _compressed_levels,
    "coo": _coordinate_levels,
}


def _indices(cupy: Any, *arrays: object) -> list[DeviceArray]:
    """Positions and coordinates, all with 32 bits or all with 64."""
    index_arrays = [_on_current_stream(cupy, array) for array in arrays]
    dtype = "int32" if all(array.dtype == np.dtype("int32") for array in index_arrays) else "int64"
    return [array.astype(dtype, copy=False) for array in index_arrays]


def _check_bounds(name: str, crd: DeviceArray, size: int) -> None:
    _require(name, crd.size == 0 or bool(((crd >= 0) & (crd < size)).all()), "coordinates outside its shape")


def _require(name: str, holds: bool, actual: str) -> None:
    if not holds:
        raise OperandError(
            Diagnostic(
                code="runtime/malformed-tensor",
                message=f"{name} is on the GPU with {actual}.",
                location=Location(Part.INPUT, tensor=name),
                expected="sorted entries inside the shape, each once",
                actual=actual,
                hint="sum_duplicates() of cupyx.scipy.sparse sorts the entries and adds up duplicates.",
            )
        )


def _other(name: str, actual: str, expected: str, hint: str) -> OperandError:
    return OperandError(
        Diagnostic(
            code="runtime/resident",
            message=f"{name} is on the GPU as {actual}, but the kernel was compiled for {expected}; operands on the "
            "GPU are not converted.",
            location=Location(Part.INPUT, tensor=name),
            expected=expected,
            actual=actual,
            hint=hint,
        )
    )


def not_for(target: str, name: str) -> OperandError:
    """A kernel for another target was given an operand on the GPU."""
    return OperandError(
        Diagnostic(
            code="runtime/resident",
            message=f"{name} is on the GPU, but the kernel runs on the target {target}.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"an operand in the memory of {target}",
            actual="an array on the GPU",
            hint=f"Compile for the target {names_with(Feature.DEVICE_OPERANDS)}, or copy it: .get().",
        )
    )
