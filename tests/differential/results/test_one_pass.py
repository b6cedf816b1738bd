"""``assemble(A, Append)``: a first pass only bounds the number of entries, segments close up after the loops."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.runtime.tensors.tensor import Tensor
from tests.differential.check import check

PRODUCT, CSR = "C(i,j) = A(i,k) * B(k,j)", {"A": "csr", "B": "csr", "C": "csr"}
WORKSPACE = "precompute(A(i,k) * B(k,j), j, jw, w)\nassemble(C, Append)\n"


@pytest.mark.combinations(4, "result", "threads")
@pytest.mark.parametrize("result", ["csr", "dcsr", "coo", "compressed, dense", "dense, compressed(unordered)"])
@pytest.mark.parametrize(
    "threads",
    [
        "",
        "parallelize(i, CPUThread, NoRaces)",
        "split(i, i0, i1, 2)\nparallelize(i0, CPUThread, NoRaces)",
        "divide(i, i0, i1, 3)\nparallelize(i0, CPUThread, NoRaces)",
    ],
)
def test_products(result: str, threads: str) -> None:
    check(PRODUCT, {**CSR, "C": result}, WORKSPACE + threads)


@pytest.mark.parametrize("append", ["", "assemble(C, Append)\n"])
def test_rows_are_ordered_only_where_the_format_asks_for_it(append: str) -> None:
    schedule = WORKSPACE.replace("assemble(C, Append)\n", append) + "parallelize(i, CPUThread, NoRaces)"
    for result, ordered in (("csr", True), ("dense, compressed(unordered)", False), ("dcsr", True)):
        source = hd.lower(PRODUCT, {**CSR, "C": result}, schedule).source
        assert source is not None
        assert ("sort_int32(w_list, w_count)" in source.text) is ordered


def test_rows_in_any_order_are_right_for_scipy_and_as_operands() -> None:
    random = np.random.default_rng(0)
    a = scipy.sparse.random_array((30, 40), density=0.2, rng=random, format="csr")
    b = scipy.sparse.random_array((40, 35), density=0.2, rng=random, format="csr")
    made = hd.compile(PRODUCT, {**CSR, "C": "dense, compressed(unordered)"}, WORKSPACE.splitlines())(A=a, B=b)
    assert isinstance(made, Tensor)
    columns = made.levels[1].crd
    assert columns is not None
    assert (np.diff(columns) < 0).sum() > 30  # more falls than there are rows
    expected = (a @ b).toarray()
    np.testing.assert_allclose(made.to_scipy().toarray(), expected)
    found = scipy.sparse.csr_array(made.to_scipy())
    np.testing.assert_allclose((found + found).toarray(), 2 * expected)
    x = random.random(35)
    again = hd.compile("y(i) = C(i,j) * x(j)", {"C": "dense, compressed(unordered)"})(C=made, x=x)
    np.testing.assert_allclose(again.to_numpy(), expected @ x)
    np.testing.assert_allclose(hd.convert(made, "csr").to_numpy(), expected)


@pytest.mark.parametrize("threads", ["", "parallelize(i, CPUThread, NoRaces)"])
def test_rows_whose_products_meet_take_no_more_memory_than_they_have_places(threads: str) -> None:
    """Full operands: 20 products for each place of C."""
    source = hd.lower(PRODUCT, CSR, WORKSPACE + threads).source
    assert source is not None
    assert "min_int64(w_count, C2_dimension)" in source.text
    full = np.arange(1.0, 601).reshape(30, 20)
    made = hd.compile(PRODUCT, CSR, (WORKSPACE + threads).splitlines())(A=full, B=full.T.copy())
    np.testing.assert_allclose(made.to_numpy(), full @ full.T)


def test_products_by_balanced_rows() -> None:
    check(PRODUCT, CSR, f"{WORKSPACE}balance(i, i0, i1, A, 3)\nparallelize(i0, CPUThread, NoRaces)")


@pytest.mark.parametrize("threads", ["", "\nparallelize(i, CPUThread, NoRaces)"])
@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        ("C(i,j) = A(i,j) + B(i,j)", CSR),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": "coo", "B": "dcsr", "C": "coo"}),
        ("C(i,j,k) = A(i,j) * B(j,k)", {"A": "csr", "C": "dense, compressed, dense"}),
        ("C(i) = A(i) + B(i)", {"A": "sparse", "B": "sparse", "C": "sparse"}),
    ],
)
def test_other_kernels(expression: str, formats: dict[str, str], threads: str) -> None:
    schedule = f"assemble(C, Append){threads}"
    refused = [diagnostic.code for diagnostic in hd.lower(expression, formats, schedule).diagnostics]
    if refused:  # a merge is no loop that threads could share
        assert threads
        assert refused[0] in ("schedule/merge", "schedule/repeated-coordinates")
    else:
        check(expression, formats, schedule)


def test_several_groups_are_counted_exactly() -> None:
    check("C(i,j,k) = A(i,j,k) + B(i,j,k)", {"A": "csf", "B": "csf", "C": "csf"}, "assemble(C, Append)")


@pytest.mark.parametrize(("threads", "noted"), [("", False), ("parallelize(i, CPUThread, NoRaces)", True)])
def test_ends_of_segments_are_noted_only_where_they_are_read(threads: str, noted: bool) -> None:
    source = hd.lower(PRODUCT, CSR, WORKSPACE + threads).source
    assert source is not None
    assert ("C2_end" in source.text) is noted


def test_the_first_pass_looks_at_no_coordinate() -> None:
    result = hd.lower(PRODUCT, CSR, WORKSPACE)
    assert result.source is not None
    text = result.source.text[result.source.text.index("int32_t kernel(") :]
    first = text[: text.index("scan_int64")]
    assert "w_marked[" not in first
    assert text.count("w_marked[jw] = true") == 1


SUM = "C(i,j) = A(i,j) + B(i,j)"


@pytest.mark.combinations(2, "formats", "schedule")
@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        (SUM, CSR, ""),
        (SUM, CSR, "balance(i, i0, i1, A, 3)\nparallelize(i0, CPUThread, NoRaces)"),
        (SUM, dict.fromkeys("ABC", "dcsr"), ""),
        ("C(i,j) = A(i,j) * B(i,j)", CSR, ""),
        ("C(i,j) = A(i,j) + B(i,j) + D(i,j)", {**CSR, "D": "csr"}, ""),
        ("C(i,j) = A(i,j) * B(i,j) + D(i,j)", {**CSR, "D": "csr"}, ""),
        ("C(i,j) = A(i,j) * (B(i,j) + D(i,j))", {**CSR, "D": "csr"}, ""),
        (SUM, CSR, "split(j, j0, j1, 4)"),
        ("C(i) = A(i) + B(i)", dict.fromkeys("ABC", "sparse"), ""),
    ],
)
def test_merges_are_bounded_without_merging(expression: str, formats: dict[str, str], schedule: str) -> None:
    wanted = f"assemble(C, Append)\n{schedule}"
    source = hd.lower(expression, formats, wanted).source
    assert source is not None
    text = source.text[source.text.index("int32_t kernel(") :]
    if formats["C"] == "csr" and "split" not in schedule:
        assert "while (" not in text[: text.index("scan_int64")]
    check(expression, formats, wanted)


def test_a_bound_of_an_intersection_is_its_shortest_operand() -> None:
    structured = hd.lower("C(i) = A(i) * B(i)", dict.fromkeys("ABC", "sparse"), "assemble(C, Append)").structured
    assert structured is not None
    assert "iC += min(A.level1.pos[1], B.level1.pos[1])" in structured.text


def test_repeated_products_leave_no_gap() -> None:
    """Every product falls on the same few columns: the bound is far above what is stored."""
    rng = np.random.default_rng(7)
    left = scipy.sparse.csr_matrix((rng.random((40, 30)) < 0.5) * rng.integers(1, 5, (40, 30)).astype(float))
    right = scipy.sparse.csr_matrix((rng.random((30, 50)) < 0.5) * rng.integers(1, 5, (30, 50)).astype(float))
    kernel = hd.compile(PRODUCT, CSR, f"{WORKSPACE}parallelize(i, CPUThread, NoRaces)")
    found, expected = kernel(A=left, B=right), left @ right
    assert found.stored == expected.nnz
    np.testing.assert_array_equal(found.to_numpy(), expected.toarray())


@pytest.mark.parametrize("threads", ["", "parallelize(ib, CPUThread, NoRaces)"])
def test_segments_that_a_guard_leaves_out_are_empty(threads: str) -> None:
    formats = {"x": "sparse", "y": "sparse"}
    check("y(i) = b(i) - A(i,j) * x(j)", formats, f"assemble(y, Append)\nbound(i, ib, 32, MaxConstraint)\n{threads}")


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "bounded"),
    [
        ("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr", "C": "csr"}, "", True),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr", "C": "csr"}, "assemble(C, Insert)", False),
        ("C(i,j) = A(i,j) * B(i,j)", {"A": "csr", "B": "csr", "C": "csr"}, "", False),
    ],
)
def test_a_merge_is_bounded_rather_than_counted_without_a_schedule(
    expression: str, formats: dict[str, str], schedule: str, bounded: bool
) -> None:
    source = hd.lower(expression, formats, schedule).source
    assert source is not None
    assert (source.text.count("while (jA < jA_end && jB < jB_end)") == 1) is bounded
    check(expression, formats, schedule)
