"""PyTorch on the CPU, where somebody installed it: a sparse CSR tensor times a dense one, and programs over dense
tensors. It is no dependency."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from heddle.measuring.baselines.dense.programs import UntranslatedError, translate
from heddle.measuring.baselines.dense.torch_arrays import TorchArrays
from heddle.measuring.baselines.dense.torch_operations import find_operation
from heddle.measuring.baselines.scipy_operations import csr
from heddle.measuring.baselines.sparse_products import SparseProduct, find_sparse_product
from heddle.measuring.contender import Contender, Problem, Stopwatch, Unavailable, not_compared
from heddle.runtime.tensors.coordinates import Entries

LABEL = "PyTorch"


def prepare(problem: Problem) -> Contender | Unavailable:
    """SpMV and SpMM with a sparse left operand and a dense, row-major right one; what has dense operands alone."""
    dense = not any(isinstance(operand, Entries) for operand in problem.operands.values())
    product = None if dense else find_sparse_product(problem, LABEL)
    if isinstance(product, str):
        return Unavailable("torch", LABEL, product)
    try:
        torch: Any = import_module("torch")
    except (ImportError, OSError) as error:
        return Unavailable("torch", LABEL, missing(error))
    torch.set_num_threads(problem.threads)
    return _dense_contender(torch, problem) if product is None else _contender(torch, problem, product)


def missing(error: Exception) -> str:
    """Why there is none, as a sentence for the page."""
    if isinstance(error, ModuleNotFoundError) and error.name == "torch":
        return "PyTorch is not installed. It is optional; install torch beside Heddle to compare with it."
    return f"PyTorch is installed, but does not load: {error}."


def _contender(torch: Any, problem: Problem, product: SparseProduct) -> Contender:
    watch = Stopwatch()
    matrix = watch.step("convert", lambda: _matrix(torch, product))
    dense = torch.from_numpy(product.dense)
    last: list[Any] = [None]

    def call() -> None:
        last[0] = matrix @ dense

    note = f"torch {torch.__version__}, sparse CSR, {problem.threads} threads; results allocated by each call."
    return Contender("torch", LABEL, call, lambda: np.asarray(last[0]), watch.steps, note, problem.threads)


def _dense_contender(torch: Any, problem: Problem) -> Contender | Unavailable:
    watch = Stopwatch()
    library = TorchArrays(torch)
    try:
        program = watch.step("plan", lambda: translate(problem, library))
        operation = watch.step("choose", lambda: find_operation(problem, library, program.run))
    except UntranslatedError as error:
        return Unavailable("torch", LABEL, not_compared(LABEL, str(error)))
    run: Callable[[], Any] = program.run if operation is None else operation.run
    calls = " and ".join(program.calls) or "operations by element" if operation is None else operation.name
    last: list[Any] = [None]

    def call() -> None:
        last[0] = run()

    note = f"{calls} of torch {torch.__version__}, {problem.threads} threads; results allocated by each call."
    return Contender("torch", LABEL, call, lambda: np.asarray(last[0]), watch.steps, note, problem.threads)


def _matrix(torch: Any, product: SparseProduct) -> Any:
    arrays = csr(product.sparse)
    if product.transposed:
        arrays = arrays.T.tocsr()
    parts = (torch.from_numpy(part) for part in (arrays.indptr, arrays.indices, arrays.data))
    return torch.sparse_csr_tensor(*parts, size=arrays.shape)
