"""The launches of a run as one CUDA graph, on a stand-in for CuPy that executes them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from tests.compiler.runtime.devices.executing_gpu import executing_gpu


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_a_graph_computes_what_a_run_does_with_the_operands_as_they_are_then(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With fills (csc adds to zeros) and without."""
    gpu = executing_gpu(monkeypatch)
    matrix = sp.random_array((9, 7), density=0.5, format="csr", rng=np.random.default_rng(1))
    x = gpu.array(np.arange(7.0))
    call = hd.compile("y(i) = A(i,j) * x(j)", {"A": format}, "", "cuda").bind(A=hd.pack(matrix, format).on_gpu(), x=x)
    call.run()
    assert call.device is not None
    graph = call.device.graph()
    assert graph is not None
    launched = len(gpu.recorded.launches)
    x.fill(2.0)
    assert len(gpu.recorded.launches) == launched
    graph.launch()
    assert len(gpu.recorded.launches) > launched
    np.testing.assert_allclose(call.output.to_cupy().get(), matrix @ np.full(7, 2.0))


def test_a_run_in_which_the_host_decides_is_no_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    executing_gpu(monkeypatch)
    matrix = hd.pack(sp.csr_array(np.eye(4)), "csr").on_gpu()
    call = hd.compile("C(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABC", "csr"), "", "cuda").bind(A=matrix, B=matrix)
    call.run()
    assert call.device is not None
    assert call.device.graph() is None
