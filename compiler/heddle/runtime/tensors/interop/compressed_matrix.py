"""SciPy's CSR, CSC and BSR as operands: their arrays are looked at once, by compiled C, before anything reads them.

SciPy does not check the arrays that a matrix is made of or that are assigned later, and it remembers whether they are
in order, which a change of the arrays does not undo. So nothing of that is asked of SciPy, and its objects stay as they
are.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from heddle.counts import repeat
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.runtime.native import c_files, library, native_helpers
from heddle.runtime.tensors.coordinates import Entries

Array = NDArray[Any]

_BROKEN_POSITIONS, _OUTSIDE, _OUT_OF_ORDER = 1, 2, 4
_LEAST_SHARED = 1 << 16
"""Fewer rows and entries are looked at on one thread, without asking how many there are."""
_NATIVE = (np.dtype("int32"), np.dtype("int64"))


@dataclass(slots=True, eq=False)  # not frozen, which would take a tenth of a small kernel's call
class CompressedMatrix:
    """Rows (``order`` 0, 1) or columns (1, 0) of a matrix of ``shape``, on the memory of SciPy's CSR or CSC.

    ``pos`` has a position for each row and one behind the last, ``crd`` and ``values`` an element for each entry.
    Both index arrays are of int32 or both of int64; all coordinates lie inside the shape. ``canonical``: each row is in
    ascending order and has no coordinate twice.
    """

    shape: tuple[int, int]
    order: tuple[int, int]
    pos: Array
    crd: Array
    values: Array
    canonical: bool

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.values.dtype

    def entries(self) -> Entries:
        """The same by coordinates."""
        rows = repeat(np.arange(self.pos.size - 1, dtype=self.crd.dtype), np.diff(self.pos))
        columns = (rows, self.crd) if self.order == (0, 1) else (self.crd, rows)
        return Entries(self.shape, columns, self.values)


def checked_matrix(matrix: Any, name: str, validate: bool = True) -> CompressedMatrix | Entries:
    """SciPy's CSR or CSC, or a CSR array of one dimension (as entries). Without ``validate`` the caller vouches for its
    arrays, and that its rows are in order without duplicates.

    Raises
    ------
    OperandError
        ``runtime/malformed-matrix``, ``runtime/coordinate-out-of-range``.
    """
    shape = tuple(int(size) for size in matrix.shape)
    by_rows = matrix.format == "csr"
    rows, size = (1, *shape) if len(shape) == 1 else shape if by_rows else shape[::-1]
    pos, crd, count = _index_arrays(matrix, rows, name)
    values = _vector(matrix.data, matrix.format, "data", name)
    if values.size != crd.size:
        refuse_malformed(
            name, matrix.format, f"data has {values.size} elements and indices {crd.size}", "as many of both"
        )
    if count != crd.size:
        crd, values = crd[:count], values[:count]
    seen = look_at_rows(pos, crd, size) if validate else 0
    if seen & ~_OUT_OF_ORDER:
        _explain(pos, crd, size, name, matrix.format, dimension=len(shape) - 1 if by_rows else 0)
    if len(shape) == 1:
        return Entries(shape, (crd,), values)
    return CompressedMatrix((shape[0], shape[1]), (0, 1) if by_rows else (1, 0), pos, crd, values, not seen)


def checked_blocks(matrix: Any, name: str, validate: bool = True) -> Entries:
    """SciPy's BSR by coordinates, with all values of its blocks.

    Raises
    ------
    OperandError
        ``runtime/malformed-matrix``.
    """
    shape = tuple(int(size) for size in matrix.shape)
    values = np.asarray(matrix.data)
    if values.ndim != 3 or 0 in values.shape[1:]:
        refuse_malformed(name, "bsr", f"data has the shape {values.shape}", "blocks, behind one another")
    height, width = values.shape[1:]
    if shape[0] % height or shape[1] % width:
        refuse_malformed(
            name, "bsr", f"its blocks are {height} × {width}", f"blocks that divide {shape[0]} × {shape[1]}"
        )
    pos, crd, count = _index_arrays(matrix, shape[0] // height, name)
    if values.shape[0] != crd.size:
        actual = f"data has {values.shape[0]} blocks and indices {crd.size}"
        refuse_malformed(name, "bsr", actual, "as many of both")
    crd, values = crd[:count], values[:count]
    if validate and look_at_rows(pos, crd, shape[1] // width) & ~_OUT_OF_ORDER:
        _explain(pos, crd, shape[1] // width, name, "bsr")
    row = repeat(np.arange(pos.size - 1), np.diff(pos))
    rows = (row * height)[:, None, None] + np.arange(height)[:, None]
    columns = (crd.astype(np.int64) * width)[:, None, None] + np.arange(width)
    columns_of_entries = (np.broadcast_to(index_array, values.shape).reshape(-1) for index_array in (rows, columns))
    return Entries(shape, tuple(columns_of_entries), values.reshape(-1))


def look_at_rows(pos: Array, crd: Array, size: int) -> int:
    """What is wrong with rows of coordinates below ``size``, 0 where nothing is: a bit each for positions that do not
    ascend from 0 to the number of entries, for coordinates outside, and for rows that do not ascend."""
    call = _compile(crd.itemsize)
    if call is None:
        return _look_by_numpy(pos, crd, size)
    rows, count = pos.size - 1, crd.size
    parts = 1 if rows + count < _LEAST_SHARED else native_helpers.threads(rows + count)
    return call(parts, rows, size, count, library.pointer(pos), library.pointer(crd))


@functools.cache
def _compile(itemsize: int) -> library.Call | None:
    """The C for indices of so many bytes: found again sooner than by its text."""
    call = native_helpers.moving(c_files.text_of("check_rows.c"), "check_rows", 8, f"int{8 * itemsize}")
    return None if call is None else library.declare(call, dimensions=4, pointers=2)


def _look_by_numpy(pos: Array, crd: Array, size: int) -> int:
    """The same without a C compiler."""
    if pos[0] != 0 or pos[-1] != crd.size or bool((pos[1:] < pos[:-1]).any()):
        return _BROKEN_POSITIONS
    if crd.size == 0:
        return 0
    outside = _OUTSIDE if int(crd.min()) < 0 or int(crd.max()) >= size else 0
    falls = crd[1:] <= crd[:-1]
    starts = np.zeros(crd.size + 1, dtype=bool)
    starts[pos] = True
    return outside | (_OUT_OF_ORDER if bool((falls & ~starts[1:-1]).any()) else 0)


def _index_arrays(matrix: Any, rows: int, name: str) -> tuple[Array, Array, int]:
    """``indptr`` and ``indices`` of one native type, and the number of entries, which ``indices`` are at least."""
    format = matrix.format
    pos, crd = _vector(matrix.indptr, format, "indptr", name), _vector(matrix.indices, format, "indices", name)
    if pos.dtype is not crd.dtype or pos.dtype not in _NATIVE:
        pos, crd = _convert(pos, format, "indptr", name), _convert(crd, format, "indices", name)
    if pos.size != rows + 1:
        refuse_malformed(name, format, f"indptr has {pos.size} elements", f"{rows + 1}")
    count = pos.item(-1)
    if not 0 <= count <= crd.size:
        refuse_malformed(
            name, format, f"indptr ends at {count}", f"the number of entries, of which {crd.size} are there"
        )
    return pos, crd, count


def _vector(array: Any, format: str, label: str, name: str) -> Array:
    """``array`` as a contiguous vector in the machine's own order of bytes."""
    if type(array) is np.ndarray and array.ndim == 1 and array.flags.c_contiguous and array.dtype.isnative:
        return array if array.flags.aligned else array.copy()
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        refuse_malformed(name, format, f"{label} is a masked array", "an array without a mask")
    plain = np.asarray(array)
    if plain.ndim != 1:
        refuse_malformed(name, format, f"{label} has {plain.ndim} dimensions", "one dimension")
    return np.array(plain, dtype=plain.dtype.newbyteorder("="), order="C")


def _convert(array: Array, format: str, label: str, name: str) -> Array:
    if array.dtype.kind not in "iu" and array.size:
        refuse_malformed(name, format, f"{label} is of type {array.dtype}", "integers")
    # What does not fit is negative afterwards, and outside either way.
    return array.astype(np.int64, copy=False)


def _explain(pos: Array, crd: Array, size: int, name: str, format: str, dimension: int | None = None) -> NoReturn:
    """Says what is wrong with these rows, for blocks where there is no ``dimension``."""
    if pos[0] != 0:
        refuse_malformed(name, format, f"indptr starts with {pos[0]}", "0")
    falls = np.flatnonzero(pos[1:] < pos[:-1])
    if falls.size:
        row = int(falls[0])
        refuse_malformed(
            name,
            format,
            f"indptr decreases from {pos[row]} to {pos[row + 1]} at element {row + 1}",
            "positions that never decrease",
        )
    number = int(np.flatnonzero((crd < 0) | (crd >= size))[0])
    if dimension is None:
        refuse_malformed(name, format, f"indices holds the block column {crd[number]}", _below(size))
    raise outside_error(name, number, int(crd[number]), dimension, size)


def outside_error(name: str, number: int, coordinate: int, dimension: int, size: int) -> OperandError:
    """Entry ``number`` of an operand has a ``coordinate`` that its ``dimension`` (0-based) does not."""
    return OperandError(
        Diagnostic(
            code="runtime/coordinate-out-of-range",
            message=f"Entry {number} of {name} has coordinate {coordinate} in dimension {dimension + 1}, "
            f"which has the size {size}.",
            location=Location(Part.INPUT, tensor=name),
            expected=_below(size),
            actual=str(coordinate),
            hint="Coordinates count from 0; make the shape larger if the coordinate is right.",
        )
    )


def _below(size: int) -> str:
    return f"coordinates from 0 to {size - 1}" if size else "no entries: the dimension is empty"


def refuse_malformed(name: str, format: str, actual: str, expected: str) -> NoReturn:
    """Refuses a matrix of SciPy's ``format`` whose arrays are not such.

    Raises
    ------
    OperandError
        ``runtime/malformed-matrix``.
    """
    raise OperandError(
        Diagnostic(
            code="runtime/malformed-matrix",
            message=f"The arrays of {name} are not those of a {format} matrix: {actual}, expected {expected}.",
            location=Location(Part.INPUT, tensor=name),
            expected=expected,
            actual=actual,
            hint=f"SciPy does not look at the arrays that a matrix is made of; {name}.check_format() does.",
        )
    )
