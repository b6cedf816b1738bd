"""Merges of many operands in one loop over the smallest coordinate at which any of them stands."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import heddle as hd
from heddle.iteration_graph.analysis.iterated import automatic_merges, minimum_loops
from heddle.iteration_graph.graph.printer import graph_text
from tests.differential.check import check

BOTH = "mergeby(i, Minimum); mergeby(j, Minimum)"
ALL = BOTH + "; mergeby(k, Minimum)"


def summed(count: int, indices: str = "i,j") -> str:
    return " + ".join(f"B{number}({indices})" for number in range(count))


def stored(format: str, count: int, result: str | None = None) -> dict[str, str]:
    return dict.fromkeys([f"B{number}" for number in range(count)], format) | ({"A": result} if result else {})


MIXED = {"B": "csr", "C": "dcsr", "D": "coo"}
AUTOMATIC: list[tuple[str, Mapping[str, str]]] = [
    (f"A(i,j) = {summed(7)}", stored("csr", 7, "csr")),
    (f"A(i,j) = {summed(7)}", stored("csr", 7)),
    (f"A(i,j) = {summed(7)}", stored("csc", 7, "csc")),
    (f"A(i,j) = {summed(4)}", stored("dcsr", 4, "dcsr")),
    (f"A(i,j) = {summed(4)}", stored("coo", 4)),
    (f"A(i,j) = {summed(4)}", stored("coo", 4, "csr")),
    (f"A(i,j,k) = {summed(3, 'i,j,k')}", stored("csf", 3, "csf")),
    (f"A(i,j,k) = {summed(3, 'i,j,k')}", stored("coo", 3)),
    (f"a(i) = {summed(16, 'i')}", stored("sparse", 16) | {"a": "sparse"}),
    (f"a(i) = {summed(7, 'i')} + d(i)", stored("sparse", 7)),
    (f"y(i) = max(j, {summed(7)})", stored("csr", 7)),
    (f"y(i) = min(j, B7(i,j) * C(i,j) - {summed(7)})", stored("dcsr", 8) | {"C": "csr"}),
    (f"y(i) = ({summed(7)}) * x(j)", {**stored("csr", 7)}),
    (f"y(i) = {' + '.join(f'B{n}(i,j) * x(j)' for n in range(7))}", stored("dcsr", 7)),
    (f"y(i) = {' + '.join(f'B{n}(i,j) * x(j)' for n in range(7))}", stored("csc", 7)),
    (f"Y(i,k) = {' + '.join(f'B{n}(i,j) * X(j,k)' for n in range(7))}", stored("csr", 7)),
]
CHOSEN: list[tuple[str, Mapping[str, str], str]] = [
    ("A(i,j) = B(i,j) + C(i,j) - D(i,j)", MIXED, "mergeby(j, Minimum)"),
    ("A(i,j) = -B(i,j) - 2 * C(i,j) + D(i,j)", {**MIXED, "A": "csr"}, BOTH),
    ("A(i,j) = B(i,j) + C(i,j) * D(i,j)", {"A": "dcsr", "B": "dcsr", "C": "dcsr", "D": "dcsr"}, BOTH),
    ("A(i,j) = B(i,j) * E(i,j) + C(i,j) * D(i,j)", {"A": "csr", "B": "dcsr", "C": "csr", "D": "coo", "E": "csr"}, BOTH),
    ("A(i,j) = B(i,j) * x(j) + C(i,j)", {"A": "csr", "B": "csr", "C": "csr", "x": "sparse"}, "mergeby(j, Minimum)"),
    ("A(i,j) = B(i,j) + C(i,j) + E(i,j)", {"B": "csr", "C": "dcsr"}, BOTH),
    ("A(i,j) = B(i,j) + C(i,j)", {"A": "csr", "B": "dcsr", "C": "dcsr"}, "mergeby(i, Minimum)"),
    ("A(i,j) = B(i,j) + C(i,j)", {"A": "csr", "B": "dcsr", "C": "dcsr"}, "mergeby(j, Minimum)"),
    ("y(i) = max(j, B(i,j) + C(i,j))", MIXED, BOTH),
    ("A(i,j) = B(i,j) + C(i,j)", MIXED, "mergeby(i, TwoFinger); mergeby(j, Minimum)"),
    ("A(i,j) = B(i,j) + C(i,j)", MIXED, "split(j, j0, j1, 4); mergeby(j1, Minimum)"),
    (
        "A(i,j) = B(i,j) + C(i,j)",
        {"A": "csr", "B": "csr", "C": "csr"},
        "parallelize(i, CPUThread, NoRaces); mergeby(j, Minimum)",
    ),
    ("A(i,j) = B(i,j) + C(i,j)", MIXED | {"A": "csr"}, "assemble(A, Append); mergeby(j, Minimum)"),
    ("y(i) = (B(i,j) - C(i,j)) * x(j) + (D(i,j) + E(i,j)) * z(j)", {**MIXED, "E": "csr"}, BOTH),
    ("A(i,j) = (B(i,j) + C(i,j)) * (D(i,j) + E(i,j))", {**MIXED, "E": "csr", "A": "csr"}, BOTH),
    ("A(i,j) = (B(i,j) + d(j)) * C(i,j) + D(i,j)", {**MIXED, "A": "csr"}, BOTH),
    ("A(i,j) = abs(B(i,j)) + C(i,j) / 2 - D(i,j)", {**MIXED, "A": "csr"}, BOTH),
    ("s = B(i,j) + C(i,j) * D(i,j)", {"B": "csf", "C": "csf", "D": "csf"}, BOTH),
    ("A(i,j,k) = B(i,j,k) + C(i,j,k)", {"B": "csf", "C": "coo", "A": "csf"}, ALL),
    ("A(i,k) = B(i,j) * C(j,k) + D(i,j) * E(j,k)", dict.fromkeys("BCDE", "csr"), "mergeby(j, Minimum)"),
    ("A(i,k) = B(i,j) * C(j,k) + D(i,j) * E(j,k)", dict.fromkeys("BCDE", "dcsr"), "mergeby(j, Minimum)"),
    ("A(i,j) = B(i,j) + C(i,j)", {"B": "compressed,dense", "C": "compressed,dense"}, "mergeby(i, Minimum)"),
]


@pytest.mark.parametrize(("expression", "formats"), AUTOMATIC, ids=[f"{c[0]} {c[1]}" for c in AUTOMATIC])
def test_many_operands(expression: str, formats: Mapping[str, str]) -> None:
    result = hd.lower(expression, formats)
    assert result.graph is not None
    assert minimum_loops(result.graph)
    assert "merge(Minimum)" in graph_text(result.graph, automatic_merges(result.graph))
    check(expression, formats)


def test_every_command_on_the_list_can_be_given() -> None:
    expression, formats = f"A(i,j) = {summed(7)}", stored("csr", 7, "csr")
    first = [command.candidates[:1] for command in hd.legal(hd.lower(expression, formats))]
    offered = [candidate.text for listed in first for candidate in listed if candidate.why_not is None]
    assert "mergeby(j, Minimum)" in offered
    for text in offered:
        assert hd.lower(expression, formats, text).ok, text


@pytest.mark.parametrize(("expression", "formats", "schedule"), CHOSEN, ids=[f"{c[0]} {c[2]}" for c in CHOSEN])
def test_where_a_command_says_so(expression: str, formats: Mapping[str, str], schedule: str) -> None:
    named = {name: format for name, format in formats.items() if f"{name}(" in expression}
    check(expression, named, schedule.replace("; ", "\n"))
