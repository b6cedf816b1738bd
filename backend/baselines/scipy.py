"""SciPy: what a person would write with ``scipy.sparse`` (one thread; results allocated by each call)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from backend.baselines.contender import Contender, Problem, Stopwatch, Unavailable
from backend.baselines.patterns import (
    Factor,
    MatrixMatrix,
    MatrixSum,
    MatrixVector,
    RelationalProduct,
    SampledProduct,
    recognise,
)
from compiler.runtime.tensors.coordinates import Entries

LABEL = "SciPy"
# Cells of the dense product that an SDDMM in SciPy has to make.
_LARGEST_PRODUCT = 1 << 24


def prepare(problem: Problem) -> Contender | Unavailable:
    """The expression in SciPy, with operands converted to CSR."""
    pattern = recognise(problem.assignment)
    watch = Stopwatch()
    note = "One thread: SciPy's sparse products use only one."
    match pattern:
        case MatrixVector(matrix=matrix, vector=vector):
            a, x = watch.step("convert", lambda: (_matrix(problem, matrix), _vector(problem, vector)))
            call: Callable[[], Any] = lambda: a @ x  # noqa: E731
        case MatrixMatrix(left=left, right=right):
            a, b = watch.step("convert", lambda: (_matrix(problem, left), _matrix(problem, right)))
            call = lambda: a @ b  # noqa: E731
        case MatrixSum(terms=terms):
            matrices = watch.step("convert", lambda: [(sign, _matrix(problem, factor)) for sign, factor in terms])
            call = lambda: _summed(matrices)  # noqa: E731
            note += " The sum is made sparse and then dense, as the result is."
        case SampledProduct(sample=sample, left=left, right=right):
            cells = int(np.prod([problem.sizes[index] for index in problem.assignment.target.indices]))
            if cells > _LARGEST_PRODUCT:
                reason = f"SciPy has no sampled product, and the whole product would have {cells:,} cells."
                return Unavailable("scipy", LABEL, reason)
            s, a, b = watch.step("convert", lambda: tuple(_matrix(problem, f) for f in (sample, left, right)))
            call = lambda: s * (a @ b)  # noqa: E731
            note += " It has no sampled product: the whole product is computed first."
        case None | RelationalProduct():
            return Unavailable("scipy", LABEL, "SciPy has no operation for this expression.")
        case _:
            raise TypeError(f"unexpected pattern {pattern!r}")
    return _contender(call, watch, note, isinstance(pattern, MatrixVector))


def _contender(call: Callable[[], Any], watch: Stopwatch, note: str, column: bool) -> Contender:
    last: list[Any] = [None]

    def compute() -> None:
        last[0] = _dense(call(), column)

    return Contender("scipy", LABEL, compute, lambda: np.asarray(last[0]), watch.steps, note)


def _matrix(problem: Problem, factor: Factor) -> Any:
    """CSR, or the dense array; transposed where it is used so."""
    operand = problem.operands[factor.tensor]
    if isinstance(operand, Entries):
        matrix: Any = csr(operand)
        return matrix.T.tocsr() if factor.transposed else matrix
    return operand.T if factor.transposed else operand


def csr(entries: Entries) -> Any:
    """Canonical CSR of sorted entries, with indices of 32 bits where they fit, as our kernels have them."""
    coo_array: Any = scipy.sparse.coo_array
    narrow = max(*entries.shape, entries.values.size) <= np.iinfo(np.int32).max
    columns = tuple(column.astype(np.int32 if narrow else np.int64, copy=False) for column in entries.columns)
    matrix = coo_array((entries.values, columns), shape=entries.shape).tocsr()
    matrix.sum_duplicates()
    return matrix


def _vector(problem: Problem, name: str) -> Any:
    """A dense vector, or a sparse column."""
    operand = problem.operands[name]
    if isinstance(operand, Entries):
        csc_array: Any = scipy.sparse.csc_array
        pos = np.array([0, operand.values.size], dtype=np.int32)
        return csc_array((operand.values, operand.columns[0], pos), shape=(operand.shape[0], 1))
    return operand


def _summed(terms: list[tuple[int, Any]]) -> Any:
    total = terms[0][1] if terms[0][0] == 1 else -terms[0][1]
    for sign, matrix in terms[1:]:
        total = total + matrix if sign == 1 else total - matrix
    return total


def _dense(result: Any, column: bool) -> NDArray[Any]:
    """As the kernel's result is: a dense array, a vector where SciPy makes a ``column``."""
    if not isinstance(result, np.ndarray):
        array: NDArray[Any] = result.toarray()
        return array.reshape(-1) if column else array
    return result
