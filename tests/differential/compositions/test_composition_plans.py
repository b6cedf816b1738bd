"""The plans that formats in parts are for, on matrices that are hard for them: interpreter = C = OpenCL = NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import heddle as hd
from heddle.runtime.devices.opencl_devices import devices
from heddle.runtime.packing.pack import pack_operands
from heddle.runtime.tensors.composite import Composite
from tests.differential.check import check

Array = NDArray[np.float64]
SPMM = "C(i,k) = A(i,j) * B(j,k)"
PLANS: dict[str, tuple[str, dict[str, str]]] = {
    "Q1": (SPMM, {"A": "hyb(1,2)"}),
    "Q2": (SPMM, {"A": "hyb(2,1)"}),
    "Q3": (SPMM, {"A": "hyb(8,5,64)"}),
    "Q4": (SPMM, {"A": "hyb(1,5,whole)"}),
    "Q4 by rows": (SPMM, {"A": "hyb(1,1,3,whole)"}),
    "Q6": ("y(i) = A(i,j) * x(j)", {"A": "dia where depth >= 50 + csr"}),
    "Q7": (SPMM, {"A": "bcsr(4,4) where tile(4,4) >= 8 + csr"}),
    "Q8": (SPMM, {"A": "ell(4) where slot < 4 + coo"}),
    "Q9": ("C(i,k) = alpha * A(i,j) * B(j,k) + D(i,k)", {"A": "hyb(2,3)"}),
    "Q10": ("y(i) = A(i,j) * A(i,j)", {"A": "hyb(1,3)"}),
    "Q12": ("S(i,j) = A(i,j) * Q(i,k) * K(j,k)", {"A": "hyb(1,3)", "S": "hyb(1,3)"}),
    "Q12 by rows": ("S(i,j) = A(i,j) * Q(i,k) * K(j,k)", {"A": "hyb(3,1,4)", "S": "hyb(3,1,4)"}),
    "Q12 tiles": (
        "S(i,j) = A(i,j) * Q(i,k) * K(j,k)",
        dict.fromkeys("AS", "bcsr(2,2) where tile(2,2) >= 3 + csc where row < 2 + coo"),
    ),
    "Q14": ("O(h,i,d) = P(i,j,h) * V(h,j,d)", {"P": "dense, compressed, dense"}),
    "Q15 srbcrs": (SPMM, {"A": "srbcrs(8,4)"}),
    "Q15 csb": (SPMM, {"A": "csb(64,64)"}),
    "Q15 dbsr": (SPMM, {"A": "dbsr(4,4)"}),
    "Q15 pieces": (SPMM, {"A": "pieces(4)"}),
    "Q15 hicoo": (SPMM, {"A": "parts(4), parts(4), compressed(nonunique), padded(2) : 0,1,0,1"}),
    "Q13 ell3d": ("Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,l)", {"A": "ell3d(4,8) where length <= 8 + csf"}),
    "Q13 turned": ("Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,l)", {"A": "dense, compressed, compressed : 1,0,2"}),
}
WHOLE_BLOCKS = ("Q7", "Q15 dbsr")
"""The zeros inside blocks are stored, and multiplied."""

MATRICES: dict[str, Array] = {
    "no rows": np.zeros((0, 4)),
    "no columns": np.zeros((4, 0)),
    "nothing stored": np.zeros((3, 5)),
    "one column": np.ones((6, 1)),
    "one long row": np.eye(5, 70) + np.outer(np.arange(5) == 2, np.ones(70)),
    "all rows alike": np.tile(np.arange(6) % 3 == 0, (7, 1)) * 2.0,
    "running example": np.array([[6.0, 0, 9, 0, 0, 0], [0] * 6, [5, 0, 0, 7, 0, 1], [0, 2, 0, 0, 8, 0]]),
}


@cache
def _kernel(plan: str, target: str) -> hd.Kernel:
    expression, formats = PLANS[plan]
    return hd.compile(expression, formats, target=target)


@pytest.mark.combinations(2)
@pytest.mark.parametrize("plan", PLANS)
def test_on_operands_of_all_kinds(plan: str) -> None:
    check(*PLANS[plan])


@pytest.mark.combinations(6, "plan")
@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("plan", [plan for plan, (expression, _) in PLANS.items() if expression == SPMM])
def test_products_of_hard_matrices(plan: str, matrix: str) -> None:
    """Where B is infinite, a place that holds no entry must not be multiplied; what the result held is not added to."""
    dense = MATRICES[matrix]
    other = np.arange(1.0, dense.shape[1] * 3 + 1).reshape(dense.shape[1], 3)
    unused = ~dense.any(0) & (plan not in WHOLE_BLOCKS)
    planted = np.where(unused[:, None], np.inf, other)
    for target in ("interpreter", "c"):
        kernel = _kernel(plan, target)
        call = kernel.bind(**pack_operands({"A": dense, "B": planted}, kernel.signature))
        for _ in range(2):
            call.run()
            np.testing.assert_array_equal(call.output.to_numpy(), dense @ other, err_msg=f"{matrix} on {target}")


@pytest.mark.parametrize("plan", ["Q1", "Q3", "Q4", "Q7", "Q15 csb", "Q15 hicoo"])
def test_duplicates_and_explicit_zeros(plan: str) -> None:
    coordinates = (np.array([2, 0, 2, 1]), np.array([1, 3, 1, 0]))
    operand = (coordinates, np.array([1.0, 5, 2, 0]), (3, 4))
    other = np.array([[np.inf, 1], [2, 3], [np.nan, np.nan], [4, 5]])
    for target in ("interpreter", "c"):
        found = _kernel(plan, target)(A=operand, B=other).to_numpy()
        np.testing.assert_array_equal(found, [[20, 25], [np.nan, 0], [6, 9]])


def test_the_parts_of_a_sampled_product_are_those_of_its_mask() -> None:
    mask = MATRICES["one long row"]
    rng = np.random.default_rng(1)
    q, k = rng.random((5, 4)), rng.random((70, 4))
    for target in ("interpreter", "c"):
        kernel = _kernel("Q12", target)
        packed = hd.pack(mask, "hyb(1,3)")
        found = kernel(A=packed, Q=q, K=k)
        assert isinstance(found, Composite)
        np.testing.assert_allclose(found.to_numpy(), mask * (q @ k.T), 1e-14)
        assert [part.stored for part in found.parts] == [part.stored for part in packed.parts]
        for own, other in zip(found.parts, packed.parts, strict=True):
            assert own.levels is other.levels
        assert (found.to_scipy().toarray() == found.to_numpy()).all()
        again = hd.compile("y(i) = S(i,j) * x(j)", {"S": "hyb(1,3)"}, target=target)(S=found, x=np.ones(70))
        np.testing.assert_allclose(again.to_numpy(), found.to_numpy().sum(1), 1e-13)


def test_a_minimum_over_what_is_stored() -> None:
    for matrix in MATRICES.values():
        stored = np.where(matrix != 0, matrix, np.inf)
        x = np.arange(matrix.shape[1]) - 2.0
        for target in ("interpreter", "c"):
            kernel = hd.compile(
                "d(i) = min(j, A(i,j) + x(j))", {"A": "hyb(1,3)"}, target=target, fills={"A": float("inf")}
            )
            expected = (stored + x).min(1, initial=np.inf)
            np.testing.assert_array_equal(kernel(A=stored, x=x).to_numpy(), expected)


@pytest.mark.parametrize(
    "format",
    [
        "hyb(8,5,64)",
        "hyb(1,2,3)",
        "hyb(1,1,3,whole)",
        "parts(3), dense, compressed : 0,0,1 where length <= 2 + parts(3), compressed, compressed : 0,0,1",
    ],
)
def test_workers_own_their_rows_in_all_parts(format: str) -> None:
    schedule = "share(i_part, A[*])\nparallelize(i_part, CPUThread, NoRaces)"
    check(SPMM, {"A": format}, schedule)
    result = hd.lower(SPMM, {"A": format}, schedule.splitlines())
    assert result.source is not None
    assert "atomic" not in result.source.text
    assert result.source.text.count("#pragma omp parallel for") == 2  # the zeros, and the parts of rows


def test_parts_of_rows_that_differ_are_not_shared() -> None:
    even = "parts(3, even), compressed, compressed : 0,0,1"
    format = f"parts(3), dense, compressed : 0,0,1 where length <= 2 + {even}"
    (diagnostic,) = hd.lower(SPMM, {"A": format}, ["share(i_part, A[*])"]).diagnostics
    assert diagnostic.code == "schedule/unlike-ranges"
    assert "over 3 equal parts of the range of i, but" in diagnostic.message
    assert "over 3 parts with equally many entries of the range of i." in diagnostic.message


def test_copies_for_workers_are_refused_where_values_lie_in_parts() -> None:
    schedule = ["pos(i_ell1,p,A_ell1)", "parallelize(p,CPUThread,Temporary)"]
    expression, formats = PLANS["Q12"]
    (diagnostic,) = hd.lower(expression, formats, schedule).diagnostics
    assert diagnostic.code == "schedule/copies-of-parts"
    assert "S has values only where its pattern has, so that no worker can have a copy" in diagnostic.message
    check(expression, formats, "parallelize(k_ell1,CPUThread,Temporary)")


@pytest.mark.takes_turns(10, among="OpenCL devices")
@pytest.mark.skipif(not devices(), reason="no OpenCL device")
@pytest.mark.combinations(6)
@pytest.mark.parametrize("plan", [plan for plan in PLANS if plan != "Q3"])  # more parts than commands for all of them
def test_on_an_opencl_device(plan: str) -> None:
    check(*PLANS[plan], targets=("opencl",))


def test_the_contract() -> None:
    import scipy.sparse

    matrix = scipy.sparse.random(30, 40, 0.2, format="csr", random_state=1)
    b = np.random.default_rng(2).random((40, 3))
    formats: Mapping[str, str] = {"A": "hyb(3,2)"}
    found = hd.compile(SPMM, formats=formats)(A=matrix, B=b).to_numpy()
    np.testing.assert_allclose(found, matrix @ b, 1e-14)
