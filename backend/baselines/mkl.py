"""Intel MKL: inspector-executor products; creating, hinting and optimising are outside the timed region."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from backend.baselines import mkl_library
from backend.baselines.contender import Contender, Problem, Stopwatch, Unavailable
from backend.baselines.mkl_library import NON_TRANSPOSE, TRANSPOSE, MklError, SparseMatrix
from backend.baselines.patterns import Factor, MatrixMatrix, MatrixVector, recognise
from backend.baselines.scipy import csr
from compiler.runtime import buffers
from compiler.runtime.coordinates import Entries

LABEL = "MKL"
_PRECISIONS = {"float64": "d", "float32": "s"}
# How many calls MKL's optimisation is told to expect.
_CALLS = 1000


def prepare(problem: Problem) -> Contender | Unavailable:
    """SpMV and SpMM with a sparse left operand and a dense, row-major right one."""
    try:
        return _prepare(problem)
    except MklError as error:
        return _no(str(error))


def _prepare(problem: Problem) -> Contender | Unavailable:
    pattern = recognise(problem.assignment)
    match pattern:
        case MatrixVector(matrix=matrix, vector=other):
            multiple = False
        case MatrixMatrix(left=matrix, right=Factor(tensor=other, transposed=False)):
            multiple = True
        case MatrixMatrix():
            return _no("MKL multiplies by dense matrices that are stored as they are used; here one is transposed.")
        case None:
            return _no("MKL has no operation for this expression.")
        case _:
            return _no("MKL has this operation for sparse results only; here the result is dense.")
    sparse, dense = problem.operands[matrix.tensor], problem.operands[other]
    types = {problem.dtype, *(problem.signature.tensors[name].dtype for name in (matrix.tensor, other))}
    if len(types) != 1 or problem.dtype not in _PRECISIONS:
        return _no(f"MKL computes with float64 or float32 throughout; here there is {', '.join(sorted(types))}.")
    if not isinstance(sparse, Entries):
        return _no(f"{matrix.tensor} is dense; MKL's sparse routines need it sparse.")
    if isinstance(dense, Entries):
        return _no(f"{other} is sparse; MKL's products need it dense.")
    if 0 in (*sparse.shape, *dense.shape):
        return _no("MKL does not take empty matrices.")
    return _contender(problem, sparse, matrix.transposed, np.ascontiguousarray(dense), multiple)


def _contender(problem: Problem, entries: Entries, transposed: bool, dense: Any, multiple: bool) -> Contender:
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


def _no(reason: str) -> Unavailable:
    return Unavailable("mkl", LABEL, reason)
