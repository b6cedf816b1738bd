"""SDDMM and MTTKRP as one writes them with Numba: parallel over rows, no tuning. The opponent `numba`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
import scipy.sparse


@numba.njit(parallel=True)  # type: ignore[misc]
def _sddmm(pos: Any, crd: Any, vals: Any, d: Any, e: Any, out: Any) -> None:
    for i in numba.prange(pos.size - 1):
        for p in range(pos[i], pos[i + 1]):
            j = crd[p]
            total = vals.dtype.type(0)
            for k in range(d.shape[1]):
                total += d[i, k] * e[j, k]
            out[p] = vals[p] * total


@numba.njit(parallel=True)  # type: ignore[misc]
def _mttkrp(pos: Any, coordinates: Any, vals: Any, factors: Any, out: Any) -> None:
    """``coordinates[m]`` are those of the entries in the dimension of ``factors[m]``, in the order of the rows."""
    for i in numba.prange(pos.size - 1):
        out[i, :] = 0
        product = np.empty(out.shape[1], out.dtype)
        for p in range(pos[i], pos[i + 1]):
            product[:] = vals[p]
            for m in range(len(factors)):
                row = factors[m][coordinates[m, p]]
                for r in range(row.size):
                    product[r] *= row[r]
            for r in range(product.size):
                out[i, r] += product[r]


def sddmm(given: Mapping[str, Any]) -> tuple[Callable[[], None], Callable[[], Any]]:
    """What computes ``C(i,j) = B(i,j) * D(i,k) * E(j,k)``, and the result; B is CSR, D and E are dense."""
    b = given["B"]
    out = np.empty_like(b.data)
    result = scipy.sparse.csr_array((out, b.indices, b.indptr), shape=b.shape)
    return lambda: _sddmm(b.indptr, b.indices, b.data, given["D"], given["E"], out), lambda: result


def mttkrp(given: Mapping[str, Any]) -> tuple[Callable[[], None], Callable[[], Any]]:
    """The same for ``A(i,r) = B(i,k,…) * C(k,r) * …``, where B are coordinates sorted by rows."""
    tensor = given["B"]
    factors = tuple(given[name] for name in "CDEF"[: len(tensor.shape) - 1])
    pos = np.searchsorted(tensor.columns[0], np.arange(tensor.shape[0] + 1))
    coordinates = np.stack(tensor.columns[1:])
    out = np.empty((tensor.shape[0], factors[0].shape[1]), tensor.values.dtype)
    return lambda: _mttkrp(pos, coordinates, tensor.values, factors, out), lambda: out
