"""Programs that once gave a wrong result or crashed, each by the name of what was wrong."""

from __future__ import annotations

import pytest

import heddle as hd
from tests.differential.check import check


def test_a_guard_on_a_variable_that_starts_over_in_a_fused_loop_only_skips() -> None:
    """w1 starts over for every j within v3: where it first leaves its tile, the loop still has iterations to run."""
    formats = {"A": "compressed, dense", "x": "compressed"}
    schedule = "split(i, v1, w1, 5)\nreorder(j, w1, v1)\nfuse(w1, v1, v3)"
    check("y(i) = A(j,i) * x(j)", formats, schedule)
    text = hd.lower("y(i) = A(j,i) * x(j)", formats, schedule).source
    assert text is not None
    assert "break" not in text.text


@pytest.mark.parametrize("race", ["Temporary", "ParallelReduction", "Atomics"])
def test_what_is_assigned_once_needs_no_copies(race: str) -> None:
    """Positions of a level with repeated coordinates: only one of them is on the diagonal."""
    schedule = f"pos(i, p, A)\nparallelize(p, CPUThread, {race})"
    check("y(i) = A(i,i) * x(i)", {"A": "compressed(nonunique), singleton", "x": "compressed"}, schedule)


def test_a_tile_of_a_hash_table_has_no_range_of_positions() -> None:
    """The coordinates of a hash table were searched as if they were sorted."""
    formats, tiles = {"A": "hashed, compressed"}, "split(j, j0, j1, 2)\nfuse(j1, i, f)"
    (refused,) = hd.lower("y(i) = A(j,i) * x(j)", formats, tiles).diagnostics
    assert refused.code == "schedule/fuse-sparse"
    check("y(i) = A(j,i) * x(j)", formats, "fuse(j, i, f)")


def test_parts_behind_the_end_of_a_bitmap_are_empty() -> None:
    """Of eight parts of a dimension of 1 most begin after its end, where the arrays below have nothing."""
    formats = {"A": "bitmap, compressed"}
    check("y(i) = A(i,j) * x(j)", formats, "divide(i, i0, i1, 8)\nfuse(i1, j, f)")


def test_positions_in_blocks_of_size_0_are_not_divided_by_it() -> None:
    """Every dimension is 0 in some of the operands: the search before the loop divided by it."""
    formats = {"B": "compressed, compressed, dense", "C": "csr"}
    check("A(i,j) = B(i,k,l) * C(l,j)", formats, "fuse(k, l, f)\ndivide(i, i0, i1, 3)\nfuse(i1, f, g)")


def test_a_sum_over_a_row_is_not_stored_at_a_free_slot_of_a_hash_table() -> None:
    formats = {"B": "csr", "C": "hashed, compressed:1,0"}
    check("A(i,l) = B(i,k) * C(k,l)", formats, "fuse(l, k, f)")


@pytest.mark.parametrize(
    "schedule",
    [
        ("unroll(i, 4)", "parallelize(i, CPUThread, NoRaces)"),
        ("parallelize(i, CPUVector, NoRaces)", "unroll(i, 2)"),
        ("unroll(i, 4)", "unroll(i, 2)"),
    ],
)
def test_a_loop_is_not_unrolled_and_parallel_at_once(schedule: tuple[str, ...]) -> None:
    (refused,) = hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}, schedule).diagnostics
    assert refused.code == "schedule/already-tagged"


@pytest.mark.parametrize(
    "expression",
    [
        "y(i) = x(i) / A(i,j)",
        "y = a(i) / b(j)",
        "y(i) = (x(i) + A(i,j)) / b(j)",
        "y(i) = b(i) - x(i) / A(i,j)",
    ],
)
def test_a_quotient_is_summed_as_a_whole(expression: str) -> None:
    check(expression, {})


@pytest.mark.parametrize(
    "formats", [{}, {"a": "sparse"}, {"b": "sparse", "d": "sparse"}, dict.fromkeys("abcd", "sparse")]
)
def test_only_the_terms_of_a_product_that_have_the_variable_are_summed(formats: dict[str, str]) -> None:
    """(a(j) + b(i)) * (c(j) + d(i)): b(i) * d(i) is counted once, not once for each j."""
    check("y(i) = (a(j) + b(i)) * (c(j) + d(i))", formats)


@pytest.mark.parametrize(
    "expression", ["y = b(j) + (b(j) + 1)", "y = b(j) + b(j) + 1", "y = -(1 - b(j))", "y = (b(j) + 1) * 2"]
)
def test_parentheses_do_not_change_what_is_summed(expression: str) -> None:
    check(expression, {})


@pytest.mark.parametrize("expression", ["y = A(i,j) * A(i,k)", "C(i,k) = A(i,j) * A(k,j)", "C(i,j) = A(i,j) + A(i,j)"])
@pytest.mark.parametrize("format", ["dense", "csr", "dcsr"])
def test_one_tensor_read_with_several_variables(expression: str, format: str) -> None:
    check(expression, {"A": format})


@pytest.mark.parametrize(
    "schedule",
    [
        "unroll(j, 4)",
        "parallelize(j, CPUVector, ParallelReduction)",
        "pos(j, p, A)\nsplit(p, p0, p1, 4)\nunroll(p1, 4)",
    ],
)
def test_a_sum_is_scheduled_on_its_own_whatever_is_added_outside_of_it(schedule: str) -> None:
    """b(i) has a value everywhere, but the loop over j still walks A's row alone."""
    check("y(i) = b(i) - A(i,j) * x(j)", {"A": "csr"}, schedule)


def test_positions_of_a_part_behind_the_end_are_none() -> None:
    """The last parts of a divide may start past the end of j: their rows of D do not exist."""
    formats = {"B": "compressed, dense", "C": "dcsr", "D": "csr"}
    check("A(i,k) = B(i,k) * C(i,j) * D(j,k)", formats, "divide(j, v0, w0, 4)\nfuse(w0, k, v1)")


def test_a_tracked_row_over_a_dense_level_is_not_summed_across_rows() -> None:
    """Parents that are computed by a division have no tracker whose row could end."""
    check("y(i) = A(i,j) * x(j)", {"A": "compressed, dense", "x": "sparse"}, "fuse(i, j, v0)")


@pytest.mark.parametrize("format", ["dense", "csr", "csc", "dcsr", "dcsc", "compressed, dense"])
def test_a_diagonal(format: str) -> None:
    """The second index is known from the first and searched in its level."""
    check("y(i) = A(i,i) * x(i)", {"A": format})
    check("y = A(i,i)", {"A": format})


@pytest.mark.parametrize(
    "schedule", ["reorder(j, i)\nfuse(j, i, f)", "reorder(j, i)\nsplit(i, a, b, 3)\nreorder(j, b)"]
)
def test_a_diagonal_level_is_not_walked_by_a_fused_loop(schedule: str) -> None:
    """T's last level is searched for the i that its first level gave; its positions are not the loop's."""
    check("y(i) = T(i,j,i) * x(j)", {"T": "dense, dense, compressed"}, schedule)
