"""Rows of a result in any order are summed where the result stores them: a workspace keeps the places."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle import index_width
from tests.differential.check import check

PRODUCT, FREE = "C(i,j) = A(i,k) * B(k,j)", "dense, compressed(unordered)"
FORMATS = {"A": "csr", "B": "csr", "C": FREE}
WORKSPACE = "precompute(A(i,k) * B(k,j), j, jw, w)\n"
APPEND, THREADS = "assemble(C, Append)\n", "parallelize(i, CPUThread, NoRaces)"


def text(expression: str, formats: dict[str, str], schedule: str) -> str:
    source = hd.lower(expression, formats, schedule).source
    assert source is not None
    return source.text


@pytest.mark.parametrize("assemble", ["", APPEND])
@pytest.mark.parametrize("threads", ["", THREADS, "split(i, i0, i1, 2)\nparallelize(i0, CPUThread, NoRaces)"])
def test_nothing_is_listed_copied_or_unmarked_while_values_are_summed(assemble: str, threads: str) -> None:
    schedule = f"{WORKSPACE}{assemble}{threads}"
    check(PRODUCT, FORMATS, schedule)
    made = text(PRODUCT, FORMATS, schedule)
    fill = made[made.index("int64_t w_begin = jC") :]
    assert "C_vals[w_at - 1] += w_value;" in fill
    assert "w_list[" not in fill
    assert "w_marked[" not in fill
    # Rows that come in ascending order need one comparison.
    assert ("if (w_at <= w_begin) {" in fill) is bool(assemble)
    assert ("if (w_at <= w_begin || w_at > jC) {" in fill) is not bool(assemble)


@pytest.mark.parametrize("threads", ["", "parallelize(i1, CPUThread, NoRaces)"])
def test_rows_may_come_in_any_order(threads: str) -> None:
    """Places that are left from rows further behind are none of this row's."""
    check(PRODUCT, FORMATS, f"split(i, i0, i1, 2)\nreorder(i1, i0, k, j)\n{WORKSPACE}{threads}")


def test_a_worker_comes_to_its_rows_in_ascending_order() -> None:
    made = text(PRODUCT, FORMATS, f"{WORKSPACE}{APPEND}{THREADS}")
    assert "#pragma omp for schedule(monotonic: guided) nowait" in made
    few = f"{WORKSPACE}{APPEND}divide(i, i0, i1, 3)\nparallelize(i0, CPUThread, NoRaces)"
    assert "#pragma omp for schedule(static)" in text(PRODUCT, FORMATS, few)


@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        ("C(i,j) = s(i) * A(i,k) * B(k,j)", FORMATS, WORKSPACE),
        (PRODUCT, {**FORMATS, "C": "csr"}, WORKSPACE),
        (PRODUCT, FORMATS, f"{WORKSPACE}split(j, j0, j1, 2)"),
    ],
    ids=["scaled behind the workspace", "rows in order", "tiles of the list"],
)
def test_a_consumer_that_does_more_reads_a_list(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)
    made = text(expression, formats, schedule)
    assert "w_place" not in made
    assert "w_list[" in made


@pytest.mark.parametrize("dtype", ["float32", "int16", "complex64", "bool"])
def test_other_types(dtype: str) -> None:
    kernel = hd.compile(PRODUCT, FORMATS, f"{WORKSPACE}{APPEND}{THREADS}", dtypes={"A": dtype, "B": dtype})
    a, b = (np.random.default_rng(seed).integers(0, 3, (20, 20)).astype(dtype) for seed in (0, 1))
    np.testing.assert_array_equal(kernel(A=a, B=b).to_numpy(), a @ b)


def test_positions_of_64_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a 32-bit index could count to 12 alone."""
    monkeypatch.setattr(index_width, "LARGEST_NARROW", 12)
    a = np.random.default_rng(0).integers(0, 2, (8, 8)).astype(float)
    found = hd.compile(PRODUCT, FORMATS, f"{WORKSPACE}{APPEND}{THREADS}")(A=a, B=a.T.copy())
    np.testing.assert_array_equal(found.to_numpy(), a @ a.T)
    assert found.wide
