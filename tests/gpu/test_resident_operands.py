"""On a machine with an NVIDIA GPU: CuPy arrays and cupyx.scipy.sparse go in and come out without a copy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.runtime.devices import cuda
from tests.differential.gpu.gpu_schedules import SCHEDULES, commands

pytestmark = pytest.mark.skipif(cuda.missing() is not None, reason=f"no GPU for CUDA here: {cuda.missing()}")
SPMV = "y(i) = A(i,j) * x(j)"


def matrix(format: str) -> scipy.sparse.sparray:
    return scipy.sparse.random_array((203, 67), density=0.1, format=format, rng=np.random.default_rng(0))


CASES = {"csr": "A.9 SpMV", "coo": "SpMV of COO"}


@pytest.mark.parametrize("format", CASES)
def test_spmv(format: str) -> None:
    import cupy
    from cupyx.scipy import sparse

    build = {"csr": sparse.csr_matrix, "coo": sparse.coo_matrix}[format]
    host, x = matrix("csr"), np.arange(67.0)
    there = build(host.asformat(format))
    kernel = hd.compile(SPMV, {"A": format}, commands(SCHEDULES[CASES[format]][2]), "cuda")
    vector = cupy.asarray(x)
    call = kernel.bind(A=there, x=vector)
    call.run()
    assert call.operands["x"].vals.data.ptr == vector.data.ptr
    assert call.operands["A"].vals.data.ptr == there.data.data.ptr
    found = call.output.to_cupy()
    assert isinstance(found, cupy.ndarray)
    np.testing.assert_allclose(found.get(), host @ x)


def test_a_sparse_result_is_a_matrix_of_cupyx() -> None:
    import cupy
    from cupyx.scipy import sparse

    host = matrix("csr")
    rows = "split(i, block, thread, 64)\nparallelize(block, GPUBlock, NoRaces)\nparallelize(thread, GPUThread, NoRaces)"
    kernel = hd.compile("C(i,j) = A(i,j) * d(i)", {"A": "csr", "C": "csr"}, rows, "cuda")
    there = sparse.csr_matrix(host)
    found = kernel(A=there, d=cupy.arange(203.0)).to_cupy()
    assert found.indices.data.ptr != there.indices.data.ptr
    np.testing.assert_allclose(found.get().toarray(), host.toarray() * np.arange(203.0)[:, None])


def test_a_stream_of_ones_own() -> None:
    import cupy

    host, x = matrix("csr"), np.arange(67.0)
    schedule = commands(SCHEDULES["A.9 SpMV"][2])
    with cupy.cuda.Stream(non_blocking=True):
        call = hd.compile(SPMV, {"A": "csr"}, schedule, "cuda").bind(A=host, x=cupy.asarray(x))
        call.run()
        np.testing.assert_allclose(call.output.to_numpy(), host @ x)
        assert call.device is not None
        assert call.device.seconds() > 0
