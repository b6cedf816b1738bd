"""Workspaces and assembled results that once were wrong or crashed, each by the name of what was wrong."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check


def refusals(expression: str, formats: dict[str, str], schedule: str) -> list[str]:
    return [one.code for one in hd.lower(expression, formats, schedule).diagnostics]


def test_a_workspace_that_a_search_leaves_out_is_zero_there() -> None:
    check("y(i) = A(i,i) * x(i)", {"A": "csr", "x": "sparse"}, "precompute(A(i,i), i, i)")


def test_a_workspace_of_numbers_that_are_compared_holds_numbers() -> None:
    """The result's dtype, bool, would have cut them to truth values."""
    check("C(i,j) = A(i,j) > B(i,j)", {"A": "dcsr"}, "precompute(B(i,j), j, j)")


def test_workspaces_are_unrolled_by_name() -> None:
    """The list of a workspace has each coordinate once: its loop may be unrolled or made parallel."""
    formats = {"B": "csf", "C": "dcsr", "A": "dense, dense, compressed"}
    schedule = "reorder(i, j, k, l)\nprecompute(B(i,j,k) * C(k,l), l, l)\nunroll(l, 4)"
    check("A(i,j,l) = B(i,j,k) * C(k,l)", formats, schedule)


@pytest.mark.parametrize("formats", [{"A": "dense"}, {"A": "dcsr"}])
def test_a_fused_loop_does_not_append_its_row_for_every_column(formats: dict[str, str]) -> None:
    schedule = "fuse(i, j, f)\nassemble(C, Insert)"
    assert refusals("C(i,j) = A(i,j) * B(i,j)", {**formats, "C": "dcsr"}, schedule) == ["schedule/append-order"]
    check("C(i,j) = A(i,j) * B(i,j)", {**formats, "C": "coo"}, schedule)


def test_a_fused_loop_does_not_count_a_dense_row_anew_for_every_column() -> None:
    formats = {"A": "dense, dense, compressed", "C": "compressed, dense, compressed"}
    expression, schedule = "C(i,j,k) = A(i,j,k) + B(i,j,k)", "fuse(j, k, f)\nassemble(C, Insert)"
    assert refusals(expression, {**formats, "A": "dense"}, schedule) == ["schedule/append-order"]


def test_threads_of_a_producer_do_not_cut_the_result_into_segments() -> None:
    schedule = "precompute(b(i) * c(i), i, iw)\nparallelize(iw, CPUThread, NoRaces)\nassemble(a, Insert)"
    found = refusals("a(i) = b(i) * c(i) + d(i)", {"d": "sparse", "a": "sparse"}, schedule)
    assert found in ([], ["schedule/workspace-parallel"])
    schedule = "divide(i, v, u, 3)\nprecompute(c(i), {v, u}, {vw, uw})\nparallelize(uw, CPUThread, NoRaces)"
    check("a(i) = b(i) * c(i) + d(i)", {"c": "sparse", "d": "sparse", "a": "sparse"}, schedule)


def test_a_list_that_tiles_search_is_sorted_even_to_count() -> None:
    formats = dict.fromkeys("ABC", "csr")
    schedule = "reorder(i, k, j)\nprecompute(B(i,k) * C(k,j), j, j, w)\nsplit(j, j0, j1, 2)"
    check("A(i,j) = B(i,k) * C(k,j)", formats, schedule)


def test_a_copy_of_a_copy_has_the_dimension_of_the_variable() -> None:
    schedule = "precompute(A(i,j) * x(j), {i, j}, {i, j})\nprecompute(A(iw,jw) * x(jw), {iw, jw}, {iw, jw})"
    check("y(i) = A(i,j) * x(j)", {"A": "coo", "x": "sparse"}, schedule)


def test_positions_with_repeated_coordinates_are_not_appended_one_by_one() -> None:
    formats, schedule = {"B": "coo", "y": "coo"}, "pos(j, p, B)\nassemble(y, Append)"
    assert refusals("y(i,j) = B(i,j,k) * c(k)", formats, schedule) == ["schedule/append-order"]


def test_a_workspace_is_precomputed_over_the_loops_that_index_it() -> None:
    schedule = "reorder(i, j, k)\nsplit(k, k0, k1, 4)\nprecompute(B(j,k), j, j, w)\nprecompute(w(j,k0,k1), j, j, w2)"
    check("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, schedule)


@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        ("D(i,j,l) = T(i,j,k) * A(k,l)", {"T": "csf", "A": "csr"}),
        ("D(i,j,k) = A(i,j) * B(j,k)", {"A": "csr", "B": "csr"}),
    ],
)
def test_a_row_without_an_entry_is_not_counted_behind_the_end(expression: str, formats: dict[str, str]) -> None:
    """Its coordinate above is not appended, so that the row has no place in pos."""
    check(expression, {**formats, "D": "compressed, dense, compressed"})


def test_a_map_that_is_read_by_a_second_workspace_is_not_cut_into_tiles() -> None:
    collected = "assemble(C, Insert)\nprecompute(2 * A(i,j), {j, i}, {jw, iw}, w)\nprecompute(w(i,j), j, jv)"
    formats = {"A": "dcsr", "C": "compressed, dense"}
    check("C(i,j) = 2 * A(i,j)", formats, collected)
    assert refusals("C(i,j) = 2 * A(i,j)", formats, f"{collected}\nsplit(jv, a, b, 2)") == ["schedule/workspace-tiles"]


def test_workers_do_not_share_out_what_a_workspace_lists_to_append_it() -> None:
    """How many coordinates there are is known only after the producer."""
    schedule = "precompute(b(i) + d(i), i, iw, w)\nparallelize(i, CPUThread, NoRaces)"
    formats = dict.fromkeys("abd", "sparse")
    assert refusals("a(i) = b(i) + d(i)", formats, schedule) == ["schedule/workspace-visits"]


@pytest.mark.parametrize(
    "tiles", ["pos(j, p, A)\nsplit(p, p0, p1, 4)", "fuse(i, j, f)\npos(f, p, A)\nsplit(p, p0, p1, 8)"]
)
@pytest.mark.parametrize("format", ["csr", "dcsr"])
def test_products_of_a_tile_of_positions_are_computed_first(tiles: str, format: str) -> None:
    """The producer walks the same positions by variables of its own."""
    check("y(i) = A(i,j) * x(j)", {"A": format}, f"{tiles}\nprecompute(A(i,j) * x(j), p1, q, w)")


@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_a_precomputed_value_is_added_to_what_the_result_holds(target: str) -> None:
    kernel = hd.compile("y(i) += A(i,j) * x(j)", {"A": "csr"}, "precompute(A(i,j) * x(j), i, iw)", target)
    found = kernel(A=np.eye(2), x=np.array([1.0, 2.0]), y=np.array([10.0, 20.0])).to_numpy()
    np.testing.assert_array_equal(found, [11.0, 22.0])


def test_a_map_that_is_filled_once_waits_for_the_workspace_that_it_reads() -> None:
    """The first pass, which counts, computes no values: what it would have read was not written yet."""
    formats = {"A": "dcsc", "B": "dense", "C": "coo"}
    schedule = "precompute(min(A(i,j), B(i,j)), j, jw, w)\nprecompute(w(j,i) - B(i,j), {j, i}, {jv, iv}, v)"
    check("C(i,j) = min(A(i,j), B(i,j)) - B(i,j)", {**formats, "A": "compressed, compressed : 1,0"}, schedule)


def test_a_fused_row_is_not_appended_once_per_column() -> None:
    """Fusing decides that positions of B are walked, so that the rows are no longer those of C."""
    formats = {"A": "compressed, dense", "B": "csr", "C": "compressed, dense"}
    assert refusals("A(i,k) = B(i,k) * C(i,j) * D(j,k)", formats, "fuse(i, k, f)") == ["schedule/append-order"]


def test_bounds_of_positions_are_searched_in_front_of_the_loop_that_tracks_them() -> None:
    """The search was assumed to stand inside the loop, and its name was used without it."""
    schedule = "bound(k, kb, 32, MaxConstraint)\npos(kb, p, B)\nsplit(p, p0, p1, 3)\n"
    precompute = "precompute(B(i,j,k) * c(k), p1, q, w)"
    check("y(i,j) = B(i,j,k) * c(k)", {"B": "dense, compressed(nonunique), singleton"}, schedule + precompute)


@pytest.mark.parametrize("format", ["dcsr", "compressed(nonunique), singleton"])
def test_a_producer_reads_at_the_position_that_its_loop_walks(format: str) -> None:
    """The producer has the only access to A, under another name: it searched the coordinate again, and took all
    entries of a row for each of them."""
    schedule = "pos(j, p, A)\nprecompute(A(j,i) * x(j), i, iw, w)"
    check("y(i) = A(j,i) * x(j)", {"A": format, "x": "sparse", "y": "sparse"}, schedule)
    source = hd.lower("y(i) = A(j,i) * x(j)", {"A": format, "x": "sparse", "y": "sparse"}, schedule).source
    assert source is not None
    assert "A1_pos[1], j)" not in source.text


def test_a_part_that_moved_to_a_producer_belongs_to_its_variables_alone() -> None:
    """t is a part of jw, and no longer of j: it was of both, and the coordinates of A in the second producer were those
    of j."""
    tiles = "split(j, s, t, 8)\nprecompute(A(i,j) * B(i,j), s, v, w)"
    check("a = A(i,j) * B(i,j)", {"A": "csr"}, f"{tiles}\nprecompute(B(i,jw), {{v, t}}, {{x, y}}, u)")
    blocks = {"A": "csr", "x": "dense, dense(3):0,0"}
    check("y(i) = A(i,j) * x(j)", blocks, "precompute(A(i,j) * x(j), j_block, b, w)")


def test_variables_whose_part_moved_to_a_producer_are_no_loops_to_merge_in() -> None:
    """After the second precompute no loop is left over j: asking what merges there crashed."""
    schedule = (
        "precompute(A(i,j), j_inner, c)",
        "precompute(A(i,jw), j_block, d)",
        "mergeby(i_block, TwoFinger)",
    )
    formats = {"A": "compressed, compressed, dense(4), dense(2) : 0,1,0,1"}
    result = hd.lower("y(i) = sum(j, A(i,j)) * x(i)", formats, schedule)
    assert [one.code for one in result.diagnostics] == ["schedule/nothing-to-merge"]
    check("y(i) = sum(j, A(i,j)) * x(i)", formats, schedule)
