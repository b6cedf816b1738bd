"""Kernels, tensors and all else that people hold go through pickle, cloudpickle and copies, and work there."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.algorithms.decompose import AlgorithmRun
from heddle.algorithms.document.reader import parse_algorithm
from tests.errors.expect import refusal
from tests.search_path import search_path

pytestmark = pytest.mark.takes_turns(4)

ROOT = Path(__file__).resolve().parents[4]
SPMV, PRODUCT = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
CSR = {"A": "csr", "B": "csr", "C": "csr"}
A = np.array([[0.0, 1, 2], [0, 0, 0], [3, 0, 4]])
X = np.array([1.0, 10, 100])
PATTERN = "nFun(n => fun(xs: [float]_n => xs :>> map(fun(x => x * 2.0))))"
FORMATS = ("csr", "csc", "coo", "dcsr", "bcsr(2,2)", "dia", "sell(2)", "hyb(1,2)")


def cloudpickled(value: Any) -> Any:
    return pickle.loads(cloudpickle.dumps(value))


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def pickled_twice(value: Any) -> Any:
    return pickled(pickled(value))


WAYS = (pickled, cloudpickled, pickled_twice, copy.copy, copy.deepcopy)
TRIPS = pytest.mark.parametrize("travel", WAYS)


@TRIPS
@pytest.mark.parametrize("options", [{}, {"schedule": "auto"}])
def test_kernels(travel: Callable[[Any], Any], options: dict[str, object]) -> None:
    kernel = travel(hd.compile(SPMV, {"A": "csr"}, options=options))
    np.testing.assert_array_equal(kernel(A=A, x=X).to_numpy(), A @ X)
    assert kernel.source == hd.compile(SPMV, {"A": "csr"}, options=options).source
    with pytest.raises(AttributeError, match="has no attribute 'sauce'"):
        _ = kernel.sauce


def test_a_kernel_is_built_where_it_is_first_used() -> None:
    kernel = pickled(hd.compile(SPMV, {"A": "csr"}))
    assert not hasattr(type(kernel), "source")
    assert "source" not in vars(kernel)
    np.testing.assert_array_equal(kernel(A=A, x=X).to_numpy(), A @ X)
    assert "source" in vars(kernel)


@TRIPS
def test_kernels_of_patterns(travel: Callable[[Any], Any]) -> None:
    kernel = travel(hd.compile(PATTERN, language="patterns"))
    np.testing.assert_array_equal(kernel(xs=X).to_numpy(), 2 * X)


@TRIPS
@pytest.mark.parametrize("format", FORMATS)
def test_packed_tensors_before_and_after_their_first_use(travel: Callable[[Any], Any], format: str) -> None:
    packed = hd.pack(A, format)
    fresh = travel(packed)
    kernel = hd.compile(SPMV, {"A": format})
    np.testing.assert_array_equal(kernel(A=packed, x=X).to_numpy(), A @ X)
    for tensor in (fresh, travel(packed)):
        assert isinstance(tensor, hd.Tensor)
        hd.validate(tensor)
        np.testing.assert_array_equal(tensor.to_numpy(), A)
        np.testing.assert_array_equal(kernel(A=tensor, x=X).to_numpy(), A @ X)
        assert tensor.ownership is packed.ownership


@TRIPS
def test_results_have_values_of_their_own(travel: Callable[[Any], Any]) -> None:
    result = hd.compile(PRODUCT, CSR)(A=A, B=A)
    other = travel(result)
    np.testing.assert_array_equal(other.to_numpy(), A @ A)
    assert not any(array.flags.writeable for slot, array in other.arrays().items() if slot[0] != "vals")
    other.vals[:] = 0
    np.testing.assert_array_equal(result.to_numpy(), A @ A)


@TRIPS
def test_copies_of_borrowed_tensors_own_their_memory(travel: Callable[[Any], Any]) -> None:
    matrix, kernel = sp.csr_array(A), hd.compile(SPMV, {"A": "csr"})
    borrowed = hd.pack(matrix, "csr", copy=False)
    other = travel(borrowed)
    assert (borrowed.borrowed, other.borrowed) == (True, False)
    assert not any(array.flags.writeable for slot, array in other.arrays().items() if slot[0] != "vals")
    matrix.data *= 2
    np.testing.assert_array_equal(kernel(A=other, x=X).to_numpy(), A @ X)
    other.vals[:] = 0
    np.testing.assert_array_equal(kernel(A=other, x=X).to_numpy(), 0 * X)
    np.testing.assert_array_equal(kernel(A=borrowed, x=X).to_numpy(), 2 * A @ X)


def test_snapshots_stay_read_only() -> None:
    for travel in WAYS:
        with pytest.raises(ValueError, match="read-only"):
            travel(hd.pack(A, "csr")).vals[:] = 0


@TRIPS
def test_several_results(travel: Callable[[Any], Any]) -> None:
    program = "def f(double(M,N) A) -> (O,s) { O(i,j) = A(i,j)  s +=! A(i,j) }"
    found = travel(hd.compile(program, language="comprehension")(A=A))
    np.testing.assert_array_equal(found["O"].to_numpy(), A)
    assert found["s"].item() == A.sum()


@TRIPS
def test_coordinates_that_are_kept(travel: Callable[[Any], Any]) -> None:
    product = travel(hd.compile(PRODUCT, CSR).assemble(A=A, B=A))
    np.testing.assert_array_equal(product.compute(A=A, B=2 * A).to_numpy(), 2 * A @ A)
    found = refusal(lambda: product.compute(A=A.T.copy(), B=A))
    assert found.code == "runtime/pattern-changed"


@TRIPS
def test_compiles_graphs_and_plans(travel: Callable[[Any], Any]) -> None:
    result = hd.lower(SPMV, {"A": "csr"}, "split(i, i0, i1, 4)")
    assert travel(result).source == result.source
    assert travel(result.plan) == result.plan
    assert travel(result.graph) == result.graph
    assert [one.code for one in travel(hd.lower("y(i) = A(i,j")).diagnostics] == ["expression/syntax"]


@pytest.mark.combinations(4, "method", "travel")
@TRIPS
@pytest.mark.parametrize("method", [hd.cp_als, hd.cp_apr, hd.cp_opt])
def test_decompositions(travel: Callable[[Any], Any], method: Callable[..., hd.Decomposition]) -> None:
    coordinates = np.array([[0, 1, 2, 3], [1, 2, 0, 1], [2, 0, 1, 1]])
    found = method((coordinates, np.ones(4), (4, 3, 3)), 2)
    other = travel(found)
    np.testing.assert_array_equal(other.weights, found.weights)
    assert (other.stopped, len(other.history), other.document) == (found.stopped, len(found.history), found.document)


@pytest.mark.parametrize("travel", [pickle.dumps, cloudpickle.dumps, copy.copy, copy.deepcopy])
def test_bound_calls_say_that_they_stay(travel: Callable[[Any], Any]) -> None:
    packed = {"A": hd.pack(A, "csr"), "x": hd.pack(X)}
    pattern = hd.compile(PATTERN, language="patterns")
    for call in (hd.compile(SPMV, {"A": "csr"}).bind(**packed), pattern.bind(xs=X.astype(np.float32))):
        found = refusal(lambda call=call: travel(call))  # type: ignore[misc]
        assert found.code == "runtime/bound-here"
        assert found.message == (
            "A bound call can be neither pickled nor copied: it holds addresses of this process's memory."
        )
        assert found.hint == "Send the kernel and the operands, and bind them there."


@pytest.mark.parametrize("travel", [pickle.dumps, cloudpickle.dumps, copy.copy, copy.deepcopy])
def test_runs_of_decompositions_say_what_travels(travel: Callable[[Any], Any]) -> None:
    document = parse_algorithm({"algorithm": "cp-als", "parameters": {"rank": 2, "sweeps": 2}})
    run = AlgorithmRun(document, (np.array([[0, 1, 2, 3], [1, 2, 0, 1], [2, 0, 1, 1]]), np.ones(4), (4, 3, 3)))
    sweeps = iter(run)
    next(sweeps)
    for value, what in ((run, "A run of a decomposition"), (sweeps, "An iterator over sweeps")):
        found = refusal(lambda value=value: travel(value))  # type: ignore[misc]
        assert found.code == "runtime/bound-here"
        assert found.message.startswith(f"{what} can be neither pickled nor copied")
        assert "checkpoint()" in found.hint
    assert [sweep.number for sweep in sweeps] == [2]


def product(kernel: Any, packed: hd.Tensor) -> hd.Tensor:
    result: hd.Tensor = kernel(A=packed, x=X)
    return result


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_other_processes(method: str) -> None:
    kernel, packed = hd.compile(SPMV, {"A": "csr"}, options={"schedule": "auto"}), hd.pack(A, "csr")
    product(kernel, packed)
    with ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
        found = pool.submit(product, kernel, packed).result(120)
    np.testing.assert_array_equal(found.to_numpy(), A @ X)


DASK = """
import numpy as np
from distributed import Client, LocalCluster
import heddle as hd

if __name__ == "__main__":
    A, x = np.array([[0.0, 1], [2, 0]]), np.array([3.0, 4])
    kernel, packed = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}), hd.pack(A, "csr")
    kernel(A=packed, x=x)
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        there = client.submit(lambda kernel, A: kernel(A=A, x=x), kernel, packed)
        print(client.submit(lambda y: y.to_numpy() + 1, there).result(120), there.result(120).to_numpy())
"""


@pytest.mark.takes_turns(8, among="whole programs")
def test_dask(tmp_path: Path) -> None:
    script = tmp_path / "asked.py"
    script.write_text(DASK)
    given = {**os.environ, "PYTHONPATH": search_path()}
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, cwd=tmp_path, env=given, check=False
    )
    assert done.stdout.strip() == "[5. 7.] [4. 6.]", done.stderr[-2000:]
