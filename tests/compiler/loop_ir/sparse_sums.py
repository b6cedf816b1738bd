"""Operands for the kernels of :mod:`tests.compiler.loop_ir.assembly_kernels`, and what their results must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray


def operands(rows: int, columns: int, density: float = 0.3, seed: int = 1) -> dict[str, sp.csr_array]:
    random = np.random.default_rng(seed)
    made = {}
    for name in "BC":
        dense = random.integers(1, 9, (rows, columns)) * (random.random((rows, columns)) < density)
        made[name] = sp.csr_array(dense.astype(np.float64))
    return made


def arguments(matrices: Mapping[str, sp.csr_array]) -> dict[str, Any]:
    rows, columns = matrices["B"].shape
    found: dict[str, Any] = {"A1_dimension": rows, "A2_dimension": columns}
    for name, matrix in matrices.items():
        found[f"{name}2_pos"] = matrix.indptr.astype(np.int32)
        found[f"{name}2_crd"] = matrix.indices.astype(np.int32)
        found[f"{name}_vals"] = matrix.data
    return found


def assert_sum(obtained: Mapping[str, NDArray[Any]], matrices: Mapping[str, sp.csr_array]) -> None:
    """The arrays are the CSR storage of B + C: monotone ``pos`` from 0, ``crd`` sorted and unique in each row.
    They may be longer than what ``pos`` says."""
    expected = sp.csr_array(matrices["B"] + matrices["C"])
    expected.sort_indices()
    count = expected.nnz
    np.testing.assert_array_equal(obtained["A2_pos"], expected.indptr)
    np.testing.assert_array_equal(obtained["A2_crd"][:count], expected.indices)
    np.testing.assert_array_equal(obtained["A_vals"][:count], expected.data)
