"""64-bit positions and coordinates: taken where 32 bits do not suffice, with the same results."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle import index_width
from heddle.loop_ir.nodes import INDEX_OVERFLOW
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.calling import Prepared

SHAPE = (7, 9)
FORMATS = ("csr", "csc", "coo", "dcsr", "ell", "dia", "dense, hashed", "dense, compressed(nonunique)")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a 32-bit index could count to 12 alone."""
    monkeypatch.setattr(index_width, "LARGEST_NARROW", 12)


def matrix(density: float, seed: int = 3) -> np.ndarray:
    return sp.random(*SHAPE, density, random_state=seed).toarray().round(2)


def index_dtypes(tensor: hd.Tensor) -> set[str]:
    return {array.dtype.name for (role, _), array in tensor.arrays().items() if role not in ("vals", "mask")}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_large_operands_are_packed_wide(format: str, target: str) -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": format}, target=target)
    x = np.arange(1.0, SHAPE[1] + 1)
    for density, dtypes in ((0.1, {"int32"}), (0.6, {"int64"}), (0.1, {"int32"})):
        A = matrix(density)
        packed = hd.pack(A, format)
        assert (index_dtypes(packed), packed.wide) == (dtypes, dtypes == {"int64"})
        np.testing.assert_allclose(kernel(A=packed, x=x).to_numpy(), A @ x)
        np.testing.assert_array_equal(hd.convert(packed, "coo").to_numpy(), A)


@pytest.mark.usefixtures("few")
def test_narrow_and_wide_operands_meet() -> None:
    kernel = hd.compile("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "dcsr"})
    narrow, wide = matrix(0.1), matrix(0.7, seed=4)
    for A, B in ((narrow, wide), (wide, narrow), (wide, wide), (narrow, narrow)):
        np.testing.assert_array_equal(kernel(A=A, B=B).to_numpy(), A + B)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("format", ["coo", "dcsr"])
def test_a_result_with_too_many_entries_is_computed_again_wide(format: str, target: str) -> None:
    kernel = hd.compile("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr", "C": format}, target=target)
    A, B = matrix(0.15), matrix(0.15, seed=5)
    assert max(np.count_nonzero(A), np.count_nonzero(B)) <= 12 < np.count_nonzero(A + B)
    call = kernel.bind(A=hd.pack(A, "csr"), B=hd.pack(B, "csr"))
    for _ in range(2):
        call.run()
        np.testing.assert_array_equal(call.output.to_numpy(), A + B)
        assert index_dtypes(call.output) == {"int64"}
    assert index_dtypes(kernel(A=A, B=np.zeros_like(B))) == {"int32"}


def test_rows_that_may_have_more_entries_than_their_dimension_count_wide() -> None:
    """A row of such a result is one segment: its count alone may exceed 32 bits, before anything adds up."""
    kernel = hd.compile("C(i,j,k) = A(i,j,k)", {"A": "csf", "C": "dense, compressed(nonunique), singleton"})
    A = np.zeros((2, 3, 4))
    A[1, 2, 3] = 5
    found = kernel(A=A)
    np.testing.assert_array_equal(found.to_numpy(), A)
    assert index_dtypes(found) == {"int64"}


def test_an_overflow_is_reported_when_64_bits_do_not_help() -> None:
    """The kernel's own status decides; the second variant is asked once."""
    asked: list[str] = []
    kernel = hd.compile("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr", "C": "csr"})
    empty = kernel(A=np.zeros((2, 2)), B=np.zeros((2, 2)))

    def widen() -> tuple[hd.Tensor, Prepared]:
        asked.append("wide")
        return empty, Prepared(lambda: INDEX_OVERFLOW)

    call = BoundCall({}, empty, Prepared(lambda: INDEX_OVERFLOW), kernel.refusal, None, widen)
    for _ in range(2):
        with pytest.raises(hd.CompileError) as caught:
            call.run()
        assert caught.value.diagnostics[0].code == "runtime/index-overflow"
    assert asked == ["wide"]


def test_dimensions_beyond_32_bits() -> None:
    """Nothing lowered here: coordinates near 2**35 in doubly compressed storage."""
    far = 2**35
    A = (([5, far - 1, far - 1], [far - 2, 7, far - 2]), [2.0, 3.0, 4.0], (far, far))
    x = (([7, far - 2],), [10.0, 100.0], (far,))
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "dcsr", "x": "compressed", "y": "compressed"})
    (rows,), values = kernel(A=A, x=x).to_coo()
    assert (rows.tolist(), values.tolist()) == ([5, far - 1], [200.0, 430.0])


def test_duplicates_are_added_beyond_the_keys_of_the_sort() -> None:
    far = 2**40 - 1
    columns = np.full(4, far - 1)
    tensor = hd.pack(((columns, [3, 1, 3, 2]), [1.0, 2.0, 4.0, 8.0], (far, 2**25)), "dcsr")
    (rows, places), values = tensor.to_coo()
    assert (rows.tolist(), places.tolist(), values.tolist()) == ([far - 1] * 3, [1, 2, 3], [2.0, 8.0, 5.0])


def test_declared_shapes_decide_what_is_shown() -> None:
    plan = {"version": 1, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}
    assert "const int32_t* restrict A2_crd" in hd.compile(plan).source
    plan["tensors"]["A"]["shape"] = [4, 2**33]
    result = hd.lower(plan)
    assert result.source is not None
    assert "const int64_t* restrict A2_crd" in result.source.text
