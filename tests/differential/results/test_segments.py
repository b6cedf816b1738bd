"""Rows of a loop over positions are summed in registers; shared ones are added atomically
(docs/sources.toml T44, G7)."""

from __future__ import annotations

import pytest

import heddle as hd
from tests.differential.check import check
from tests.differential.gpu.gpu_schedules import commands

MTTKRP = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
ENTRIES = "reorder({0}, {1}, {2}); fuse({1}, {2}, g); fuse({0}, g, f); pos(f, p, B); "
LAST = "parallelize(p0, CPUThread, Atomics)"
THREADS = f"split(p, p0, p1, 5); {LAST}"
SIZES = {"i": 7, "k": 5, "l": 6}


def loops(expression: str, formats: dict[str, str], schedule: str) -> list[str]:
    result = hd.lower(expression, formats, commands(schedule))
    result.raise_errors()
    assert result.flat is not None
    return [line.strip() for line in result.flat.text.splitlines()]


@pytest.mark.combinations(4, "size", "format")
@pytest.mark.parametrize("format", ["coo", "csr", "dcsr", "compressed(nonunique, unordered), singleton(unordered)"])
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_spmv_by_entries(format: str, size: int) -> None:
    schedule = f"fuse(i, j, f); pos(f, p, A); split(p, p0, p1, {size}); parallelize(p0, CPUThread, Atomics)"
    check("y(i) = A(i,j) * x(j)", {"A": format}, commands(schedule))


@pytest.mark.parametrize(
    ("expression", "format", "order"),
    [
        ("y(i) = B(i,k,l) * c(l)", "coo", "ikl"),
        ("y(k) = B(i,k,l) * c(l)", "coo", "ikl"),
        ("y(k) = B(i,k,l) * c(l)", "csf", "ikl"),
        ("y(k) = B(i,k,l) * c(l)", "coo:1,0,2", "kil"),
        ("Y(i,k) = B(i,k,l) * c(l)", "coo", "ikl"),
        ("Y(k,i) = B(i,k,l) * c(l)", "csf", "ikl"),
    ],
)
def test_rows_of_tensors(expression: str, format: str, order: str) -> None:
    check(expression, {"B": format}, commands(ENTRIES.format(*order) + THREADS), sizes=SIZES)


def test_rows_between_the_first_and_the_last_are_stored_without_atomics() -> None:
    found = loops("y(i) = B(i,k,l) * c(l)", {"B": "coo"}, ENTRIES.format(*"ikl") + THREADS)
    assert found.count("atomic y_vals[i_row] += y_sum") == 3  # the first row of full and cut tiles, and the last
    assert found.count("y_vals[i_row] += y_sum") == 2


@pytest.mark.parametrize("format", ["csr", "coo"])
def test_rows_of_strided_positions_are_always_added_atomically(format: str) -> None:
    """Each worker takes every fourth position: others have positions of all its rows, those in between as well."""
    schedule = "fuse(i, j, f); pos(f, p, A); split(p, p0, p1, 4); reorder(p1, p0); parallelize(p1, CPUThread, Atomics)"
    check("y(i) = A(i,j) * x(j)", {"A": format}, commands(schedule))
    found = loops("y(i) = A(i,j) * x(j)", {"A": format}, schedule)
    assert not any(line.startswith("y_vals[") and "+=" in line for line in found)


@pytest.mark.parametrize("cut", ["divide(p, p0, p1, 3)", "split(p, p0, p1, 5)"])
def test_rows_of_consecutive_positions_need_no_atomics_in_between(cut: str) -> None:
    found = loops("y(i) = A(i,j) * x(j)", {"A": "csr"}, f"fuse(i, j, f); pos(f, p, A); {cut}; {LAST}")
    assert any(line.startswith("y_vals[") and "+=" in line for line in found)


@pytest.mark.parametrize("format", ["coo", "csf"])
def test_rows_that_come_again_are_always_added_atomically(format: str) -> None:
    """k repeats under every i: a worker's row of k is another worker's, too, wherever it stands."""
    found = loops("y(k) = B(i,k,l) * c(l)", {"B": format}, ENTRIES.format(*"ikl") + THREADS)
    assert not any(line.startswith("y_vals[") and "+=" in line for line in found)


@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_pieces_of_positions_and_of_columns_share_a_loop(target: str) -> None:
    """Pieces that run a constant number of times fuse, though one of them is made of positions."""
    schedule = (
        "reorder(i, k, l, j); fuse(k, l, g); fuse(i, g, f); pos(f, p, B); split(p, p0, p1, 24); "
        "split(p1, member, nz, 3); split(j, j0, j1, 4); split(j1, v, lane, 2); reorder(p0, j0, member, lane, v, nz); "
        "fuse(member, lane, both); parallelize(p0, CPUThread, Atomics)"
    )
    check(MTTKRP, {"B": "coo"}, commands(schedule), targets=(target,), sizes=SIZES | {"j": 9})
