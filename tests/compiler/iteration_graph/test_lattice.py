"""Merge lattices: which points there are, in which order, and which dense operands make every coordinate count."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.explorer.views import compile_view
from heddle.iteration_graph.algebra.lattice import MAX_POINTS
from heddle.iteration_graph.analysis.iterated import lattice_at, merges_at


def points(expression: str, formats: dict[str, str], variable: str) -> list[str]:
    """Each point as the names of its operands, ``*`` for every other coordinate."""
    graph = hd.lower(expression, formats).graph
    assert graph is not None
    return [
        "".join(sorted(access.tensor for access in point.iterators)) + "*" * point.full
        for point in lattice_at(graph, variable)
    ]


@pytest.mark.parametrize(
    ("expression", "sparse", "found"),
    [
        ("a(i) = b(i) * c(i)", "bc", ["bc"]),
        ("a(i) = b(i) * c(i)", "b", ["b"]),
        ("a(i) = b(i) * c(i)", "", ["*"]),
        ("a(i) = b(i) + c(i)", "bc", ["bc", "b", "c"]),
        ("a(i) = b(i) + c(i)", "b", ["b*", "*"]),
        ("a(i) = b(i) - c(i)", "bc", ["bc", "b", "c"]),
        ("a(i) = b(i) * c(i) + d(i)", "bcd", ["bcd", "bc", "d"]),
        ("a(i) = b(i) * (c(i) + d(i))", "bcd", ["bcd", "bc", "bd"]),
        ("a(i) = (b(i) + c(i)) * (d(i) + e(i))", "bcde", ["bcde", "bcd", "bce", "bde", "cde", "bd", "be", "cd", "ce"]),
        ("a(i) = b(i) + 1", "b", ["b*", "*"]),
        ("a(i) = 2 * b(i)", "b", ["b"]),
        ("a(i) = b(i) + 0", "b", ["b"]),
        ("a(i) = -b(i)", "b", ["b"]),
        ("a(i) = b(i) / c(i)", "b", ["b"]),
        ("a(i) = b(i) + b(i)", "b", ["b"]),
    ],
)
def test_points(expression: str, sparse: str, found: list[str]) -> None:
    formats = dict.fromkeys(sparse, "sparse")
    assert points(expression, formats, "i") == found


def test_a_workspace_stands_for_what_its_producer_computes() -> None:
    """In ``y(i) = b(i) + A(i,j) * x(j)`` the sum over j is made inside i: A's rows meet b at i."""
    formats = {"A": "dcsr", "b": "sparse"}
    assert points("y(i) = b(i) + A(i,j) * x(j)", formats, "i") == ["Ab", "A", "b"]
    assert points("y(i) = b(i) + A(i,j) * x(j)", formats, "j") == ["A"]


def test_what_is_added_outside_of_a_sum_plays_no_part_in_its_loop() -> None:
    """The loop over j walks A's row alone: it is a for-loop, and the page draws an intersection with x."""
    result = hd.lower("y(i) = b(i) - A(i,j) * x(j)", {"A": "csr"}, "unroll(j, 4)")
    assert not result.diagnostics
    view = compile_view(result)
    (lattice,) = view["lattices"]
    assert [(point["iterators"], point["expression"]) for point in lattice["points"]] == [(["A(i,j)"], "A(i,j) * x(j)")]
    assert view["graph"] is not None
    assert [(node["variable"], node["merge"]) for node in view["graph"]["nodes"]] == [("i", "∪"), ("j", "∩")]


def test_only_a_single_iterator_makes_a_for_loop() -> None:
    def merged(expression: str, formats: dict[str, str]) -> list[str]:
        graph = hd.lower(expression, formats).graph
        assert graph is not None
        return merges_at(graph, "i")

    assert merged("a(i) = b(i) * c(i)", {"b": "sparse"}) == []
    assert merged("a(i) = b(i) * c(i)", {"b": "sparse", "c": "sparse"}) == ["b(i)", "c(i)"]
    assert merged("a(i) = b(i) + c(i)", {"b": "sparse"}) == ["b(i)", "all coordinates of i"]


def test_lattices_are_bounded() -> None:
    """Six sparse operands of a maximum need 63 points, seven would need 127."""
    operands = [f"a{number}" for number in range(7)]
    formats = dict.fromkeys(operands, "sparse")
    six = "y(i) = a0(i)"
    for name in operands[1:6]:
        six = f"y(i) = max({six.removeprefix('y(i) = ')}, {name}(i))"
    assert len(points(six, {name: formats[name] for name in operands[:6]}, "i")) == 63 < MAX_POINTS
    result = hd.lower(f"y(i) = max({six.removeprefix('y(i) = ')}, a6(i))", formats)
    assert [diagnostic.code for diagnostic in result.diagnostics] == ["expression/lattice-too-large"]


def test_a_variable_that_is_cut_by_position_has_no_lattice() -> None:
    formats = {"A": "csr"}
    before = compile_view(hd.lower("y(i) = A(i,j) * x(j)", formats))["lattices"]
    after = compile_view(hd.lower("y(i) = A(i,j) * x(j)", formats, "pos(j, p, A)"))["lattices"]
    assert [lattice["variable"] for lattice in before] == ["j"]
    assert after == []
