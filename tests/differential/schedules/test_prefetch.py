"""``prefetch``: the same results, and the place of a later element is asked for inside the loop."""

from __future__ import annotations

import pytest

import heddle as hd
from tests.differential.check import check

SPMM = """
    split(k, k0, k1, {size})
    reorder(i, k0, j, k1)
    precompute(A(i,j) * B(j,k), k1, k1w, w)
    prefetch(B(j,kw), 8)
    parallelize(k1w, CPUVector, NoRaces)
    parallelize(k1, CPUVector, NoRaces)
    parallelize(i, CPUThread, NoRaces)
"""


@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, SPMM.format(size=4)),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, "reorder(i, j, k)\nprefetch(B(j,k), 2)"),
        ("y(i) = A(i,j) * x(j)", {"A": "csr"}, "prefetch(x(j), 16)\nunroll(j, 4)"),
        ("y(i) = A(i,j) * x(j)", {"A": "csr"}, "fuse(i, j, f)\npos(f, p, A)\nsplit(p, p0, p1, 4)\nprefetch(x(j), 1)"),
        (
            "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
            {"B": "csf"},
            "reorder(i, k, l, j)\nprefetch(D(l,j), 4)\nprefetch(C(k,j), 1)",
        ),
        ("A(i,j) = B(i,j) * C(i,k) * D(k,j)", {"A": "csr", "B": "csr", "D": "dense : 1,0"}, "prefetch(D(k,j), 3)"),
    ],
)
def test_right(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)


def test_every_line_of_a_register_tile_is_asked_for_once_per_coordinate() -> None:
    result = hd.lower("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, SPMM.format(size=32))
    assert result.source is not None, result.diagnostics
    text = result.source.text
    full = text[: text.index("double w[32]")]
    assert full.count("int64_t j_ahead = A2_crd[min_int64(jA + 8,") == 1
    assert full.count("__builtin_prefetch(&B_vals[j_ahead * B2_dimension + ") == 4


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "ahead"),
    [
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "csr"},
            "prefetch(x(j), 16)",
            "A2_crd[min_int64(jA + 16, (int64_t)A2_pos[A1_dimension] - 1)]",
        ),
        (
            "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
            {"B": "csf"},
            "reorder(i, k, l, j)\nprefetch(D(l,j), 4)",
            "B3_crd[min_int64(lB + 4, (int64_t)B3_pos[B2_pos[B1_pos[1]]] - 1)]",
        ),
    ],
)
def test_behind_the_last_coordinate_of_a_row_comes_the_next_row(
    expression: str, formats: dict[str, str], schedule: str, ahead: str
) -> None:
    """The place is never computed from a coordinate past the end of the array, nor does a row's end stop it."""
    result = hd.lower(expression, formats, schedule)
    assert result.source is not None, result.diagnostics
    assert ahead in result.source.text
