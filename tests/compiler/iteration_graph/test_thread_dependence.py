"""Whether a result depends on the number of threads follows from the iteration graph."""

from __future__ import annotations

import pytest

import heddle as hd

CHUNKS = ["fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 64)"]


def reasons(expression: str, schedule: list[str], **dtypes: str) -> list[tuple[int, str]]:
    result = hd.lower(expression, {"A": "csr"}, schedule, dtypes=dtypes)
    assert result.ok
    return [(one.command, one.reason) for one in result.thread_dependences]


@pytest.mark.parametrize(
    ("expression", "schedule"),
    [
        ("y(i) = A(i,j) * x(j)", []),
        ("y(i) = A(i,j) * x(j)", ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"]),
        ("y(j) = A(i,j) * x(i)", ["parallelize(i, CPUThread, Temporary)"]),
        ("s = A(i,j) * x(i)", ["parallelize(i, CPUThread, Temporary)"]),
        ("y(i) = A(i,j) * x(j)", ["split(j, j0, j1, 8)", "parallelize(j1, CPUVector, ParallelReduction)"]),
    ],
)
def test_a_fixed_order_has_no_reason(expression: str, schedule: list[str]) -> None:
    assert reasons(expression, schedule) == []


@pytest.mark.parametrize(
    ("expression", "schedule", "command", "reason"),
    [
        (
            "y(j) = A(i,j) * x(i)",
            ["parallelize(i, CPUThread, Atomics)"],
            0,
            "the CPUThreads of i add into y by atomic updates, in whichever order they come",
        ),
        (
            "y(i) = A(i,j) * x(j)",
            [*CHUNKS, "parallelize(p0, CPUThread, Atomics)"],
            3,
            "the CPUThreads of p0 add into y by atomic updates, in whichever order they come",
        ),
        (
            "s = A(i,j) * x(i)",
            ["parallelize(i, CPUThread, ParallelReduction)"],
            0,
            "each of the CPUThreads of i sums up a part of s, and there are as many parts as workers",
        ),
    ],
)
def test_what_comes_in_any_order_is_named(expression: str, schedule: list[str], command: int, reason: str) -> None:
    assert reasons(expression, schedule) == [(command, reason)]


def test_whole_numbers_have_the_same_sum_in_every_order() -> None:
    schedule = ["parallelize(i, CPUThread, Atomics)"]
    assert reasons("y(j) = A(i,j) * x(i)", schedule, A="int64", x="int64", y="int64") == []
