"""Operators repeat a call with nothing but another vector, and compute what the call computes."""

from __future__ import annotations

import copy
import pickle
from typing import Any, NoReturn

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.runtime.kernels.kernel import Kernel

MATRIX: Any = sp.random(30, 20, 0.2, format="csr", random_state=0)
SPMV = "y(i) = A(i,j) * x(j)"
VECTORS: dict[str, Any] = {
    "contiguous": lambda x: x,
    "every second of a longer one": lambda x: np.repeat(x, 2)[::2],
    "backwards": lambda x: x[::-1].copy()[::-1],
    "another dtype": lambda x: x.astype(np.float32),
    "the other byte order": lambda x: x.astype(x.dtype.newbyteorder()),
    "a column": lambda x: x[:, None],
    "not aligned": lambda x: np.frombuffer(b"." + x.tobytes(), np.uint8)[1:].view(x.dtype),
}


@pytest.fixture(scope="module")
def operator() -> Any:
    return hd.compile(SPMV, like={"A": MATRIX}, schedule="auto").as_linear_operator(A=MATRIX, over="x")


@given(st.lists(st.tuples(st.sampled_from(sorted(VECTORS)), st.integers(0, 9)), max_size=4))
def test_vectors_of_any_layout_give_the_same(operator: Any, vectors: list[tuple[str, int]]) -> None:
    results: list[Any] = []
    for layout, seed in [("contiguous", 0), *vectors]:
        x = np.arange(20.0) * seed - 3
        x.flags.writeable = seed % 2 == 0
        result = operator.matvec(VECTORS[layout](x))
        np.testing.assert_allclose(result, (MATRIX @ x).reshape(result.shape), rtol=1e-13)
        assert not any(np.shares_memory(result, other) for other in results)
        results.append(result)


def test_a_vector_that_changes_in_place_is_read_anew(operator: Any) -> None:
    x = np.zeros(20)
    for value in (1.0, -2.0):
        x[:] = value
        np.testing.assert_allclose(operator.matvec(x), MATRIX @ x)


def test_only_the_first_call_looks_at_the_operands(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = hd.compile(SPMV, like={"A": MATRIX}, schedule="auto")
    operator = kernel.as_linear_operator(A=MATRIX, over="x")
    forth, back = np.arange(20.0), np.arange(30.0)
    operator.matvec(forth)
    operator.rmatvec(back)

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("called")

    monkeypatch.setattr(Kernel, "_call", refuse)
    np.testing.assert_allclose(operator.matvec(forth + 1), MATRIX @ (forth + 1))
    np.testing.assert_allclose(operator.rmatvec(back + 1), MATRIX.T @ (back + 1))
    np.testing.assert_allclose(operator.matvec(forth.astype(np.float32)), MATRIX @ forth)


def test_matrices_in_another_order_than_their_dimensions_are_flattened_by_dimension() -> None:
    X, W = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    for formats in ({"X": "dense,dense:1,0"}, {"Y": "dense,dense:1,0"}):
        kernel = hd.compile("Y(i,k) = X(i,j) * W(j,k)", formats=formats, shapes={"X": (2, 3)})
        operator = kernel.as_linear_operator(W=W, over="X")
        for _ in range(2):
            np.testing.assert_array_equal(operator.matvec(X.reshape(-1)), (X @ W).reshape(-1))


def test_what_the_kernel_refuses_is_refused_in_every_call() -> None:
    kernel = hd.compile(SPMV, formats={"A": "csr"}, schedule="bound(i, ib, 8, MaxExact)")
    operator = kernel.as_linear_operator(A=MATRIX, over="x")
    for _ in range(3):
        with pytest.raises(CompileError, match="bound"):
            operator.matvec(np.ones(20))


def test_indices_of_64_bits_are_computed_as_others() -> None:
    wide = MATRIX.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    operator = hd.compile(SPMV, formats={"A": "csr"}).as_linear_operator(A=wide, over="x")
    for x in (np.ones(20), np.arange(20.0)):
        np.testing.assert_allclose(operator.matvec(x), MATRIX @ x)


def test_an_empty_vector_has_a_result() -> None:
    operator = hd.compile(SPMV, formats={"A": "csr"}).as_linear_operator(A=sp.csr_array((3, 0)), over="x")
    for _ in range(2):
        np.testing.assert_array_equal(operator.matvec(np.empty(0)), np.zeros(3))


def test_what_is_no_name_is_refused() -> None:
    kernel: Any = hd.compile(SPMV, formats={"A": "csr"})
    with pytest.raises(hd.OperandError, match="over must be a text, but is 3"):
        kernel.as_linear_operator(A=MATRIX, over=3)


@pytest.mark.parametrize("schedule", ["auto", ""])
def test_an_operator_that_was_sent_multiplies_as_the_kernel_does(schedule: str) -> None:
    kernel = hd.compile(SPMV, like={"A": MATRIX}, schedule=schedule)
    x, y = np.arange(20.0), np.arange(30.0)
    operator = pickle.loads(pickle.dumps(kernel.as_linear_operator(A=MATRIX, over="x")))
    again = pickle.loads(pickle.dumps(operator))
    for arrived in (operator, again, copy.deepcopy(again)):
        np.testing.assert_allclose(arrived @ x, MATRIX @ x)
        np.testing.assert_allclose(arrived.H @ y, MATRIX.T @ y)
        np.testing.assert_allclose(pickle.loads(pickle.dumps((2 * arrived).T)) @ y, 2 * (MATRIX.T @ y))


def test_a_kernel_that_was_sent_explains_its_calls() -> None:
    kernel = hd.compile(SPMV, formats={"A": "csr"})
    x = np.ones(20)
    for arrived in (pickle.loads(pickle.dumps(kernel)), pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(kernel))))):
        assert arrived.explain(A=MATRIX, x=x) == kernel.explain(A=MATRIX, x=x)
