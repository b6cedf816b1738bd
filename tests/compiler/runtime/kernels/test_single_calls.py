"""A call that is made once prepares nothing but memory for its result, and is like one that is prepared."""

from __future__ import annotations

import gc
import warnings
import weakref
from itertools import combinations
from typing import Any, NoReturn

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.diagnostics import OperandError
from heddle.runtime.kernels.kernel import Kernel

MATRIX: Any = sp.random(30, 20, 0.2, format="csr", random_state=0)
VECTOR = np.arange(20.0)
SPMV: Any = ("y(i) = A(i,j) * x(j)", {"A": "csr"})


def unprepared(kernel: Kernel[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets calls that have to be prepared fail."""

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("prepared")

    monkeypatch.setattr(kernel, "_prepare", refuse)


@pytest.mark.parametrize(
    ("program", "operands", "expected"),
    [
        (SPMV, {"A": MATRIX, "x": VECTOR}, MATRIX @ VECTOR),
        (("y(i) = a(i) * s", {}), {"a": VECTOR, "s": 3.0}, 3 * VECTOR),
        (("t = a(i) * b(i)", {}), {"a": VECTOR, "b": VECTOR}, VECTOR @ VECTOR),
        (("B(j,i) = A(i,j)", {}), {"A": MATRIX.toarray()}, MATRIX.toarray().T),
    ],
)
def test_a_dense_result_of_operands_as_they_are_is_not_prepared(
    program: Any, operands: dict[str, Any], expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = hd.compile(*program)
    unprepared(kernel, monkeypatch)
    results = [kernel(**operands) for _ in range(3)]
    for result in results:
        np.testing.assert_allclose(result.to_numpy(), expected)
    assert not np.shares_memory(results[0].vals, results[1].vals)
    assert results[0].ownership is hd.compile(*program)(**operands).ownership


@pytest.mark.parametrize(
    ("program", "options"),
    [
        (("C(i,j) = A(i,j) + A(i,j)", {"A": "csr", "C": "csr"}), {}),
        (("y(j) = A(j,i) * x(i)", {"A": "csc"}), {"options": {"convert": "automatic"}, "schedule": "reorder(j, i)"}),
        (("y(i) += A(i,j) * x(j)", {"A": "csr"}), {}),
        (SPMV, {"target": "interpreter"}),
    ],
)
def test_whatever_has_more_to_it_is_prepared(
    program: Any, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = hd.compile(*program, **options)
    unprepared(kernel, monkeypatch)
    known: dict[str, Any] = {"A": MATRIX, "x": VECTOR, "y": np.zeros(30)}
    with pytest.raises(AssertionError, match="prepared"):
        kernel(**{tensor.name: known[tensor.name] for tensor in kernel.signature.inputs})


def test_a_claim_that_does_not_hold_is_refused_with_its_reason() -> None:
    kernel = hd.compile(*SPMV, schedule="bound(i, ib, 8, MaxExact)")
    with pytest.raises(OperandError, match="bound"):
        kernel(A=MATRIX, x=VECTOR)
    small = hd.compile(*SPMV, schedule="bound(i, ib, 30, MaxExact)")
    np.testing.assert_allclose(small(A=MATRIX, x=VECTOR).to_numpy(), MATRIX @ VECTOR)


def test_indices_of_64_bits_and_values_that_change_are_seen() -> None:
    kernel = hd.compile(*SPMV)
    wide = MATRIX.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    np.testing.assert_allclose(kernel(A=wide, x=VECTOR).to_numpy(), MATRIX @ VECTOR)
    np.testing.assert_allclose(kernel(A=hd.pack(wide, "csr"), x=VECTOR).to_numpy(), MATRIX @ VECTOR)
    changing, vector = MATRIX.copy(), VECTOR.copy()
    kernel(A=changing, x=vector)
    changing.data *= 2
    vector += 1
    np.testing.assert_allclose(kernel(A=changing, x=vector).to_numpy(), changing @ vector)
    scaled = hd.compile("y(i) = a(i) * s")
    number = np.array(2.0)
    assert scaled(a=VECTOR, s=number).to_numpy()[3] == 6
    number[...] = 5
    assert scaled(a=VECTOR, s=number).to_numpy()[3] == 15


def test_sizes_that_differ_are_refused_and_others_follow() -> None:
    kernel = hd.compile("y(i) = a(i) * b(i)")
    assert kernel(a=VECTOR, b=VECTOR).shape == (20,)
    with pytest.raises(OperandError, match="i"):
        kernel(a=VECTOR, b=np.ones(19))
    assert kernel(a=VECTOR[:7].copy(), b=np.ones(7)).shape == (7,)
    assert kernel(a=np.zeros(0), b=np.zeros(0)).shape == (0,)


def test_repeated_operands_are_read_anew_into_memory_of_their_own() -> None:
    kernel, matrix, x = hd.compile(*SPMV), MATRIX.copy(), VECTOR.copy()
    results = []
    for number in range(5):
        x[:], matrix.data[:] = VECTOR + number, MATRIX.data * (number + 1)
        results.append(kernel(A=matrix, x=x))
        np.testing.assert_allclose(results[-1].to_numpy(), (number + 1) * (MATRIX @ (VECTOR + number)))
    assert not any(np.shares_memory(first.vals, second.vals) for first, second in combinations(results, 2))


def test_operands_that_became_others_are_not_taken_for_those_of_before() -> None:
    kernel, b, x = hd.compile("y(i) = B(i,j) * x(j)"), np.arange(12.0).reshape(3, 4), np.arange(4.0)
    for _ in range(3):
        np.testing.assert_allclose(kernel(B=b, x=x).to_numpy(), b @ x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # NumPy's, of arrays that change their shape in place
        b.shape = (2, 6)
    with pytest.raises(OperandError, match="along j"):
        kernel(B=b, x=x)
    np.testing.assert_allclose(kernel(B=b, x=np.arange(6.0)).to_numpy(), b @ np.arange(6.0))
    np.testing.assert_allclose(kernel(B=b.T, x=np.arange(2.0)).to_numpy(), b.T @ np.arange(2.0))
    square = np.arange(9.0).reshape(3, 3)
    for _ in range(3):
        np.testing.assert_allclose(kernel(B=square, x=square[0]).to_numpy(), square @ square[0])
    out = square[0]
    for _ in range(2):  # the second reads what the first has written
        expected = square @ square[0]
        kernel(B=square, x=square[0], out=out)
        np.testing.assert_allclose(square[0], expected)


def test_a_number_in_memory_of_the_caller_is_read_in_every_call() -> None:
    kernel, s, a = hd.compile("y(i) = a(i) * s"), np.array(2.0), hd.pack(VECTOR)
    borrowed = hd.asarray(s)
    for value in (2.0, 3.0, 5.0, 7.0):
        s[...] = value
        for number in (s, borrowed):
            expected = (s if number is s else borrowed.to_numpy()) * VECTOR
            np.testing.assert_array_equal(kernel(a=a, s=number).to_numpy(), expected)


def test_the_operands_of_the_last_call_are_not_kept() -> None:
    kernel, packed, x = hd.compile(*SPMV), hd.pack(MATRIX, "csr"), hd.pack(VECTOR)
    for _ in range(3):
        kernel(A=packed, x=x)
    references = weakref.ref(x), weakref.ref(packed), weakref.ref(packed.vals)
    del x, packed
    gc.collect()
    assert [reference() is None for reference in references] == [True, True, True]
    np.testing.assert_allclose(kernel(A=MATRIX, x=VECTOR).to_numpy(), MATRIX @ VECTOR)


def wide(matrix: Any) -> Any:
    """The matrix with indices of int64, as SciPy's arrays have of coordinates that are int64."""
    copy = matrix.copy()
    copy.indices, copy.indptr = copy.indices.astype(np.int64), copy.indptr.astype(np.int64)
    return copy


def test_indices_of_64_bits_are_narrowed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, matrix = hd.compile(*SPMV), wide(MATRIX)
    unprepared(kernel, monkeypatch)
    np.testing.assert_allclose(kernel(A=matrix, x=VECTOR).to_numpy(), MATRIX @ VECTOR)
    monkeypatch.setattr("heddle.runtime.kernels.direct_operands.narrow_indices", None)
    np.testing.assert_allclose(kernel(A=matrix, x=VECTOR).to_numpy(), MATRIX @ VECTOR)
    matrix.data *= 2
    np.testing.assert_allclose(kernel(A=matrix, x=VECTOR).to_numpy(), 2 * MATRIX @ VECTOR)


@pytest.mark.parametrize("compiled", [True, False])
def test_narrowed_indices_follow_those_of_the_caller(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        monkeypatch.setattr("heddle.runtime.tensors.interop.narrow_indices._compile", lambda: None)
    kernel, matrix = hd.compile(*SPMV), wide(MATRIX)
    kernel(A=matrix, x=VECTOR)
    row = int(np.flatnonzero(np.diff(matrix.indptr) == 1)[0])
    for column in (19, 3, 0):
        matrix.indices[matrix.indptr[row]] = column
        np.testing.assert_allclose(kernel(A=matrix, x=VECTOR).to_numpy(), matrix @ VECTOR)
    matrix.indices[matrix.indptr[row]] = 2**32 + 1
    with pytest.raises(OperandError, match="coordinate 4294967297"):
        kernel(A=matrix, x=VECTOR)
    matrix.indices[matrix.indptr[row]] = 1
    matrix.indptr[1:-1] = matrix.indptr[-1]
    expected = np.zeros(30)
    expected[0] = matrix.data @ VECTOR[matrix.indices]
    np.testing.assert_allclose(kernel(A=matrix, x=VECTOR).to_numpy(), expected)


def test_indices_that_nobody_checked_are_checked_when_somebody_asks() -> None:
    kernel, matrix = hd.compile(*SPMV), wide(MATRIX)
    kernel(A=matrix, x=VECTOR, validate=False)
    matrix.indices[0] = 25
    with pytest.raises(OperandError, match="25"):
        kernel(A=matrix, x=VECTOR)
