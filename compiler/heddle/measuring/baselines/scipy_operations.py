"""Operands as ``scipy.sparse`` has them, and calls that compute an operation on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

from heddle.formats.format import Format
from heddle.measuring.baselines.linear_forms import GridProduct, LinearTerm, Operation
from heddle.measuring.baselines.patterns import Axes, Factor, MatrixMatrix, MatrixVector, SampledProduct
from heddle.measuring.contender import Problem
from heddle.runtime.tensors.coordinates import Entries

Call = Callable[[], Any]


def is_sparse(value: Any) -> bool:
    return bool(scipy.sparse.issparse(value))


def csr(entries: Entries) -> Any:
    """Canonical CSR of sorted entries, with indices of 32 bits where they fit, as our kernels have them."""
    coo_array: Any = scipy.sparse.coo_array
    narrow = max(*entries.shape, entries.values.size) <= np.iinfo(np.int32).max
    columns = tuple(column.astype(np.int32 if narrow else np.int64, copy=False) for column in entries.columns)
    matrix = coo_array((entries.values, columns), shape=entries.shape).tocsr()
    matrix.sum_duplicates()
    return matrix


def block_shape(format: Format, shape: tuple[int, ...]) -> tuple[int, int] | None:
    """Rows and columns of the blocks of a matrix in ``bcsr``; None for other formats, and where they do not divide its
    shape, which SciPy's BSR asks for."""
    kinds = tuple(level.kind for level in format.levels)
    if kinds != ("dense", "compressed", "dense", "dense") or format.order != (0, 1, 0, 1):
        return None
    rows, columns = format.blocks.get(0, 0), format.blocks.get(1, 0)
    whole = rows > 0 and columns > 0 and shape[0] % rows == 0 and shape[1] % columns == 0
    return (rows, columns) if whole else None


def matrix_of(problem: Problem, factor: Factor) -> Any:
    """CSR, or the dense array; transposed where it is used so."""
    operand = problem.operands[factor.tensor]
    if isinstance(operand, Entries):
        matrix: Any = csr(operand)
        return matrix.T.tocsr() if factor.transposed else matrix
    return operand.T if factor.transposed else operand


def multiplied_matrix_of(problem: Problem, factor: Factor) -> Any:
    """As :func:`matrix_of`, in BSR where the matrix is stored in blocks that SciPy has as well."""
    matrix = matrix_of(problem, factor)
    format = problem.signature.tensors[factor.tensor].format
    blocks = block_shape(format, matrix.shape) if is_sparse(matrix) and not factor.transposed else None
    return matrix.tobsr(blocksize=blocks) if blocks is not None else matrix


def vector_of(problem: Problem, name: str, upright: bool = True) -> Any:
    """A dense vector, or a sparse column or row."""
    operand = problem.operands[name]
    if not isinstance(operand, Entries):
        return operand
    zeros = np.zeros_like(operand.columns[0])
    places, shape = (operand.columns[0], zeros), (operand.shape[0], 1)
    coo_array: Any = scipy.sparse.coo_array
    return coo_array((operand.values, places if upright else places[::-1]), shape=shape if upright else shape[::-1])


def scaled_operation(problem: Problem, term: LinearTerm) -> Call:
    """A call that computes the term; a factor of 1 is not multiplied by."""
    call = _operation(problem, term.operation)
    coefficient: Any = term.coefficient
    for name in term.scalars:
        coefficient = coefficient * np.asarray(problem.operands[name])[()]
    if term.scalars or coefficient not in (1, -1):
        return lambda: coefficient * call()
    return call if coefficient == 1 else lambda: -call()


def _operation(problem: Problem, operation: Operation) -> Call:
    match operation:
        case MatrixVector(matrix=matrix, vector=vector):
            a, x = multiplied_matrix_of(problem, matrix), vector_of(problem, vector)
            x = x.tocsc() if is_sparse(x) else x
            return lambda: _flat(a @ x)
        case MatrixMatrix(left=left, right=right):
            b = matrix_of(problem, right)
            a = matrix_of(problem, left) if is_sparse(b) else multiplied_matrix_of(problem, left)
            return lambda: a @ b
        case SampledProduct(sample=sample, left=left, right=right):
            s, a, b = (matrix_of(problem, factor) for factor in (sample, left, right))
            return lambda: s * (a @ b)
        case GridProduct():
            return _grid_product(problem, operation)
        case _:
            raise TypeError(f"unexpected operation {operation!r}")


def _grid_product(problem: Problem, product: GridProduct) -> Call:
    """Element by element, sparse factors first, then summed."""
    factors = [_on_grid(problem, product.dimensions, factor) for factor in product.factors]
    first, *others = sorted(factors, key=lambda factor: not is_sparse(factor))

    def multiply() -> Any:
        total = first
        for factor in others:
            total = total.multiply(factor) if is_sparse(total) else total * factor
        return total

    match product.dimensions, product.rank:
        case 2, 2:
            return multiply
        case 1, 1:
            return lambda: _flat(multiply())
        case _, 0:
            return lambda: multiply().sum(dtype=problem.dtype)
        case _:
            return lambda: multiply().sum(axis=1, dtype=problem.dtype)


def _on_grid(problem: Problem, dimensions: int, factor: Axes) -> Any:
    """A factor as a matrix whose shape broadcasts to the grid; a grid of one dimension is a row."""
    if len(factor.axes) == 2:
        return matrix_of(problem, Factor(factor.tensor, factor.axes == (1, 0)))
    upright = dimensions == 2 and factor.axes == (0,)
    vector = vector_of(problem, factor.tensor, upright)
    if is_sparse(vector):
        return vector.tocsr()
    return vector.reshape(-1, 1) if upright else vector.reshape(1, -1)


def _flat(result: Any) -> Any:
    """A vector of what SciPy makes as a sparse row or column."""
    return result.toarray().reshape(-1) if is_sparse(result) else result.reshape(-1)
