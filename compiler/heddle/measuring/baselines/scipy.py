"""SciPy: what a person would write with ``scipy.sparse`` (results allocated by each call)."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

import numpy as np

from heddle.measuring.baselines.dense.programs import UntranslatedError
from heddle.measuring.baselines.dense.signal_arrays import CORRELATE, translate_convolution
from heddle.measuring.baselines.linear_forms import (
    GridProduct,
    LinearTerm,
    Operation,
    Reduction,
    find_reduction,
    linear_terms,
)
from heddle.measuring.baselines.patterns import Factor, MatrixMatrix, MatrixVector, SampledProduct
from heddle.measuring.baselines.scipy_operations import (
    Call,
    block_shape,
    is_sparse,
    matrix_of,
    scaled_operation,
    vector_of,
)
from heddle.measuring.contender import Contender, Problem, Stopwatch, Unavailable, not_compared
from heddle.runtime.tensors.coordinates import Entries

LABEL = "SciPy"
# Cells of the dense product that an SDDMM in SciPy has to make.
_LARGEST_PRODUCT = 1 << 24


def prepare(problem: Problem) -> Contender | Unavailable:
    """The expression in SciPy, with operands converted to CSR, or to BSR where they are stored in blocks."""
    for tensor in problem.signature.inputs:
        if tensor.fill != 0 and isinstance(problem.operands[tensor.name], Entries):
            reason = f"{tensor.name} is filled with {tensor.fill}, SciPy's sparse arrays with 0."
            return Unavailable("scipy", LABEL, reason)
    reduction = find_reduction(problem.assignment)
    if reduction is not None:
        return _reduce(problem, reduction)
    terms = linear_terms(problem.assignment)
    if terms is None:
        return _convolve(problem)
    for term in terms:
        too_large = _whole_product(problem, term.operation)
        if too_large is not None:
            return Unavailable("scipy", LABEL, too_large)
    watch = Stopwatch()
    calls = watch.step("convert", lambda: [scaled_operation(problem, term) for term in terms])
    threads = problem.threads if any(_is_dense_product(problem, term.operation) for term in terms) else 1
    note = _note(problem, terms)
    return _contender(problem, lambda: reduce(add, (call() for call in calls)), watch, note, threads)


def _reduce(problem: Problem, reduction: Reduction) -> Contender | Unavailable:
    name, operator = reduction.tensor, reduction.operator
    order = len(problem.operands[name].shape)
    if order not in (1, 2) or 0 in problem.operands[name].shape:
        subject = f"{operator} of {order} dimensions" if order > 2 else "operands without elements"
        return Unavailable("scipy", LABEL, not_compared(LABEL, subject))
    watch = Stopwatch()
    matrix = watch.step("convert", lambda: matrix_of(problem, Factor(name)) if order == 2 else vector_of(problem, name))
    axis = reduction.axes[0] if len(reduction.axes) < order else None
    note = f"{name}.{operator}(axis={axis}) on one thread, with the zeros that are not stored."
    return _contender(problem, lambda: getattr(matrix, operator)(axis=axis), watch, note)


def _convolve(problem: Problem) -> Contender | Unavailable:
    if any(isinstance(operand, Entries) for operand in problem.operands.values()):
        return Unavailable("scipy", LABEL, not_compared(LABEL))
    watch = Stopwatch()
    try:
        program = watch.step("plan", lambda: translate_convolution(problem))
    except UntranslatedError as error:
        return Unavailable("scipy", LABEL, not_compared(LABEL, str(error)))
    if program is None:
        return Unavailable("scipy", LABEL, not_compared(LABEL))
    others = [call for call in program.calls if call != CORRELATE]
    note = f"{CORRELATE} of each image and filter{''.join(f' and {call}' for call in others)}, on one thread."
    return _contender(problem, program.run, watch, note)


def _contender(problem: Problem, call: Call, watch: Stopwatch, note: str, threads: int = 1) -> Contender:
    """A sparse result stays so where the kernel's is sparse; where that is dense, the call makes it dense."""
    last: list[Any] = [None]
    dense = problem.signature.result.format.is_dense

    def compute() -> None:
        result = call()
        last[0] = result.toarray() if dense and is_sparse(result) else result

    def result() -> Any:
        array = last[0].toarray() if is_sparse(last[0]) else np.asarray(last[0])
        return array.reshape([problem.sizes[index] for index in problem.assignment.target.indices])

    return Contender("scipy", LABEL, compute, result, watch.steps, note, threads)


def _note(problem: Problem, terms: tuple[LinearTerm, ...]) -> str:
    """On how many threads it runs, and what it makes beside what the kernel makes."""
    operations = [term.operation for term in terms]
    note = "One thread: SciPy's sparse operations use only one."
    if any(_is_dense_product(problem, operation) for operation in operations):
        note = f"Dense products on as many threads as the kernel, {problem.threads}; all else on one."
    if any(isinstance(operation, SampledProduct) for operation in operations):
        note += " It has no sampled product: the whole product is computed first."
    blocked = dict.fromkeys(name for operation in operations for name in _find_blocked(problem, operation))
    if blocked:
        note += f" {' and '.join(blocked)} in BSR, with the blocks of the kernel."
    if len(problem.assignment.target.indices) == 2 and _is_sparse(problem, *problem.operands):
        if problem.signature.result.format.is_dense:
            note += " The result is made sparse and then dense, as the kernel's is."
        elif any(isinstance(operation, MatrixMatrix) for operation in operations):
            note += " It leaves the rows of the product unsorted."
    return note


def _is_dense_product(problem: Problem, operation: Operation) -> bool:
    """Whether it multiplies dense arrays, which NumPy does with its library of linear algebra."""
    match operation:
        case MatrixVector(matrix=matrix, vector=vector):
            return not (_is_sparse(problem, matrix.tensor) or _is_sparse(problem, vector))
        case MatrixMatrix(left=left, right=right) | SampledProduct(left=left, right=right):
            return not (_is_sparse(problem, left.tensor) or _is_sparse(problem, right.tensor))
        case GridProduct():
            return False
        case _:
            raise TypeError(f"unexpected operation {operation!r}")


def _find_blocked(problem: Problem, operation: Operation) -> tuple[str, ...]:
    """The operand that is multiplied in BSR."""
    match operation:
        case MatrixVector(matrix=Factor(tensor=name, transposed=False)):
            pass
        case MatrixMatrix(left=Factor(tensor=name, transposed=False), right=right):
            if _is_sparse(problem, right.tensor):
                return ()
        case _:
            return ()
    blocks = block_shape(problem.signature.tensors[name].format, problem.operands[name].shape)
    return (name,) if blocks is not None and _is_sparse(problem, name) else ()


def _is_sparse(problem: Problem, *names: str) -> bool:
    return all(isinstance(problem.operands[name], Entries) for name in names)


def _whole_product(problem: Problem, operation: Operation) -> str | None:
    """Why a sampled product is not computed; None where it is, or is none."""
    if not isinstance(operation, SampledProduct):
        return None
    cells = int(np.prod([problem.sizes[index] for index in problem.assignment.target.indices]))
    if cells <= _LARGEST_PRODUCT:
        return None
    return f"SciPy has no sampled product, and the whole product would have {cells:,} cells."
