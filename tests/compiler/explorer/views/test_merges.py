"""Merge lattices: the active points are the branches that ran, and every set without a point says why."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.explorer.views.graph.graph_schema import LatticeView
from heddle.explorer.views.graph.lattice import lattice_views
from heddle.explorer.views.trace.trace import trace_view
from heddle.explorer.views.trace.trace_schema import TraceView

SUM = "a(i) = b(i) * c(i) + d(i)"
SPARSE = {"b": "compressed", "c": "compressed", "d": "compressed"}


def at(*coordinates: int) -> list[float]:
    return [1.0 if i in coordinates else 0.0 for i in range(6)]


def traced(formats: dict[str, str]) -> TraceView:
    return trace_view(hd.lower(SUM, formats, ()), {"b": at(0, 2, 5), "c": at(2, 3, 5), "d": at(1, 2, 4)})


def lattice(expression: str, formats: dict[str, str]) -> LatticeView:
    graph = hd.lower(expression, formats, ()).graph
    assert graph is not None
    return lattice_views(graph)[0]


def short(point: list[str] | None) -> str | None:
    return None if point is None else "".join(name.removesuffix("(i)") for name in point)


def test_the_active_points_are_the_oracles() -> None:
    """Worked out by hand: the loops of {b,c,d}, {b,c} and {d}, and what each coordinate computes."""
    merges = traced(SPARSE)["merges"]
    assert [(short(m["loop"]), short(m["active"])) for m in merges] == [
        ("bcd", None),
        ("bcd", "d"),
        ("bcd", "bcd"),
        ("bcd", None),
        ("bcd", "d"),
        ("bc", "bc"),
    ]


def test_every_active_point_stores_in_its_branch() -> None:
    """Between two iterations the kernel stores when a point was active, and only then."""
    view = traced(SPARSE)
    ends = [m["step"] for m in view["merges"][1:]] + [len(view["steps"])]
    for merge, end in zip(view["merges"], ends, strict=True):
        stored = [s["line"] for s in view["steps"][merge["step"] : end] if s["store"] is not None]
        assert bool(stored) == (merge["active"] is not None)
        assert merge["branch_line"] is None or stored == [merge["branch_line"] + 1]


def test_cursors_walk_the_coordinates_in_order() -> None:
    view = traced(SPARSE)
    walked = [[c["position"] for c in m["cursors"] if c["tensor"] == "d"] for m in view["merges"]]
    assert walked == [[0], [0], [1], [2], [2], []]
    assert {c["end"] for m in view["merges"] for c in m["cursors"]} == {3}


def test_a_stored_operand_everywhere_makes_every_coordinate_a_point() -> None:
    merges = traced({"b": "compressed", "c": "compressed"})["merges"]
    assert [short(m["active"]) for m in merges] == ["all i", "all i", "bcall i", "all i", "all i", "bcall i"]


def test_a_single_sparse_operand_has_one_point() -> None:
    view = trace_view(hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}, ()))
    assert [m["active"] for m in view["merges"]] == [["A(i,j)"]] * 7
    assert [m["cursors"][0]["position"] for m in view["merges"]] == list(range(7))
    assert all(view["steps"][m["step"]]["kind"] == "iteration" for m in view["merges"])


def test_what_is_annihilated_says_what_is_left() -> None:
    pruned = {short(p["iterators"]): p for p in lattice(SUM, SPARSE)["pruned"]}
    assert set(pruned) == {"bd", "cd", "b", "c", ""}
    assert {p["rule"] for p in pruned.values()} == {"annihilator"}
    assert pruned["bd"]["reason"] == "Without c(i) only d(i) remains: the case of {d(i)} computes it."
    assert pruned["b"]["reason"] == "Without c(i) and d(i) everything is 0: nothing is left to compute."


def test_what_a_dense_operand_covers_is_pruned_by_density() -> None:
    view = lattice("a(i) = b(i) + d(i)", {"b": "compressed"})
    assert [p["iterators"] for p in view["points"]] == [["b(i)", "all i"], ["all i"]]
    assert [(p["iterators"], p["rule"]) for p in view["pruned"]] == [(["b(i)"], "density"), ([], "density")]
    assert view["pruned"][0]["reason"] == "Some operand has a value at every i: no coordinate is without it."


@pytest.mark.parametrize("count", [4, 5])
def test_large_lattices_list_their_points_alone(count: int) -> None:
    names = "bcdef"[:count]
    view = lattice("a(i) = " + " * ".join(f"{n}(i)" for n in names), dict.fromkeys(names, "compressed"))
    assert len(view["points"]) == 1
    assert len(view["pruned"]) == (15 if count == 4 else 0)
