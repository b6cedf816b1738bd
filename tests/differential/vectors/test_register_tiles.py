"""Register tiles: workspaces that are vectors, full tiles apart from tails."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check

SPMM = "C(i,k) = A(i,j) * B(j,k)"


def tiled(size: int) -> str:
    return "\n".join(
        (
            f"split(k, k0, k1, {size})",
            "reorder(i, k0, j, k1)",
            "precompute(A(i,j) * B(j,k), k1, k1w, w)",
            "parallelize(k1w, CPUVector, NoRaces)",
            "parallelize(k1, CPUVector, NoRaces)",
            "parallelize(i, CPUThread, NoRaces)",
        )
    )


def code(expression: str, formats: dict[str, str], schedule: str, dtypes: dict[str, str] | None = None) -> str:
    result = hd.lower(expression, formats, schedule, dtypes=dtypes)
    assert result.source is not None, result.diagnostics
    return result.source.text


def loops(expression: str, formats: dict[str, str], schedule: str, dtypes: dict[str, str] | None = None) -> str:
    result = hd.lower(expression, formats, schedule, dtypes=dtypes)
    assert result.flat is not None, result.diagnostics
    return result.flat.text


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_spmm_by_tiles_is_right_at_sizes_that_do_not_divide(size: int) -> None:
    check(SPMM, {"A": "csr"}, tiled(size))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_full_tiles_are_vectors_and_tails_are_arrays(dtype: str) -> None:
    dtypes = {"A": dtype, "B": dtype}
    text = code(SPMM, {"A": "csr"}, tiled(32), dtypes)
    assert f"{dtype[0]}{dtype[-2:]}v w[32 / VECTOR_LANES];" in text
    assert f"#define VECTOR_LANES (VECTOR_BYTES / {int(dtype[-2:]) // 8})" in text
    assert f"var w: {dtype}x32 = 0" in loops(SPMM, {"A": "csr"}, tiled(32), dtypes)
    assert "w[32];" in text  # the tail
    rng = np.random.default_rng(5)
    dense = rng.integers(-3, 4, (9, 11)) * (rng.random((9, 11)) < 0.4)
    for columns in (1, 31, 32, 33, 70):
        other = rng.integers(-3, 4, (11, columns)).astype(dtype)
        found = hd.compile(SPMM, {"A": "csr"}, tiled(32), dtypes=dtypes)(A=dense.astype(dtype), B=other)
        np.testing.assert_array_equal(found.to_numpy(), dense @ other)


def test_a_full_tile_is_tested_once_outside_the_loop_over_nonzeros() -> None:
    text = code(SPMM, {"A": "csr"}, tiled(32))
    inner = text[text.index("for (int64_t jA") : text.index("store_f64v(&C")]
    assert "if (" not in inner
    assert "C_vals" not in inner
    assert text.count("k0 * 32 + 31 < C2_dimension") == 1


def test_two_tiles_of_a_csf_mttkrp() -> None:
    schedule = """
        split(j, j0, j1, 4)
        reorder(i, j0, k, l, j1)
        precompute(B(i,k,l) * D(l,j) * C(k,j), j1, j1w, w)
        precompute(B(i,k,l) * D(l,jw), j1w, j1v, v)
        parallelize(j1v, CPUVector, NoRaces)
        parallelize(j1w, CPUVector, NoRaces)
        parallelize(j1, CPUVector, NoRaces)
    """
    formats = {"B": "csf"}
    expression = "A(i,j) = B(i,k,l) * D(l,j) * C(k,j)"
    check(expression, formats, schedule)
    text = code(expression, formats, schedule)
    assert "f64v4 w[4 / VECTOR_LANES_4];" in text
    assert "f64v4 v[4 / VECTOR_LANES_4];" in text


def test_a_workspace_that_is_read_at_other_places_stays_an_array() -> None:
    schedule = "precompute(A(i,j) * x(j), j, jw, w)\n"
    text = code("y(i) = A(i,j) * x(j)", {"A": "csr"}, schedule)
    assert "VECTOR_LANES" not in text


def test_names_of_vectors_are_free() -> None:
    schedule = tiled(8).replace("w)", "f64v)")
    text = code("C(i,k) = A(i,j) * w_0(j,k)", {"A": "csr"}, schedule.replace("B(j,k)", "w_0(j,k)"))
    assert "f64v f64v_[8 / VECTOR_LANES];" in text
    check("C(i,k) = A(i,j) * w_0(j,k)", {"A": "csr"}, tiled(4).replace("B(j,k)", "w_0(j,k)"))


def test_lanes_that_all_get_one_number() -> None:
    """C takes the number for a scalar: gcc refused to assign it to a register."""
    schedule = """
        bound(k, kb, 8, MaxExact)
        precompute(a(i), kb, kw, w)
        parallelize(kw, CPUVector, NoRaces)
        parallelize(kb, CPUVector, NoRaces)
    """
    expression = "C(i,k) = a(i) * B(i,k)"
    assert "w = a_vals[i]" in loops(expression, {}, schedule)
    a, b = np.arange(3.0), np.arange(24.0).reshape(3, 8)
    for target in ("interpreter", "c"):
        found = hd.compile(expression, {}, schedule, target)(a=a, B=b)
        np.testing.assert_array_equal(found.to_numpy(), a[:, None] * b)
