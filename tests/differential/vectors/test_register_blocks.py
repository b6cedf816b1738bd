"""Rows of a workspace that an unrolled loop names one by one are workspaces of their own, and compute the same."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check

SPMM = "C(i,k) = A(i,j) * B(j,k)"
LANES = ("parallelize(k1w, CPUVector, NoRaces)", "parallelize(k1, CPUVector, NoRaces)")


def schedule(height: int, *, columns: int = 16, summed: str = "j", unrolled: int | None = None) -> list[str]:
    return [
        f"split(k, k0, k1, {columns})",
        f"reorder(i_block, k0, {summed}, i_inner, k1)",
        "precompute(A(i,j) * B(j,k), {i_inner, k1}, {iw, k1w}, w)",
        *(f"unroll({variable}, {unrolled or height})" for variable in ("iw", "i_inner")),
        *LANES,
    ]


def in_full_blocks(text: str) -> str:
    """What runs where no row of the block is missing."""
    body = text[text.index("int32_t kernel(") :]
    return body[: body.index("} else {")] if "} else {" in body else body


@pytest.mark.parametrize(
    ("format", "height", "summed"),
    [
        ("bcsr(2)", 2, "j"),
        ("bcsr(4)", 4, "j"),
        ("bcsr(3)", 3, "j"),
        ("bcsr(2,2)", 2, "j_block, j_inner"),
        ("bcsr(4,2)", 4, "j_block, j_inner"),
    ],
)
def test_the_rows_of_a_block_are_vectors(format: str, height: int, summed: str) -> None:
    commands = schedule(height, summed=summed)
    full = in_full_blocks(hd.compile(SPMM, {"A": format}, commands).source)
    assert all(f"w_{row}[r] += " in full for row in range(height))
    assert "double w" not in full
    check(SPMM, {"A": format}, "\n".join(commands), sizes={"k": 35})


@pytest.mark.combinations(4, "target", "dtype")
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex128"])
@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_every_type_of_values(dtype: str, target: str) -> None:
    rng = np.random.default_rng(3)
    dense = rng.integers(-4, 5, (14, 9)) * (rng.random((14, 9)) < 0.4)
    matrix, columns = dense.astype(dtype), rng.integers(-4, 5, (9, 35)).astype(dtype)
    kernel = hd.compile(SPMM, {"A": "bcsr(4)"}, schedule(4), target, dtypes=dict.fromkeys("ABC", dtype))
    np.testing.assert_array_equal(kernel(A=matrix, B=columns).to_numpy(), matrix @ columns)


@pytest.mark.parametrize("columns", [1, 2, 5, 8, 24])
def test_any_number_of_columns_of_a_tile(columns: int) -> None:
    check(SPMM, {"A": "bcsr(2)"}, "\n".join(schedule(2, columns=columns)), sizes={"k": 2 * columns + 1})


@pytest.mark.parametrize(
    ("what", "commands"),
    [
        ("an unrolling by less than the rows", schedule(4, unrolled=2)),
        ("one loop unrolled, the other not", [*schedule(4)[:3], "unroll(iw, 4)", *LANES]),
        ("no loop unrolled", [*schedule(4)[:3], *LANES]),
        ("no lanes", schedule(4)[:5]),
    ],
)
def test_other_uses_keep_one_workspace(what: str, commands: list[str]) -> None:
    assert "double w[64]" in hd.compile(SPMM, {"A": "bcsr(4)"}, commands).source, what
    check(SPMM, {"A": "bcsr(4)"}, "\n".join(commands), sizes={"k": 35})


def test_a_row_takes_no_name_that_something_else_has() -> None:
    commands = [line.replace("{iw,", "{w_0,").replace("unroll(iw,", "unroll(w_0,") for line in schedule(2)]
    assert "for (int64_t w_0 = 0; w_0 < 2; w_0++)" in in_full_blocks(
        hd.compile(SPMM, {"A": "bcsr(2)"}, commands).source
    )
    check(SPMM, {"A": "bcsr(2)"}, "\n".join(commands), sizes={"k": 35})


def test_a_workspace_of_many_rows_stays_one() -> None:
    source = hd.compile(SPMM, {"A": "bcsr(32)"}, schedule(32)).source
    assert "w[i_inner * 16 + k1]" in source
    check(SPMM, {"A": "bcsr(32)"}, "\n".join(schedule(32)), sizes={"k": 35})
