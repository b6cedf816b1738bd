"""The *kind* of an operand is what a kernel is compiled for: format, dtype, order and fill."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heddle.fills.fill import Fill, plain, read_fill
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.plan import DTYPES
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix
from heddle.runtime.tensors.interop.scipy_operands import is_scipy_sparse
from heddle.runtime.tensors.operands import as_operand
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import dtype_name

DENSE = "dense"
_PYTHON_NUMBERS = (bool, int, float, complex)


@dataclass(frozen=True, slots=True)
class OperandKind:
    """``format`` is a text; ``dtype`` is None for a number of Python, which takes that of the arrays that it meets."""

    format: str
    dtype: str | None
    shape: tuple[int, ...]
    fill: Fill = 0
    stored: int | None = None
    """Stored values of a sparse operand; None of a dense one."""
    number: bool | int | float | complex | None = None
    """The value of a number of Python."""

    @property
    def sparse(self) -> bool:
        return self.format != DENSE

    @property
    def density(self) -> float:
        """The share of its elements that is stored."""
        elements = float(np.prod(self.shape, dtype=float))
        return 1.0 if self.stored is None or not elements else min(1.0, self.stored / elements)


def sparse_format(order: int) -> str:
    """The format in which entries of so many dimensions are stored where nobody names one."""
    match order:
        case 0:
            return DENSE
        case 1:
            return "sparse"
        case 2:
            return "csr"
        case _:
            return "csf"


def kind_of(operand: object, name: str) -> OperandKind:
    """Of any operand that a kernel takes.

    Raises
    ------
    OperandError
        as :func:`heddle.pack`, for what is no operand.
    """
    if isinstance(operand, Tensor):
        layout = _format_name(operand.format)
        stored = None if operand.format.is_dense else operand.stored
        return OperandKind(layout, operand.dtype, operand.shape, operand.fill, stored)
    if type(operand) in _PYTHON_NUMBERS:
        return OperandKind(DENSE, None, (), number=operand)  # type: ignore[arg-type]
    if is_scipy_sparse(operand):
        matrix: Any = operand
        shape = tuple(int(size) for size in matrix.shape)
        layout = "csc" if matrix.format == "csc" else sparse_format(len(shape))
        return OperandKind(layout, _supported(matrix, name), shape, stored=int(matrix.nnz))
    known = as_operand(operand, name)
    shape = tuple(int(size) for size in known.shape)
    dtype = dtype_name(known.dtype)
    match known:
        case Tensor():
            return kind_of(known, name)
        case Entries():
            fill = read_fill(plain(known.fill)) if known.fill is not None else 0
            return OperandKind(sparse_format(len(shape)), dtype, shape, fill or 0, int(known.values.size))
        case CompressedMatrix(order=order):
            return OperandKind("csr" if order == (0, 1) else "csc", dtype, shape, stored=int(known.values.size))
        case _:
            return OperandKind(DENSE, dtype, shape)


def cache_key(operand: object, name: str = "operand", format_key: Callable[[Format], int] = id) -> Hashable:
    """What an operand has in common with others for which the same kernel and schedule are right: type, format, dtype,
    fill, shape, and the magnitude of what is stored. ``format_key`` is the number of a format: its identity is found
    fastest, and differs between equal formats."""
    if isinstance(operand, Tensor):
        return format_key(operand.format), operand.dtype, operand.fill, operand.shape, operand.vals.size.bit_length()
    if type(operand) is np.ndarray:
        return operand.dtype, operand.shape
    if type(operand) in _PYTHON_NUMBERS:
        return type(operand).__name__
    if is_scipy_sparse(operand):
        matrix: Any = operand
        known = matrix.format
        stored = len(matrix.indices) if known in ("csr", "csc") else int(matrix.nnz)
        return known, matrix.dtype, matrix.shape, stored.bit_length()
    kind = kind_of(operand, name)
    return kind.format, kind.dtype, kind.fill, kind.shape, (kind.stored or 0).bit_length()


def common_dtype(kinds: Mapping[str, OperandKind]) -> str:
    """The dtype in which numbers of Python meet the other operands: NumPy's promotion of the arrays, then of the
    numbers as weak scalars."""
    arrays = [np.dtype(kind.dtype) for kind in kinds.values() if kind.dtype is not None]
    numbers = [kind.number for kind in kinds.values() if kind.dtype is None]
    if not arrays:
        return dtype_name(np.result_type(*(np.asarray(number).dtype for number in numbers)))
    promoted: Any = np.result_type(*arrays)
    for number in numbers:
        promoted = np.result_type(promoted, number)
    return dtype_name(promoted)


def declared_dtypes(kinds: Mapping[str, OperandKind]) -> dict[str, str]:
    """The dtype of every operand; those of numbers follow the arrays."""
    weak = common_dtype(kinds) if any(kind.dtype is None for kind in kinds.values()) else ""
    return {name: kind.dtype or weak for name, kind in kinds.items()}


def _supported(matrix: Any, name: str) -> str:
    dtype = dtype_name(matrix.dtype)
    return dtype if dtype in DTYPES else dtype_name(as_operand(matrix, name).dtype)


def _format_name(layout: Format) -> str:
    return DENSE if layout.is_dense and layout.order == tuple(range(len(layout.order))) else format_text(layout)
