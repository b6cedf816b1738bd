# ruff: noqa: E501 - a case for each line
"""Submissions that do something else than the task asks for, although they look done: each is refused, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.backend.serving import Server

POOL = "def pool(float(N) X) -> (O) { O(i) %s }"
LAYER = "def layer(float(M,N) A, float(M,N) B, float(N) c) -> (O) { O(i,j) = %s }"
WINDOWS = ("ranges-and-fusion", "windows-that-touch", "result.answer")
JOINED = ("ranges-and-fusion", "one-loop", "result.answer")
SLOTS, REST = (
    ("parts-of-a-matrix", "each-its-own", "graph.runs_on(i_ell4, CPUThread)"),
    ("parts-of-a-matrix", "each-its-own", "graph.runs_on(i_csr, CPUThread)"),
)
TILES = ("tiles-tails-guards", "guard-outside", "graph.tile(i) == 8")
CASES: dict[str, tuple[tuple[str, str, str], dict[str, Any]]] = {
    "sums in the place of maxima": (WINDOWS, {"expression": POOL % "+=! X(3*i + k) where k in 0:3"}),
    "minima in the place of maxima": (WINDOWS, {"expression": POOL % "min=! X(3*i + k) where k in 0:3"}),
    "maxima of nothing but zeros": (WINDOWS, {"expression": POOL % "max=! 0 * X(3*i + k) where k in 0:3"}),
    "windows of elements 8 apart": (WINDOWS, {"expression": POOL % "max=! X(i + 8*k) where k in 0:3, i in 0:8"}),
    "fmax left out": (JOINED, {"expression": LAYER % "A(i,j)*B(i,j) + c(j)"}),
    "fmax with 1": (JOINED, {"expression": LAYER % "fmax(A(i,j)*B(i,j) + c(j), 1)"}),
    "two loops of the part in slots": (REST, {"schedule": ["parallelize(i_ell4, CPUThread, NoRaces)", "parallelize(j_ell4, CPUVector, ParallelReduction)"]}),
    "two loops of the rest": (SLOTS, {"schedule": ["parallelize(i_csr, CPUThread, NoRaces)", "parallelize(j_csr, CPUVector, ParallelReduction)"]}),
    "tiles of 1": (TILES, {"schedule": ["split(i, i0, i1, 1)"]}),
    "tiles of 5": (TILES, {"schedule": ["split(i, i0, i1, 5)"]}),
    "columns cut, and not rows": (TILES, {"schedule": ["split(j, j0, j1, 8)", "reorder(j0, j1, i)"]}),
    "equal shares of zeros": (("measure-and-defend", "defend", "trace.work == storage.entries(A)"), {"schedule": ["divide(i, i0, i1, 4)", "parallelize(i0, CPUThread, NoRaces)"], "tensors": {"A": {"format": "dense"}}}),
    "two formats changed": (("meeting-and-joining", "no-walk", "plan.changed(formats) == 1"), {"tensors": {"A": {"format": "coo"}, "B": {"format": "dense"}}}),
}  # fmt: skip


def checked(server: Server, lesson: str, task: str, changed: dict[str, Any]) -> dict[str, Any]:
    view = server.client.get(f"/api/v1/lessons/{lesson}?seed=7").json()
    plan = next(block["task"]["plan"] for block in view["blocks"] if block["task"] and block["task"]["id"] == task)
    body = {"plan": {**plan, **changed}, "seed": 7}
    answer = server.client.post(f"/api/v1/lessons/{lesson}/tasks/{task}/check", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@pytest.mark.parametrize("name", CASES)
def test_what_only_looks_done_is_refused_at_the_check_that_it_fails(name: str, server: Server) -> None:
    (lesson, task, fails), changed = CASES[name]
    view = checked(server, lesson, task, changed)
    assert not view["passed"]
    assert fails in [check["check"] for check in view["checks"] if not check["passed"]]


@pytest.mark.parametrize(
    ("lesson", "task", "changed"),
    [
        ("ranges-and-fusion", "windows-that-touch", {"expression": POOL % "max=! X(k + 3*i) where k in 0:3"}),
        ("ranges-and-fusion", "one-loop", {"expression": LAYER % "fmax(c(j) + B(i,j)*A(i,j), 0)"}),
        ("parts-of-a-matrix", "each-its-own", {"schedule": ["A[*]: parallelize(i, CPUThread, NoRaces)"]}),
        ("parts-of-a-matrix", "each-its-own", {"schedule": ["A[*]: divide(i, i0, i1, 8)", "A[*]: parallelize(i0, CPUThread, NoRaces)"]}),
        ("tiles-tails-guards", "guard-outside", {"schedule": ["split(i, a, b, 8)", "reorder(a, b, j)"]}),
        ("measure-and-defend", "defend", {"schedule": ["balance(i, i0, i1, A, 8)", "parallelize(i0, CPUThread, NoRaces)"]}),
    ],
)  # fmt: skip
def test_other_ways_to_the_same_answer_are_taken(
    lesson: str, task: str, changed: dict[str, Any], server: Server
) -> None:
    assert checked(server, lesson, task, changed)["passed"]


def test_a_result_that_differs_is_shown_at_its_element(server: Server) -> None:
    view = checked(server, "ranges-and-fusion", "windows-that-touch", CASES["sums in the place of maxima"][1])
    (check,) = [one for one in view["checks"] if not one["passed"]]
    assert check["why"].startswith("with values that have signs, ties and zeros, element (")
    assert check["why"].endswith(" in the answer")


def test_a_result_of_another_shape_is_told_by_its_shape(server: Server) -> None:
    turned = "def layer(float(M,N) A, float(M,N) B, float(N) c) -> (O) { O(j,i) = fmax(A(i,j)*B(i,j) + c(j), 0) }"
    view = checked(server, "ranges-and-fusion", "one-loop", {"expression": turned})
    why = [one["why"] for one in view["checks"] if one["check"] == "result.answer"]
    assert why == ["the result has the shape 7 × 9, and that of the answer 9 × 7"]
