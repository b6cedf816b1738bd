"""The operations on sparse matrices that libraries have as functions, with their operands; or why a library that has
them is not compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.baselines.patterns import (
    Factor,
    MatrixMatrix,
    MatrixSum,
    MatrixVector,
    RelationalProduct,
    SampledProduct,
    recognise,
)
from heddle.measuring.contender import Problem, not_compared
from heddle.runtime.tensors.coordinates import Entries

DTYPES = ("float64", "float32")


@dataclass(frozen=True, slots=True, eq=False)
class SparseProduct:
    """``op(sparse) dense``: ``op`` transposes when ``transposed``; ``dense`` is a vector or a row-major matrix."""

    sparse: Entries
    transposed: bool
    dense: NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class SparseSparseProduct:
    """``op(left) op(right)``, both sparse; the right one may be a vector."""

    left: Entries
    left_transposed: bool
    right: Entries
    right_transposed: bool


@dataclass(frozen=True, slots=True, eq=False)
class SparseSum:
    """The sum of ``sign op(matrix)``, where ``op`` transposes when the last component of a term says so."""

    terms: tuple[tuple[int, Entries, bool], ...]


SparseOperation = SparseProduct | SparseSparseProduct | SparseSum


def find_sparse_operation(problem: Problem, library: str) -> SparseOperation | str:
    """The operation that ``problem`` is; or the reason why it is not compared with ``library``, a sentence for the
    page."""
    pattern = recognise(problem.assignment)
    factors: tuple[Factor, ...]
    match pattern:
        case MatrixVector(matrix=matrix, vector=vector):
            factors = (matrix, Factor(vector))
        case MatrixMatrix(left=left, right=right):
            factors = (left, right)
        case MatrixSum(terms=terms):
            factors = tuple(factor for _, factor in terms)
        case SampledProduct():
            return not_compared(library, "sampled products")
        case None | RelationalProduct():
            return not_compared(library)
        case _:
            raise TypeError(f"unexpected pattern {pattern!r}")
    reason = _explain_unsuited(problem, factors, library)
    if reason is not None:
        return reason
    if isinstance(pattern, MatrixSum):
        return _sum(problem, pattern, library)
    return _product(problem, factors[0], factors[1], library)


def find_sparse_product(problem: Problem, library: str) -> SparseProduct | str:
    """As :func:`find_sparse_operation`, for a library of which only products with a dense operand are compared."""
    operation = find_sparse_operation(problem, library)
    match operation:
        case SparseProduct() | str():
            return operation
        case SparseSparseProduct():
            return not_compared(library, "products of two sparse operands")
        case SparseSum():
            return not_compared(library, "sums of sparse matrices")
        case _:
            raise TypeError(f"unexpected operation {operation!r}")


def _explain_unsuited(problem: Problem, factors: tuple[Factor, ...], library: str) -> str | None:
    """What about the operands keeps them from being compared."""
    names = [factor.tensor for factor in factors]
    tensors = problem.signature.tensors
    types = sorted({problem.dtype, *(tensors[name].dtype for name in names)})
    if len(types) != 1 or problem.dtype not in DTYPES:
        return not_compared(
            library, f"other types than float64 or float32 throughout: this program has {', '.join(types)}"
        )
    for name in names:
        if tensors[name].fill != 0 and isinstance(problem.operands[name], Entries):
            return f"{name} is filled with {tensors[name].fill}, {library}'s sparse matrices with 0."
    if any(0 in problem.operands[name].shape for name in names):
        return not_compared(library, "operands without elements")
    return None


def _sum(problem: Problem, pattern: MatrixSum, library: str) -> SparseSum | str:
    terms = []
    for sign, factor in pattern.terms:
        operand = problem.operands[factor.tensor]
        if not isinstance(operand, Entries):
            return not_compared(library, f"sums with dense matrices, as {factor.tensor} is")
        terms.append((sign, operand, factor.transposed))
    return SparseSum(tuple(terms))


def _product(problem: Problem, left: Factor, right: Factor, library: str) -> SparseProduct | SparseSparseProduct | str:
    sparse, second = problem.operands[left.tensor], problem.operands[right.tensor]
    if not isinstance(sparse, Entries):
        if isinstance(second, Entries):
            return not_compared(library, "a dense matrix times a sparse one")
        return not_compared(library, "products of dense operands")
    if isinstance(second, Entries):
        return SparseSparseProduct(sparse, left.transposed, second, right.transposed)
    dense = second.T if right.transposed else second
    return SparseProduct(sparse, left.transposed, np.ascontiguousarray(dense))
