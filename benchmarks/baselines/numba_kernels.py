"""SDDMM and MTTKRP as one writes them with Numba: parallel over rows, no tuning. The opponents `numba` and, over CSF,
`numba-csf`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
import scipy.sparse

from heddle.runtime.packing.pack import pack


@numba.njit(parallel=True, cache=True)  # type: ignore[misc]
def _sddmm(pos: Any, crd: Any, vals: Any, d: Any, e: Any, out: Any) -> None:
    for i in numba.prange(pos.size - 1):
        for p in range(pos[i], pos[i + 1]):
            j = crd[p]
            total = vals.dtype.type(0)
            for k in range(d.shape[1]):
                total += d[i, k] * e[j, k]
            out[p] = vals[p] * total


@numba.njit(parallel=True, cache=True)  # type: ignore[misc]
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


@numba.njit(parallel=True, cache=True)  # type: ignore[misc]
def _mttkrp_csf(pos: Any, crd: Any, vals: Any, factors: Any, out: Any) -> None:
    """``pos[l]`` and ``crd[l]`` are those of level l; each slice is walked in depth, a sum for each level."""
    last = len(crd) - 1
    out[:, :] = 0
    for root in numba.prange(crd[0].size):
        sums = np.zeros((last + 1, out.shape[1]), out.dtype)
        at, end = np.zeros(last + 1, np.int64), np.zeros(last + 1, np.int64)
        at[1], end[1] = pos[1][root], pos[1][root + 1]
        level = 1
        while level > 0:
            if level == last:
                for p in range(at[last], end[last]):
                    row = factors[last - 1][crd[last][p]]
                    for r in range(row.size):
                        sums[last - 1, r] += vals[p] * row[r]
            elif at[level] < end[level]:
                here = at[level]
                level += 1
                at[level], end[level] = pos[level][here], pos[level][here + 1]
                continue
            # The fibre of this level is done: its sum, times the row of its parent, goes to the level above.
            level -= 1
            if level > 0:
                row = factors[level - 1][crd[level][at[level]]]
                for r in range(row.size):
                    sums[level - 1, r] += sums[level, r] * row[r]
                    sums[level, r] = 0
                at[level] += 1
        out[crd[0][root], :] = sums[0]


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


def mttkrp_csf(given: Mapping[str, Any]) -> tuple[Callable[[], None], Callable[[], Any]]:
    """The same with B packed as CSF, whose upper rows are multiplied once for a fibre."""
    tensor = given["B"]
    factors = tuple(given[name] for name in "CDEF"[: len(tensor.shape) - 1])
    packed = pack((tensor.columns, tensor.values, tensor.shape), "csf", dtype=tensor.values.dtype.name)
    pos, crd = (tuple(getattr(level, name) for level in packed.levels) for name in ("pos", "crd"))
    out = np.empty((tensor.shape[0], factors[0].shape[1]), tensor.values.dtype)
    return lambda: _mttkrp_csf(pos, crd, packed.vals, factors, out), lambda: out
