"""The kernels of the suite `kernels`: what is computed, with which operands, and how the result is verified.

All values lie in (0, 1], so that no result cancels: the error of an element is relative to the element itself. The
references are SciPy and NumPy in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import Tensor

Array = NDArray[Any]
MOST_PRODUCTS = 100_000_000
"""Of a sparse product: beyond, its result may not fit into memory, once for each contender."""
COLUMNS = 32
"""Columns of dense operands, rank of factor matrices; SpMM is also measured with fewer and with more."""
_CHUNK = 1 << 18


@dataclass(frozen=True, slots=True)
class Kernel:
    """``operands(sparse, dtype)`` makes all operands around one sparse matrix or tensor; ``reference`` computes the
    result from them, dense or sparse. ``order`` is that of the sparse operand, named ``sparse``."""

    name: str
    title: str
    expression: str
    formats: Mapping[str, str]
    sparse: str
    order: int
    operands: Callable[[Any, str], dict[str, Any]]
    reference: Callable[[Mapping[str, Any]], Any]


def _dense(shape: tuple[int, ...], dtype: str, seed: int) -> Array:
    return (1.0 - np.random.default_rng(seed).random(shape)).astype(dtype)


def _wide(array: Any) -> Any:
    return array.astype(np.float64)


def _sampled(given: Mapping[str, Any]) -> Any:
    sample = _wide(given["B"]).tocoo()
    rows, columns = sample.coords
    d, e = _wide(given["D"]), _wide(given["E"])
    values = np.empty(sample.nnz)
    for start in range(0, sample.nnz, _CHUNK):
        part = slice(start, start + _CHUNK)
        values[part] = sample.data[part] * np.einsum("nk,nk->n", d[rows[part]], e[columns[part]])
    return scipy.sparse.coo_array((values, (rows, columns)), shape=sample.shape).tocsr()


def _shifted(matrix: Any) -> Any:
    """The same structure one column further on: half the entries of a band meet, none of scattered ones."""
    columns = (matrix.indices + 1) % max(matrix.shape[1], 1)
    made = scipy.sparse.csr_array((matrix.data[::-1].copy(), columns, matrix.indptr), shape=matrix.shape)
    made.sort_indices()
    return made


class LeftOutError(Exception):
    """A case that is not measured, and why."""


def _by_transpose(matrix: Any) -> dict[str, Any]:
    """A matrix and its transpose.

    Raises LeftOutError where one times the other takes too many products.
    """
    products = int((np.bincount(matrix.indices).astype(np.int64) ** 2).sum())
    if products > MOST_PRODUCTS:
        raise LeftOutError(f"would add {products / 1e6:,.0f} million products")
    return {"A": matrix, "B": matrix.T.tocsr()}


def _summed(entries: Entries, products: Callable[[slice], Array], shape: tuple[int, ...], kept: int) -> Array:
    """Rows of ``products`` added where the first ``kept`` coordinates agree."""
    result = np.zeros((int(np.prod(shape[:kept])), *shape[kept:]))
    key = np.ravel_multi_index(tuple(column.astype(np.int64) for column in entries.columns[:kept]), shape[:kept])
    for start in range(0, key.size, _CHUNK):
        part = slice(start, start + _CHUNK)
        first = np.flatnonzero(np.diff(key[part], prepend=-1))
        result[key[part][first]] += np.add.reduceat(products(part), first, axis=0)
    return result.reshape(shape)


def _ttv(given: Mapping[str, Any]) -> Array:
    tensor, vector = given["B"], _wide(given["c"])
    return _summed(tensor, lambda part: tensor.values[part] * vector[tensor.columns[2][part]], tensor.shape[:2], kept=2)


def _ttm(given: Mapping[str, Any]) -> Array:
    tensor, matrix = given["B"], _wide(given["C"]).T
    shape = (*tensor.shape[:2], matrix.shape[1])
    return _summed(tensor, lambda part: tensor.values[part, None] * matrix[tensor.columns[2][part]], shape, kept=2)


def _mttkrp(given: Mapping[str, Any]) -> Array:
    tensor = given["B"]
    factors = [_wide(given[name]) for name in "CDEF"[: len(tensor.shape) - 1]]

    def products(part: slice) -> Array:
        rows = np.repeat(tensor.values[part, None].astype(np.float64), factors[0].shape[1], axis=1)
        for column, factor in zip(tensor.columns[1:], factors, strict=True):
            rows *= factor[column[part]]
        return rows

    return _summed(tensor, products, (tensor.shape[0], factors[0].shape[1]), kept=1)


def _spmm_of(columns: int) -> Kernel:
    name = "spmm" if columns == COLUMNS else f"spmm-{columns}"
    return Kernel(
        name, f"SpMM, {columns} columns", "C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, "A", 2,
        lambda a, dtype: {"A": a, "B": _dense((a.shape[1], columns), dtype, 2)},
        lambda given: _wide(given["A"]) @ _wide(given["B"]),
    )  # fmt: skip


def _mttkrp_of(order: int, rank: int = COLUMNS) -> Kernel:
    inner = "klmn"[: order - 1]
    factors = " * ".join(f"{name}({index},r)" for name, index in zip("CDEF", inner, strict=False))
    expression = f"A(i,r) = B(i,{','.join(inner)}) * {factors}"

    def operands(tensor: Entries, dtype: str) -> dict[str, Any]:
        sizes = dict(zip("CDEF", tensor.shape[1:], strict=False))
        factors = {name: _dense((size, rank), dtype, seed) for seed, (name, size) in enumerate(sizes.items(), 2)}
        return {"B": tensor, **factors}

    name = f"mttkrp-{order}" if rank == COLUMNS else f"mttkrp-{order}-r{rank}"
    title = f"MTTKRP of order {order}, rank {rank}"
    return Kernel(name, title, expression, {"B": "csf"}, "B", order, operands, _mttkrp)


KERNELS = (
    Kernel(
        "spmv", "SpMV", "y(i) = A(i,j) * x(j)", {"A": "csr"}, "A", 2,
        lambda a, dtype: {"A": a, "x": _dense((a.shape[1],), dtype, 2)},
        lambda given: _wide(given["A"]) @ _wide(given["x"]),
    ),
    *(_spmm_of(columns) for columns in (8, COLUMNS, 128)),
    Kernel(
        "sddmm", f"SDDMM, {COLUMNS} deep", "C(i,j) = B(i,j) * D(i,k) * E(j,k)", {"B": "csr", "C": "csr"}, "B", 2,
        lambda b, dtype: {
            "B": b, "D": _dense((b.shape[0], COLUMNS), dtype, 2), "E": _dense((b.shape[1], COLUMNS), dtype, 3),
        },
        _sampled,
    ),
    Kernel(
        "spgemm", "SpGEMM, A by its transpose", "C(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABC", "csr"), "A", 2,
        lambda a, dtype: _by_transpose(a),
        lambda given: _wide(given["A"]) @ _wide(given["B"]),
    ),
    Kernel(
        "spgemm-unordered", "SpGEMM, rows of the result in any order", "C(i,j) = A(i,k) * B(k,j)",
        {"A": "csr", "B": "csr", "C": "dense, compressed(unordered)"}, "A", 2,
        lambda a, dtype: _by_transpose(a),
        lambda given: _wide(given["A"]) @ _wide(given["B"]),
    ),
    Kernel(
        "add", "Sparse addition", "C(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABC", "csr"), "A", 2,
        lambda a, dtype: {"A": a, "B": _shifted(a)},
        lambda given: _wide(given["A"]) + _wide(given["B"]),
    ),
    Kernel(
        "ttv", "TTV", "A(i,j) = B(i,j,k) * c(k)", {"B": "csf"}, "B", 3,
        lambda b, dtype: {"B": b, "c": _dense((b.shape[2],), dtype, 2)}, _ttv,
    ),
    Kernel(
        "ttm", f"TTM, {COLUMNS} columns", "A(i,j,l) = B(i,j,k) * C(l,k)", {"B": "csf", "C": "dense,dense:1,0"}, "B", 3,
        lambda b, dtype: {"B": b, "C": _dense((COLUMNS, b.shape[2]), dtype, 2)}, _ttm,
    ),
    *(_mttkrp_of(order, rank) for order in (3, 4, 5) for rank in (16, COLUMNS, 64)),
)  # fmt: skip
WIDE = (_spmm_of(512),)
"""Of the suite ``compositions`` alone."""
BY_NAME = {kernel.name: kernel for kernel in (*KERNELS, *WIDE)}


def multiplies_vectors(kernel: str) -> bool:
    """Whether a kernel is a sparse matrix times a dense vector (SpMV) or several (SpMM)."""
    return kernel == "spmv" or kernel.partition("-")[0] == "spmm"


_TOLERANCES = {"float64": 1e-11, "float32": 2e-4}
DTYPES = tuple(_TOLERANCES)


def error_of(found: object, reference: Any) -> float:
    """The largest relative error; infinity where one stores something and the other has zero, or shapes differ."""
    if isinstance(found, Tensor):
        found = found.to_scipy() if scipy.sparse.issparse(reference) else found.to_numpy()
    if scipy.sparse.issparse(reference):
        ours: Any = scipy.sparse.csr_array(found)
        if ours.shape != reference.shape:
            return float("inf")
        difference = abs(_wide(ours) - reference).tocsr()
        inverse = reference.tocsr().copy()
        inverse.data = 1.0 / inverse.data
        scaled = difference.multiply(inverse).tocsr()
        if np.count_nonzero(difference.data) != np.count_nonzero(scaled.data):
            return float("inf")
        return float(scaled.data.max(initial=0.0))
    array = np.asarray(found, dtype=np.float64)
    if array.shape != reference.shape:
        return float("inf")
    errors = np.abs(array - reference) / np.where(reference > 0, reference, 1.0)
    worst = float(errors.max(initial=0.0))
    return worst if worst == worst else float("inf")


def tolerance(dtype: str) -> float:
    return _TOLERANCES[dtype]
