"""Operands that lie on a GPU already: CuPy arrays, matrices of ``cupyx.scipy.sparse``, and arrays of any other library
with a ``__cuda_array_interface__`` (DESIGN §3.7). Kernels for CUDA take them where they are and leave the result there.

They are recognised by that interface, so that nothing here imports CuPy before an operand of its kind is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.diagnostics import CompileError, Diagnostic, Location, Part
from compiler.formats.format import Format
from compiler.formats.presets import PRESETS
from compiler.formats.printer import format_text
from compiler.runtime.memory import buffers
from compiler.runtime.tensors.result_tensors import Allocate
from compiler.runtime.tensors.tensor import LevelArrays, Tensor
from compiler.targets import Feature, names_with

DeviceArray = Any
"""A ``cupy.ndarray``."""


def is_resident(operand: object) -> bool:
    """Whether ``operand`` is an array, or a sparse matrix of arrays, in the memory of a GPU."""
    return _is_array(operand) or _is_sparse(operand)


def _is_array(operand: object) -> bool:
    return hasattr(operand, "__cuda_array_interface__")


def _is_sparse(operand: object) -> bool:
    return hasattr(operand, "format") and _is_array(getattr(operand, "data", None))


def taken(operand: Any, format: Format, dtype: str | None, name: str, fill: int | float | bool) -> Tensor:
    """A tensor on the memory of a resident ``operand``, which is looked at on the GPU and not copied.

    Raises:
        CompileError: ``runtime/resident`` where it is not stored in ``format`` as it is, ``runtime/malformed-tensor``,
            ``runtime/no-cuda``.
    """
    from compiler.runtime.devices.cuda import gpu

    cupy = gpu()
    values = cupy.asarray(operand.data if _is_sparse(operand) else operand)
    found = values.dtype.name
    if dtype is not None and found != dtype:
        raise _other(name, f"{found} values", f"{dtype} values", f"Use .astype('{dtype}').")
    if not _is_sparse(operand):
        return _dense(values, format, found, name)
    if _FORMATS.get(operand.format) != format:
        raise _other(name, operand.format, format_text(format), "Convert it there, or pass a copy on the host: .get().")
    levels = _LEVELS[operand.format](cupy, operand, name)
    return Tensor(tuple(int(size) for size in operand.shape), format, found, levels, values, fill, checked=True)


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
    _require(name, pos.size == rows + 1 and crd.size == stored, "arrays of other lengths than its shape asks for")
    _require(name, int(pos[0]) == 0 and int(pos[-1]) == stored, "positions that do not span its entries")
    _require(name, bool((pos[1:] >= pos[:-1]).all()), "positions that fall")
    _inside(name, crd, columns)
    rising = crd[1:] > crd[:-1]
    starts = cupy.zeros(stored + 1, dtype="bool")
    starts[pos] = True
    _require(name, bool((rising | starts[1:-1]).all()), "coordinates that do not ascend in their rows")
    return LevelArrays(), LevelArrays(pos, crd)


def _coordinate_levels(cupy: Any, matrix: Any, name: str) -> tuple[LevelArrays, ...]:
    rows, columns = _indices(cupy, matrix.row, matrix.col)
    stored = int(matrix.data.size)
    _require(name, rows.size == stored and columns.size == stored, "arrays of unlike lengths")
    for array, size in ((rows, matrix.shape[0]), (columns, matrix.shape[1])):
        _inside(name, array, size)
    later = (rows[1:] > rows[:-1]) | ((rows[1:] == rows[:-1]) & (columns[1:] > columns[:-1]))
    _require(name, bool(later.all()), "entries that are not sorted by row and column, each once")
    return LevelArrays(np.array([0, stored], dtype=rows.dtype), rows), LevelArrays(None, columns)


_LEVELS: Mapping[str, Callable[[Any, Any, str], tuple[LevelArrays, ...]]] = {
    "csr": _compressed_levels,
    "csc": _compressed_levels,
    "coo": _coordinate_levels,
}
"""The formats of ``cupyx.scipy.sparse`` whose memory is that of the preset of the same name."""
_FORMATS = {one.name: one.instance(2) for one in PRESETS if one.name in _LEVELS}


def _indices(cupy: Any, *arrays: object) -> list[DeviceArray]:
    """Positions and coordinates, all with 32 bits or all with 64."""
    found = [cupy.asarray(array) for array in arrays]
    dtype = "int32" if all(array.dtype == np.dtype("int32") for array in found) else "int64"
    return [array.astype(dtype, copy=False) for array in found]


def _inside(name: str, crd: DeviceArray, size: int) -> None:
    _require(name, crd.size == 0 or bool(((crd >= 0) & (crd < size)).all()), "coordinates outside its shape")


def _require(name: str, holds: bool, found: str) -> None:
    if not holds:
        raise CompileError(
            Diagnostic(
                code="runtime/malformed-tensor",
                message=f"{name} lies on the GPU with {found}.",
                location=Location(Part.INPUT, tensor=name),
                expected="sorted entries inside the shape, each once",
                found=found,
                hint="sum_duplicates() of cupyx.scipy.sparse sorts the entries and adds up those that come twice.",
            )
        )


def _other(name: str, found: str, expected: str, hint: str) -> CompileError:
    return CompileError(
        Diagnostic(
            code="runtime/resident",
            message=f"{name} lies on the GPU as {found}, but the kernel was compiled for {expected}; it is taken where "
            f"it is, not converted.",
            location=Location(Part.INPUT, tensor=name),
            expected=expected,
            found=found,
            hint=hint,
        )
    )


def not_for(target: str, name: str) -> CompileError:
    """A kernel for another target was given an operand on the GPU."""
    return CompileError(
        Diagnostic(
            code="runtime/resident",
            message=f"{name} lies on the GPU, but the kernel runs on the target {target}.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"an operand in the memory of {target}",
            found="an array on the GPU",
            hint=f"Compile for the target {names_with(Feature.DEVICE_OPERANDS)}, or copy it: .get().",
        )
    )


# ------------------------------------------------------------------------------------------------- tensors


def host_array(array: Any) -> Any:
    """A copy in the host's memory of what lies on a GPU; anything else as it is."""
    return array.get() if _is_array(array) else array


def on_host(tensor: Tensor) -> Tensor:
    """A copy of a resident ``tensor`` in the host's memory."""
    return _elsewhere(tensor, host_array)


def on_gpu(tensor: Tensor) -> Tensor:
    """A copy of ``tensor``, which is looked at before, in the memory of the GPU.

    Raises:
        CompileError: ``runtime/malformed-tensor``, ``runtime/no-cuda``.
    """
    from compiler.runtime.devices.cuda import gpu

    cupy = gpu()
    tensor.validate()
    return _elsewhere(tensor, lambda array: None if array is None else cupy.asarray(array))


def _elsewhere(tensor: Tensor, moved: Callable[[Any], Any]) -> Tensor:
    levels = tuple(
        LevelArrays(moved(one.pos), moved(one.crd), {role: moved(array) for role, array in one.extra.items()})
        for one in tensor.levels
    )
    return Tensor(tensor.shape, tensor.format, tensor.dtype, levels, moved(tensor.vals), tensor.fill, checked=True)


def to_cupy(tensor: Tensor) -> Any:
    """A CuPy array of a dense tensor, or a matrix of ``cupyx.scipy.sparse``: on the tensor's memory, where that is on
    the GPU.

    Raises:
        CompileError: ``runtime/resident`` for a format that CuPy does not have, ``runtime/no-cuda``.
    """
    from compiler.runtime.devices.cuda import gpu

    cupy = gpu()
    if tensor.format.is_dense:
        sizes = [tensor.shape[dimension] for dimension in tensor.format.order]
        return cupy.asarray(tensor.vals).reshape(sizes).transpose(tuple(map(int, np.argsort(tensor.format.order))))
    name = next((name for name, format in _FORMATS.items() if format == tensor.format), None)
    if name is None or tensor.fill != 0:
        raise _not_in_cupy(tensor)
    sparse: Any = import_module("cupyx.scipy.sparse")
    vals, last = cupy.asarray(tensor.vals), tensor.levels[1]
    if name == "coo":
        coordinates = (cupy.asarray(tensor.levels[0].crd), cupy.asarray(last.crd))
        return sparse.coo_matrix((vals, coordinates), shape=tensor.shape)
    build = sparse.csr_matrix if name == "csr" else sparse.csc_matrix
    return build((vals, cupy.asarray(last.crd), cupy.asarray(last.pos)), shape=tensor.shape)


def _not_in_cupy(tensor: Tensor) -> CompileError:
    found = format_text(tensor.format) + (f" with the fill {tensor.fill}" if tensor.fill != 0 else "")
    expected = f"dense, {', '.join(_FORMATS)}, with the fill 0"
    return CompileError(
        Diagnostic(
            code="runtime/resident",
            message=f"CuPy has no array for a tensor that is stored as {found}.",
            expected=expected,
            found=found,
            hint="to_coo() gives its entries, on the host.",
        )
    )


def memory_beside(tensors: Mapping[str, Tensor]) -> Allocate:
    """Where the values of a result go: on the GPU as soon as an operand is there."""
    if not any(tensor.resident for tensor in tensors.values()):
        return buffers.empty
    from compiler.runtime.devices import cuda

    return cuda.empty


def fill_with(target: Any, source: Any) -> None:
    """Copies ``source`` into ``target``, each of them on the host or on the GPU."""
    if _is_array(target) and not _is_array(source):
        target.set(source)
    else:
        target[...] = source.get() if _is_array(source) and not _is_array(target) else source


class HostReads:
    """What the host reads of an array on the GPU: single elements, such as how many entries there are, once each."""

    __slots__ = ("_array", "_known")

    def __init__(self, array: DeviceArray) -> None:
        self._array = array
        self._known: dict[int, NDArray[Any]] = {}

    def __getitem__(self, place: int | slice) -> NDArray[Any]:
        if isinstance(place, slice):
            part: NDArray[Any] = self._array[place].get()
            return part
        if place not in self._known:
            self._known[place] = self._array[place].get()
        return self._known[place]
