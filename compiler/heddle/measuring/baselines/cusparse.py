"""cuSPARSE through CuPy on this machine's GPU: the fastest of its algorithms; preparation is timed apart."""

from __future__ import annotations

import time
from typing import Any

from heddle.measuring.baselines import cusparse_library
from heddle.measuring.baselines.cusparse_library import Opponent, Refused
from heddle.measuring.baselines.scipy_operations import csr
from heddle.measuring.baselines.sparse_products import SparseProduct, find_sparse_product
from heddle.measuring.contender import Contender, Problem, Stopwatch, Unavailable
from heddle.runtime.devices import cuda

LABEL = "cuSPARSE"


def prepare(problem: Problem) -> Contender | Unavailable:
    """SpMV and SpMM with a CSR left operand, all operands on the GPU before the calls."""
    missing = cuda.missing()
    if missing is not None:
        return Unavailable("cusparse", LABEL, f"No GPU: {missing}.")
    product = find_sparse_product(problem, LABEL)
    if isinstance(product, str):
        return Unavailable("cusparse", LABEL, product)
    missing = cusparse_library.missing()
    if missing is not None:
        return Unavailable("cusparse", LABEL, f"{missing}.")
    return _contender(cuda.gpu(), product)


def _contender(cupy: Any, product: SparseProduct) -> Contender | Unavailable:
    from cupyx.scipy import sparse

    watch = Stopwatch()
    arrays = csr(product.sparse)
    # cuSPARSE multiplies by a transposed CSR matrix far more slowly than by one that is stored transposed.
    matrix = watch.step("convert", lambda: arrays.T.tocsr() if product.transposed else arrays)
    there, dense = watch.step("copy to the GPU", lambda: (sparse.csr_matrix(matrix), cupy.asarray(product.dense)))
    multiply = cusparse_library.spmv if product.dense.ndim == 1 else cusparse_library.spmm
    stream = cupy.cuda.get_current_stream()

    def measure(opponent: Opponent) -> float:
        start = time.perf_counter()
        opponent.run()
        stream.synchronize()
        return time.perf_counter() - start

    tried = list(multiply(cupy, there, dense))
    opponents = [candidate for candidate in tried if isinstance(candidate, Opponent)]
    if not opponents:
        reasons = ", ".join(
            f"{candidate.algorithm} ({candidate.reason})" for candidate in tried if isinstance(candidate, Refused)
        )
        return Unavailable("cusparse", LABEL, f"cuSPARSE refuses these operands: {reasons}.")
    best = min(opponents, key=measure)
    watch.add(best.algorithm, best.preparation_ms * 1e-3)

    def call() -> None:
        best.run()
        stream.synchronize()

    note = f"{best.algorithm}, on the GPU; without the time to copy operands there and the result back."
    return Contender("cusparse", LABEL, call, lambda: best.result().get(), watch.steps, note)
