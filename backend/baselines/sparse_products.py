"""A sparse matrix times a dense vector or matrix: the products that MKL and cuSPARSE have for dense results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.baselines.contender import Problem
from backend.baselines.patterns import Factor, MatrixMatrix, MatrixVector, RelationalProduct, recognise
from compiler.runtime.tensors.coordinates import Entries

DTYPES = ("float64", "float32")


@dataclass(frozen=True, slots=True, eq=False)
class SparseProduct:
    """``op(sparse) dense``: ``op`` transposes when ``transposed``; ``dense`` is a vector or a row-major matrix."""

    sparse: Entries
    transposed: bool
    dense: NDArray[Any]


def sparse_product(problem: Problem, library: str) -> SparseProduct | str:
    """The product that ``problem`` is; or the reason why ``library`` cannot compute it, a sentence for the page."""
    match recognise(problem.assignment):
        case MatrixVector(matrix=matrix, vector=other):
            pass
        case MatrixMatrix(left=matrix, right=Factor(tensor=other, transposed=False)):
            pass
        case MatrixMatrix():
            return (
                f"{library} multiplies only by dense matrices stored in the order in which they are used; here one "
                "is transposed."
            )
        case None | RelationalProduct():
            return f"{library} has no operation for this expression."
        case _:
            return f"{library} has this operation for sparse results only; here the result is dense."
    sparse, dense = problem.operands[matrix.tensor], problem.operands[other]
    types = {problem.dtype, *(problem.signature.tensors[name].dtype for name in (matrix.tensor, other))}
    if len(types) != 1 or problem.dtype not in DTYPES:
        return f"{library} computes with float64 or float32 throughout; this program uses {', '.join(sorted(types))}."
    if not isinstance(sparse, Entries):
        return f"{matrix.tensor} is dense; {library}'s sparse routines need it to be sparse."
    if isinstance(dense, Entries):
        return f"{other} is sparse; {library}'s products need it to be dense."
    if 0 in (*sparse.shape, *dense.shape):
        return f"{library} does not take empty matrices."
    return SparseProduct(sparse, matrix.transposed, np.ascontiguousarray(dense))
