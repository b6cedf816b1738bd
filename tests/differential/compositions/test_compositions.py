"""Operands that are sums of parts: interpreter = C = NumPy for every quantity, and every entry in exactly one part."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import heddle as hd
from tests.differential.check import check

FORMATS = (
    "hyb(1,2)",
    "hyb(3,1)",
    "hyb(9,0)",
    "hyb(1,1,whole)",
    "bcsr(2,2) where tile(2,2) >= 3 + csr",
    "dia where depth >= 30 + csr",
    "ell(2) where slot < 2 + coo",
    "csr where row < 2 + csc where column in 1..2 + coo",
    "pieces(3) where length <= 6 + dcsr",
    "heavy = csr where count(1) > 2 and along(0) != 3 + rest = coo",
    "csr where diagonal == 0 + coo",
    "pieces(2) where piece(2,2) >= 2 + csr",
)
EXPRESSIONS = (
    "y(i) = A(i,j) * x(j)",
    "C(i,k) = A(i,j) * B(j,k)",
    "C(i,k) = alpha * A(i,j) * B(j,k) + D(i,k)",
    "y(i) = b(i) - A(i,j) * x(j) - A(i,j) * z(j)",
    "y(i) = A(i,j) * A(i,j)",
    "y(j) = A(i,j) * x(i)",
    "s = A(i,j)",
    "C(i,j) = 2 * A(i,j)",
)
RUNNING = np.array([[6.0, 0, 9, 0, 0, 0], [0] * 6, [5, 0, 0, 7, 0, 1], [0, 2, 0, 0, 8, 0]])


@pytest.mark.combinations(8, "expression")
@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("format", FORMATS)
def test_every_part_adds_its_share(expression: str, format: str) -> None:
    check(expression, {"A": format})


def test_a_reduction_that_is_no_sum_combines_the_parts_by_itself() -> None:
    rng = np.random.default_rng(3)
    matrix = np.where(rng.random((7, 9)) < 0.4, rng.random((7, 9)), np.inf)
    x = rng.random(9)
    for target in ("interpreter", "c"):
        kernel = hd.compile("d(i) = min(j, A(i,j) + x(j))", {"A": "hyb(1,1)"}, target=target, fills={"A": float("inf")})
        np.testing.assert_array_equal(kernel(A=matrix, x=x).to_numpy(), (matrix + x).min(1))


def test_tensors_of_other_orders() -> None:
    check("y(i) = T(i,j,k) * x(k)", {"T": "csf where length >= 2 + coo"})
    check("C(i,j) = T(i,j,k) * x(k)", {"T": "coo where count(2) < 3 + csf"})
    check("s = v(i) * x(i)", {"v": "sparse where row < 3 + coo"})


def test_the_buckets_of_the_running_example() -> None:
    packed = hd.pack(RUNNING, "hyb(2,1)")
    found = []
    for part in packed.parts:
        rows, columns = part.levels
        assert rows.crd is not None
        assert columns.crd is not None
        found.append((rows.crd.tolist(), columns.crd.tolist()))
    assert found == [([2, 3, 3], [0, 1, 4]), ([0, 2], [0, 2, 3, 5])]
    assert packed.padding == 1
    assert repr(packed) == "Composite(shape=(4, 6), format=hyb(2,1), dtype=float64, stored=7)"


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (5, 7), (1, 40), (40, 1)])
def test_packing_and_back(format: str, shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(1).integers(-1, 2, shape).astype(float)
    packed = hd.pack(matrix, format)
    np.testing.assert_array_equal(packed.to_numpy(), matrix)
    np.testing.assert_array_equal(packed.to_scipy().toarray(), matrix)
    np.testing.assert_array_equal(hd.convert(packed, "csr").to_numpy(), matrix)
    supports = [set(zip(*(column.tolist() for column in part.to_coo()[0]), strict=True)) for part in packed.parts]
    assert sum(map(len, supports)) == len(set().union(*supports))
    assert packed.nbytes == sum(part.nbytes for part in packed.parts)
    for part in packed.parts:
        hd.validate(hd.Tensor(part.shape, part.format, part.dtype, part.levels, part.vals, part.fill))


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(1, 14),
    st.integers(0, 4),
)
@settings(max_examples=40, deadline=None)
def test_buckets_waste_less_than_half_of_their_places(
    seed: int, height: int, width: int, ranges: int, bucket: int
) -> None:
    matrix = (np.random.default_rng(seed).random((height, width)) < 0.5).astype(float)
    packed = hd.pack(matrix, f"hyb({ranges},{bucket})")
    np.testing.assert_array_equal(packed.to_numpy(), matrix)
    assert packed.padding < 2


def test_what_a_kernel_takes() -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "hyb(1,1)"})
    x, expected = np.arange(6.0), RUNNING @ np.arange(6.0)
    coordinates = np.nonzero(RUNNING)
    packed = hd.pack(RUNNING, "hyb(1,1)")
    for operand in (RUNNING, scipy.sparse.csr_array(RUNNING), (coordinates, RUNNING[coordinates], (4, 6)), packed):
        assert kernel(A=operand, x=x).to_numpy().tolist() == expected.tolist()
    with pytest.raises(hd.CompileError, match="A is packed as csr, but this kernel was compiled for hyb"):
        kernel(A=hd.pack(RUNNING, "csr"), x=x)


def test_padding_multiplies_nothing() -> None:
    """Padded slots hold the number of columns, and what lies there is never read: no zero meets an infinity."""
    x = np.full(6, np.inf)
    for format in ("hyb(1,2)", "hyb(2,2)", "ell(3) where length <= 3 + csr"):
        kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": format})
        assert kernel(A=RUNNING, x=x).to_numpy().tolist() == [np.inf, 0, np.inf, np.inf]


def test_what_the_result_held_is_added_once() -> None:
    for target in ("interpreter", "c"):
        kernel = hd.compile("y(i) += A(i,j) * x(j)", {"A": "hyb(1,1)"}, target=target)
        found = kernel(A=RUNNING, x=np.arange(6.0), y=np.ones(4)).to_numpy()
        assert found.tolist() == (1 + RUNNING @ np.arange(6.0)).tolist()


def test_a_second_call_starts_from_nothing() -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "hyb(1,1)"})
    call = kernel.bind(A=hd.pack(RUNNING, "hyb(1,1)"), x=np.arange(6.0))
    call.run()
    first = call.output.to_numpy().copy()
    call.run()
    assert call.output.to_numpy().tolist() == first.tolist()


def test_a_workspace_adds_to_what_the_parts_before_it_stored() -> None:
    for part in ("ell2", "coo"):
        schedule = f"precompute(A_{part}(i_{part},j_{part}) * B(j_{part},k_{part}), k_{part}, kw, w)"
        check(
            "C(i,k) = A(i,j) * B(j,k)",
            {"A": "ell(2) where slot < 2 + coo"},
            f"reorder(i_{part}, j_{part}, k_{part})\n{schedule}",
        )


def test_entries_without_a_part_are_refused() -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr where length <= 2 + coo where length == 4"})
    with pytest.raises(hd.CompileError) as caught:
        kernel(A=RUNNING, x=np.arange(6.0))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/undivided"
    assert diagnostic.message == (
        "3 of the 7 entries of A pass the tests of no part, the first one at (2, 0). Add a last part without a test."
    )


@pytest.mark.parametrize("schedule", ["pos(i_ell2,p,A_ell2)\nsplit(p,p0,p1,4)\nparallelize(p0,CPUThread,Atomics)"])
def test_parts_are_scheduled_by_their_own_variables(schedule: str) -> None:
    check("y(i) = A(i,j) * x(j)", {"A": "hyb(1,2)"}, schedule)


def test_parts_on_a_gpu() -> None:
    for target in ("opencl", "cuda"):
        result = hd.lower("C(i,k) = A(i,j) * B(j,k)", {"A": "hyb(2,2)"}, target=target)
        assert result.ok
        assert len(result.launches) == 1  # all parts in one; the zeros are filled in without one
