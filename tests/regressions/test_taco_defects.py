"""What public TACO (2022-08) gets wrong, by the number of the observation (docs/sources.toml D1 to D14):
right here, or refused with the reason."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import Diagnostic
from heddle.loop_ir.nodes import Break, For, LoopKind
from heddle.loop_ir.walk import statements
from tests.differential.check import check

SPMV, CSR = "y(i) = A(i,j) * x(j)", {"A": "csr"}
SDDMM = "A(i,k) = B(i,k) * C(i,j) * D(j,k)"


def refusal(expression: str, formats: dict[str, str], schedule: str = "") -> Diagnostic:
    (found,) = hd.lower(expression, formats, schedule).diagnostics
    return found


def text(expression: str, formats: dict[str, str], schedule: str = "") -> str:
    return hd.compile(expression, formats, schedule).source


def test_1_coord_exists() -> None:
    check(SPMV, CSR, "pos(j, p, A)\nsplit(p, p0, p1, 4)\ncoord(p1, jc)")


def test_2_a_reorder_against_the_storage_order_is_refused() -> None:
    found = refusal(SPMV, CSR, "reorder(j, i)")
    assert found.code == "schedule/storage-order"
    assert "A is stored i→j, so j cannot be visited before i is known" in found.message


@pytest.mark.parametrize("schedule", ["", "reorder(i, k, j)", "reorder(i, j, k)"])
def test_3_sddmm_does_not_overflow_its_result(schedule: str) -> None:
    """Whatever the order of the loops: B's pattern is the result's, each value has its one place."""
    check(SDDMM, {"A": "csr", "B": "csr"}, schedule)


def test_3_an_append_under_an_outer_reduction_is_refused() -> None:
    found = refusal("A(i,k) = C(i,j) * D(j,k)", {"A": "csr", "C": "csr", "D": "csr"}, "reorder(i, j, k)")
    assert found.code == "schedule/append-order"
    assert "every iteration of j would append to the same A(i, …) again" in found.message


@pytest.mark.parametrize("race", ["Atomics", "Temporary"])
def test_4_precomputed_products_are_added_up(race: str) -> None:
    """The schedule of A.2 with threads: no update is lost, and the result starts from zero."""
    schedule = (
        "fuse(i, j, f)\npos(f, p, A)\nsplit(p, p0, p1, 16)\nsplit(p1, p2, p3, 4)\n"
        f"precompute(A(i,j) * x(j), p3, q, products)\nunroll(q, 4)\nparallelize(p0, CPUThread, {race})"
    )
    check(SPMV, CSR, schedule)


def test_5_a_guard_that_is_not_monotone_only_skips() -> None:
    """Position tiles start before their row does: nothing of the row may be lost."""
    schedule = "pos(j, p, A)\nsplit(p, p0, p1, 4)\nreorder(i, p1, p0)"
    result = hd.lower(SPMV, CSR, schedule)
    if result.ok:
        check(SPMV, CSR, schedule)
    else:
        assert [one.code for one in result.diagnostics] == ["schedule/strided"]
    check(SPMV, CSR, "pos(j, p, A)\nsplit(p, p0, p1, 4)")
    fused = hd.lower(
        "y(i) = A(j,i) * x(j)",
        {"A": "compressed, dense", "x": "sparse"},
        "split(i, a, b, 5)\nreorder(j, b, a)\nfuse(b, a, f)",
    )
    assert fused.function is not None
    assert not any(isinstance(one, Break) for one in statements(fused.function.body))


def test_6_partial_sums_of_workers_are_combined() -> None:
    for unit, race in (
        ("CPUThread", "Temporary"),
        ("CPUThread", "ParallelReduction"),
        ("CPUVector", "ParallelReduction"),
    ):
        check(SPMV, CSR, f"parallelize(j, {unit}, {race})")


def test_7_the_last_block_reads_nothing_behind_the_end() -> None:
    """The checked interpreter would report the read; the number of nonzeros is no multiple of the tile."""
    schedule = "fuse(i, j, f)\npos(f, p, A)\nsplit(p, p0, p1, 64)\nprecompute(A(i,j) * x(j), p1, q, w)"
    check(SPMV, CSR, schedule)


def test_8_a_bound_is_checked_when_the_kernel_is_called() -> None:
    kernel = hd.compile("C(i,k) = A(i,j) * B(j,k)", CSR, "split(k, k0, k1, 32)\nbound(k0, kb, 1, MaxExact)")
    wide, narrow = np.ones((3, 33)), np.ones((3, 32))
    np.testing.assert_array_equal(kernel(A=np.eye(3), B=narrow).to_numpy(), narrow)
    with pytest.raises(hd.CompileError, match="bound\\(k0, kb, 1, MaxExact\\) claims that k0 ends at 1"):
        kernel(A=np.eye(3), B=wide)


def test_9_operands_in_conflicting_orders_are_explained() -> None:
    found = refusal("A(i,j) = B(i,j) + C(i,j)", {"B": "csr", "C": "csc"})
    assert found.code == "format/conflicting-orders"
    assert found.fixes
    for fix in found.fixes:
        if fix.formats is None:
            assert fix.options == {"convert": "automatic"}
            continue
        check("A(i,j) = B(i,j) + C(i,j)", {"B": "csr", "C": "csc", **fix.formats}, targets=("interpreter",))


def test_10_position_tiles_count_from_the_row() -> None:
    """No tile begins in the row before: the loop over tiles runs from the first position of the row on."""
    source = text(SPMV, CSR, "pos(j, p, A)\nsplit(p, p0, p1, 8)")
    assert "/ 8" not in source or "A2_pos[i] / 8" in source
    check(SPMV, CSR, "pos(j, p, A)\nsplit(p, p0, p1, 8)")


def test_11_coordinate_tiles_do_not_read_behind_the_last_coordinate() -> None:
    check(SPMV, CSR, "split(j, j0, j1, 4)")


@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        (SPMV, {"A": "csr", "x": "sparse"}, ""),
        (SPMV, {"A": "csr", "x": "sparse"}, "mergeby(j, Gallop)"),
        (SPMV, {"A": "coo"}, ""),
        (SPMV, CSR, "divide(i, i0, i1, 4)"),
        ("a(i) = b(i) * c(i) + d(i)", dict.fromkeys("bcd", "sparse"), ""),
        ("y(i) = b(i) - A(i,j) * x(j)", CSR, ""),
        ("C(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABC", "csr"), ""),
        ("C(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABC", "csr"), ""),
    ],
)
def test_12_what_taco_gets_right_is_right_here(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)


def test_13_full_tiles_run_without_a_guard() -> None:
    function = hd.lower(SPMV, {}, "split(j, j0, j1, 4)\nunroll(j1, 4)").function
    assert function is not None
    loops = [one for one in statements(function.body) if isinstance(one, For) and one.unroll]
    assert len(loops) == 2  # one for full tiles, one that is guarded
    check(SPMV, {}, "split(j, j0, j1, 4)\nunroll(j1, 4)")


def test_14_rows_of_position_tiles_are_searched_once_and_tracked() -> None:
    source = text(SPMV, CSR, "fuse(i, j, f)\npos(f, p, A)\nsplit(p, p0, p1, 8)\nparallelize(p0, CPUThread, Atomics)")
    kernel = source[source.index("int32_t kernel(") :]
    assert kernel.count("search_") == 1
    assert kernel.index("search_") < kernel.index("p1")


@pytest.mark.parametrize("expression", ["y(i) = 1e-3*x(i)", "y(i) = x(i) * 1e2"])
def test_exponents_of_numbers_are_read(expression: str) -> None:
    check(expression, {})


def test_text_behind_the_expression_is_not_dropped() -> None:
    assert refusal("y(i) = x(i) z(i)", {}).code.startswith("expression/")


def test_accumulation_adds_to_what_is_there() -> None:
    kernel = hd.compile("y(i) += A(i,j) * x(j)", CSR)
    found = kernel(A=np.eye(2), x=np.array([1.0, 2.0]), y=np.array([10.0, 20.0]))
    np.testing.assert_array_equal(found.to_numpy(), [11.0, 22.0])


@pytest.mark.parametrize("expression", ["y(i) = (b(i) + c(i)) * A(i,j)", "y(i) = A(i,j) * (x(j) + b(i))"])
def test_a_sum_under_a_product_with_a_reduction(expression: str) -> None:
    check(expression, CSR)


@pytest.mark.parametrize("size", ["0", "-1"])
def test_a_tile_has_at_least_one_iteration(size: str) -> None:
    assert hd.lower(SPMV, CSR, f"split(i, i0, i1, {size})").diagnostics


@pytest.mark.parametrize("tensor", ["Q", "A(i,j)"])
def test_pos_names_a_tensor(tensor: str) -> None:
    """TACO ignores what it does not know; the spelling of Senanayake et al. 2020, with indices, means the tensor."""
    result = hd.lower(SPMV, CSR, f"pos(j, p, {tensor})")
    assert result.diagnostics if tensor == "Q" else (result.ok or result.diagnostics)
    if result.ok:
        check(SPMV, CSR, f"pos(j, p, {tensor})")


@pytest.mark.parametrize("unit", ["GPUBlock", "GPUThread"])
def test_units_that_the_target_lacks_are_refused(unit: str) -> None:
    assert refusal(SPMV, CSR, f"parallelize(i, {unit}, NoRaces)").code == "schedule/unit-of-target"


@pytest.mark.parametrize("formats", [{"A": "csr"}, {"A": "csc"}, {"A": "csr", "C": "csr"}, {"A": "csr", "C": "csc"}])
def test_transposes(formats: dict[str, str]) -> None:
    check("C(i,j) = A(j,i)", formats)


def test_threads_for_sparse_rows_and_results() -> None:
    schedule = "reorder(i, k, j)\nprecompute(A(i,k) * B(k,j), j, j, w)\nparallelize(i, CPUThread, NoRaces)"
    result = hd.lower("C(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABC", "dcsr"), schedule)
    assert result.function is not None
    assert any(isinstance(s, For) and s.kind is LoopKind.CPU_THREAD for s in statements(result.function.body))
    check("C(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABC", "dcsr"), schedule)


def test_positions_of_a_result_are_those_of_the_operand_that_it_stores() -> None:
    """TACO's programs ask for positions of the result, which is empty then: they stand for the sampled operand's."""
    formats = {"B": "csr", "C": "csr"}
    for schedule in ("pos(j, p, C)", "fuse(i, j, f)\npos(f, p, C)\nsplit(p, p0, p1, 4)"):
        expression = "C(i,j) = B(i,j) * D(i,k) * E(k,j)"
        remarks = [diagnostic.code for diagnostic in hd.lower(expression, formats, schedule).diagnostics]
        assert remarks == ["schedule/pos-of-result"]
        check(expression, formats, schedule)
