"""Intel MKL: inspector-executor routines; creating, hinting and optimising are outside the timed region."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.baselines import mkl_library
from heddle.measuring.baselines.mkl_library import NON_TRANSPOSE, TRANSPOSE, MklError
from heddle.measuring.baselines.mkl_matrix import SparseMatrix
from heddle.measuring.baselines.patterns import SampledProduct, recognise
from heddle.measuring.baselines.scipy_operations import csr
from heddle.measuring.baselines.sparse_products import (
    SparseOperation,
    SparseProduct,
    SparseSparseProduct,
    SparseSum,
    find_sparse_operation,
)
from heddle.measuring.contender import Contender, Problem, Stopwatch, Unavailable, not_compared
from heddle.runtime.memory import buffers
from heddle.runtime.tensors.coordinates import Entries

LABEL = "MKL"
_PRECISIONS = {"float64": "d", "float32": "s"}
# How many calls MKL's optimisation is told to expect.
_CALLS = 1000


def prepare(problem: Problem) -> Contender | Unavailable:
    """Products of a sparse matrix with a dense or sparse operand, and sums of sparse matrices."""
    if isinstance(recognise(problem.assignment), SampledProduct):
        return Unavailable("mkl", LABEL, "MKL's sparse routines have no sampled product.")
    operation = find_sparse_operation(problem, LABEL)
    if isinstance(operation, str):
        return Unavailable("mkl", LABEL, operation)
    try:
        return _contender(problem, operation)
    except MklError as error:
        return Unavailable("mkl", LABEL, str(error))


def _contender(problem: Problem, operation: SparseOperation) -> Contender | Unavailable:
    library = mkl_library.load(problem.openmp)
    mkl_library.set_threads(library, problem.threads)
    watch = Stopwatch()
    handles = _Handles(library, _PRECISIONS[problem.dtype], watch)
    match operation:
        case SparseProduct():
            call, result = _dense_product(problem, operation, handles)
            routine = "mkl_sparse_mv" if operation.dense.ndim == 1 else "mkl_sparse_mm"
        case SparseSparseProduct() if problem.signature.result.format.is_dense:
            call, result = _product_into_dense(problem, operation, handles)
            routine = "mkl_sparse_spmmd"
        case SparseSparseProduct():
            call, result = _sparse_product(problem, operation, handles)
            routine = "mkl_sparse_spmm, which allocates its result in each call and leaves its rows unsorted"
        case SparseSum() if problem.signature.result.format.is_dense:
            return Unavailable("mkl", LABEL, not_compared(LABEL, "sums of sparse matrices with a dense result"))
        case SparseSum(terms=terms) if all(sign < 0 for sign, _, _ in terms):
            return Unavailable("mkl", LABEL, not_compared(LABEL, "sums without a positive term"))
        case SparseSum():
            call, result = _sum(problem, operation, handles)
            routine = "mkl_sparse_add, which allocates its result in each call"
        case _:
            raise TypeError(f"unexpected operation {operation!r}")
    facts = mkl_library.facts(problem.openmp)
    note = f"{routine}; {facts['dispatch']} code path, {facts['threading']}."
    threads = problem.threads if problem.openmp in mkl_library.THREADED else 1
    return Contender("mkl", LABEL, call, result, watch.steps, note, threads)


class _Handles:
    """Makes handles on matrices, with the steps timed as preparation."""

    def __init__(self, library: Any, precision: str, watch: Stopwatch) -> None:
        self.library, self.precision, self.watch = library, precision, watch

    def create(self, entries: Entries, transposed: bool = False) -> SparseMatrix:
        arrays = self.watch.step("convert", lambda: _rows(entries, transposed))
        if arrays.indices.dtype != np.int32:
            raise MklError("MKL is called here with indices of 32 bits; these operands need more.")
        return self.watch.step("create", lambda: SparseMatrix(self.library, arrays, self.precision))


Parts = tuple[Callable[[], None], Callable[[], NDArray[Any]]]


def _dense_product(problem: Problem, product: SparseProduct, handles: _Handles) -> Parts:
    dense, operation = product.dense, TRANSPOSE if product.transposed else NON_TRANSPOSE
    result = _zeros(problem)
    matrix = handles.create(product.sparse)
    if dense.ndim == 2:
        matrix.hint_mm(operation, dense.shape[1], _CALLS)
    else:
        matrix.hint_mv(operation, _CALLS)
    handles.watch.step("optimize", matrix.optimize)
    call = matrix.mm(operation, dense, result) if dense.ndim == 2 else matrix.mv(operation, dense, result)
    return call, lambda: result


def _product_into_dense(problem: Problem, product: SparseSparseProduct, handles: _Handles) -> Parts:
    left, right = _pair(product, handles)
    result = _zeros(problem)
    return left.spmmd(right, result), lambda: result


def _sparse_product(problem: Problem, product: SparseSparseProduct, handles: _Handles) -> Parts:
    left, right = _pair(product, handles)
    last: list[SparseMatrix | None] = [None]

    def call() -> None:
        last[0] = None  # gives its memory back first, as the result of the kernel does
        last[0] = left.spmm(right)

    return call, lambda: _result(problem, last)


def _sum(problem: Problem, total: SparseSum, handles: _Handles) -> Parts:
    """Term by term, beginning with a positive one: each further one is scaled by its sign and added."""
    first = next(place for place, (sign, _, _) in enumerate(total.terms) if sign > 0)
    matrices = [handles.create(entries, transposed) for _, entries, transposed in total.terms]
    start = matrices.pop(first)
    signs = [sign for place, (sign, _, _) in enumerate(total.terms) if place != first]
    last: list[SparseMatrix | None] = [None]

    def call() -> None:
        last[0] = None
        result = start
        for sign, matrix in zip(signs, matrices, strict=True):
            result = matrix.add(sign, result)
        last[0] = result

    return call, lambda: _result(problem, last)


def _pair(product: SparseSparseProduct, handles: _Handles) -> tuple[SparseMatrix, SparseMatrix]:
    """Both factors the way round in which they are multiplied: what is stored transposed is converted before."""
    left = handles.create(product.left, product.left_transposed)
    return left, handles.create(product.right, product.right_transposed)


def _rows(entries: Entries, transposed: bool) -> Any:
    """CSR of a matrix; a vector is a matrix with one column."""
    if len(entries.shape) == 1:
        columns = (*entries.columns, np.zeros_like(entries.columns[0]))
        entries = Entries((*entries.shape, 1), columns, entries.values)
    matrix = csr(entries)
    return matrix.T.tocsr() if transposed else matrix


def _zeros(problem: Problem) -> NDArray[Any]:
    shape = _shape(problem)
    return buffers.zeros(buffers.elements(shape), problem.dtype).reshape(shape)


def _shape(problem: Problem) -> tuple[int, ...]:
    return tuple(problem.sizes[index] for index in problem.assignment.target.indices)


def _result(problem: Problem, last: list[SparseMatrix | None]) -> NDArray[Any]:
    matrix = last[0]
    assert matrix is not None
    array: NDArray[Any] = matrix.export().toarray()
    return array.reshape(_shape(problem))
