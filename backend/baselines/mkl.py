"""Intel MKL: inspector-executor products; creating, hinting and optimising are outside the timed region."""

from __future__ import annotations

from collections.abc import Callable

from backend.baselines import mkl_library
from backend.baselines.contender import Contender, Problem, Stopwatch, Unavailable
from backend.baselines.mkl_library import NON_TRANSPOSE, TRANSPOSE, MklError, SparseMatrix
from backend.baselines.scipy import csr
from backend.baselines.sparse_products import SparseProduct, sparse_product
from compiler.runtime.memory import buffers

LABEL = "MKL"
_PRECISIONS = {"float64": "d", "float32": "s"}
# How many calls MKL's optimisation is told to expect.
_CALLS = 1000


def prepare(problem: Problem) -> Contender | Unavailable:
    """SpMV and SpMM with a sparse left operand and a dense, row-major right one."""
    product = sparse_product(problem, LABEL)
    if isinstance(product, str):
        return Unavailable("mkl", LABEL, product)
    try:
        return _contender(problem, product)
    except MklError as error:
        return Unavailable("mkl", LABEL, str(error))


def _contender(problem: Problem, product: SparseProduct) -> Contender:
    entries, transposed, dense = product.sparse, product.transposed, product.dense
    multiple = dense.ndim == 2
    library = mkl_library.load(problem.openmp)
    mkl_library.set_threads(library, problem.threads)
    watch = Stopwatch()
    operation = TRANSPOSE if transposed else NON_TRANSPOSE
    rows = entries.shape[1 if transposed else 0]
    shape = (rows, dense.shape[1]) if multiple else (rows,)
    result = buffers.zeros(buffers.elements(shape), problem.dtype).reshape(shape)
    arrays = watch.step("convert", lambda: csr(entries))
    matrix = watch.step("create", lambda: SparseMatrix(library, arrays, _PRECISIONS[problem.dtype]))
    if multiple:
        matrix.hint_mm(operation, dense.shape[1], _CALLS)
    else:
        matrix.hint_mv(operation, _CALLS)
    watch.step("optimize", matrix.optimize)
    call: Callable[[], None] = matrix.mm(operation, dense, result) if multiple else matrix.mv(operation, dense, result)
    facts = mkl_library.facts(problem.openmp)
    note = f"Inspector-executor, {facts['dispatch']} code path, {facts['threading']}."
    return Contender("mkl", LABEL, call, lambda: result, watch.steps, note)
