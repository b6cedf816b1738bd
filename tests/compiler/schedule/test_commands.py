"""What each command makes of the iteration graph."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.printer import graph_text
from heddle.iteration_graph.graph.provenance import is_position, leaves, loop_variables, roots
from heddle.schedule.registry import COMMANDS

SPMV = "y(i) = A(i,j) * x(j)"


def after(*schedule: str, expression: str = SPMV, formats: dict[str, str] | None = None) -> IterationGraph:
    result = hd.lower(expression, {"A": "csr"} if formats is None else formats, schedule)
    assert not result.diagnostics, result.diagnostics
    assert len(result.graphs) == len(schedule) + 1
    return result.graphs[-1]


@pytest.mark.parametrize(
    ("schedule", "loops"),
    [
        ((), "i j"),
        (("split(i, i0, i1, 4)",), "i0 i1 j"),
        (("divide(j, j0, j1, 4)",), "i j0 j1"),
        (("fuse(i, j, f)",), "f"),
        (("pos(j, p, A)",), "i p"),
        (("pos(j, p, A)", "split(p, p0, p1, 4)", "coord(p1, jc)"), "i p0 jc"),
        (("bound(i, ib, 8, MaxExact)",), "ib j"),
        (("split(i, i0, i1, 4)", "split(j, j0, j1, 4)", "reorder(i0, j0, i1, j1)"), "i0 j0 i1 j1"),
        (("split(i, i0, i1, 4)", "reorder(j, i1)"), None),
        (("split(i, i0, i1, 4)", "reorder(i1, i0)"), "i1 i0 j"),
        (("fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 4)"), "p0 p1"),
        (("parallelize(i, CPUThread, NoRaces)",), "i j"),
        (("unroll(j, 4)",), "i j"),
    ],
)
def test_loops(schedule: tuple[str, ...], loops: str | None) -> None:
    if loops is None:  # j cannot be visited before the whole of i is known
        assert [d.code for d in hd.lower(SPMV, {"A": "csr"}, schedule).diagnostics] == ["schedule/storage-order"]
        return
    assert loop_variables(after(*schedule).statement) == loops.split()


def test_reorder_of_some_loops_keeps_the_places_of_the_others() -> None:
    expression = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
    formats: dict[str, str] = {}
    assert loop_variables(after(expression=expression, formats=formats).statement) == ["i", "k", "l", "j"]
    graph = after("reorder(j, k)", expression=expression, formats=formats)
    assert loop_variables(graph.statement) == ["i", "j", "l", "k"]


def test_reorder_to_the_same_order_changes_nothing() -> None:
    assert after("reorder(i, j)").statement == after().statement


def test_provenance_of_a_chain() -> None:
    graph = after("fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 4)", "split(p1, q0, q1, 2)")
    assert roots(graph, "q1") == ("i", "j")
    assert leaves(graph, "i") == ("p0", "q0", "q1")
    assert [is_position(graph, name) for name in ("i", "f", "p", "p0", "q1")] == [False, False, True, True, True]


def test_not_parallel_is_no_tag() -> None:
    assert after("parallelize(i, NotParallel, NoRaces)").parallel == {}


def test_text_of_a_graph() -> None:
    graph = after("split(i, i0, i1, 4)", "pos(j, p, A)", "parallelize(i0, CPUThread, NoRaces)", "unroll(p, 2)")
    assert graph_text(graph) == (
        "∀i0  parallel(CPUThread, NoRaces)\n"
        "  ∀i1\n"
        "    ∀p  unroll(2)\n"
        "      y(i) += A(i,j) * x(j)\n"
        "\n"
        "suchthat\n"
        "  split(i, i0, i1, 4)\n"
        "  pos(j, p, A(i,j))\n"
        "\n"
        "default order i, j: as A is stored"
    )


def test_a_command_that_is_refused_leaves_the_graph_as_it_was() -> None:
    result = hd.lower(SPMV, {"A": "csr"}, ("split(i, i0, i1, 4)", "reorder(j, i0, i1)", "unroll(i1, 4)"))
    assert [d.code for d in result.diagnostics] == ["schedule/storage-order"]
    assert result.graphs == after_prefixes(("split(i, i0, i1, 4)",))


def after_prefixes(schedule: tuple[str, ...]) -> tuple[IterationGraph, ...]:
    return hd.lower(SPMV, {"A": "csr"}, schedule).graphs


def test_registered_names_are_the_commands_own() -> None:
    for name, spec in COMMANDS.items():
        assert spec.name == name
        assert spec.signature.startswith(f"{name}(")
        assert spec.parameters
