"""Terms that are summed apart: over loops of their own, unless a schedule speaks of their common one."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.iteration_graph.graph.nodes import Forall, Series
from heddle.iteration_graph.graph.printer import graph_text
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments
from tests.differential.check import check

TWO = "y(i) = A(i,j) * x(j) + B(i,j) * x(j)"
CSR = {"A": "csr", "B": "csr"}
APART = [
    (TWO, CSR, ""),
    (TWO, {"A": "csr", "B": "dcsr"}, ""),
    (TWO, {"A": "coo", "B": "csr"}, ""),
    (TWO, CSR, "split(i, i0, i1, 4); parallelize(i0, CPUThread, NoRaces); unroll(j2, 2)"),
    ("y(i) = A(i,j) * x(j) - B(i,j) * x(j) - A(i,j) * z(j) + x(j) + b(i)", CSR, ""),
    ("y(i) = 3 * (A(i,j) * x(j) - B(i,j) * z(j)) + b(i)", CSR, ""),
    ("y(i) = d(i) * sum(j, A(i,j) * x(j) + B(i,j) * x(j))", CSR, ""),
    ("y(i) = -(A(i,j) + B(i,j))", CSR, ""),
    ("y(i) = abs(sum(j, A(i,j) + x(j) + B(i,j)))", CSR, ""),
    ("y(i) = A(i,j) * B(i,j) + C(i,j) * x(j) + D(i,j)", {**CSR, "C": "csr", "D": "csr"}, ""),
    ("y(i) = A(i,j) * B(i,j) + A(i,j) * C(i,j) + A(i,j) * D(i,j)", {**CSR, "C": "csr", "D": "csr"}, ""),
    ("s = A(i,j) + B(i,j)", CSR, ""),
    ("y(i) = A(i,j,k) * x(k) + B(i,j,k) * x(j)", {"A": "csf", "B": "csf"}, ""),
    ("y(i) = " + " + ".join(f"A{n}(i,j) * x(j)" for n in range(8)), {f"A{n}": "csr" for n in range(8)}, ""),
    ("t(i) = A(i,j) * x(j) + B(i,j) * x(j); y(i) = t(i) + A(i,j) * t(j)", CSR, ""),
]
TOGETHER = [
    (TWO, CSR, "split(j, j0, j1, 4)"),
    (TWO, CSR, "mergeby(j, TwoFinger)"),
    (TWO, CSR, "precompute(A(i,j) * x(j), j, jw, w)"),
    (TWO, {"A": "csc", "B": "csc"}, ""),
    ("C(i,k) = A(i,j) * X(j,k) + B(i,j) * X(j,k)", CSR, ""),
    ("y(i) = A(i,j) * x(j) + A(i,j) * z(j)", {"A": "csr"}, ""),
    ("y(i) = max(j, A(i,j) + B(i,j))", CSR, ""),
]


@pytest.mark.parametrize(("expression", "formats", "schedule"), APART, ids=[f"{c[0]} {c[2]}" for c in APART])
def test_terms_apart(expression: str, formats: dict[str, str], schedule: str) -> None:
    graph = hd.lower(expression, formats, schedule.replace(";", "\n")).graph
    assert graph is not None
    assert "j1" in graph.copies
    check(expression, formats, schedule.replace(";", "\n"))


@pytest.mark.parametrize(("expression", "formats", "schedule"), TOGETHER, ids=[f"{c[0]} {c[2]}" for c in TOGETHER])
def test_terms_together(expression: str, formats: dict[str, str], schedule: str) -> None:
    graph = hd.lower(expression, formats, schedule).graph
    assert graph is not None
    assert "j1" not in graph.copies
    check(expression, formats, schedule)


EIGHT = [
    ("y(i) = {} + b(i)", "A{}(i,j) * x(j)", "csr"),
    ("y(i) = c - ({})", "A{}(i,j) * x{}(j)", "dcsr"),
    ("Y(i,k) = {}", "A{}(i,k,j) * x(j)", "dense,dense,compressed"),
    ("Y(i,k) = 2 * B(i,k) - {}", "A{}(i,k,j) * x(j)", "dense,dense,compressed"),
]


@pytest.mark.parametrize(("whole", "term", "format"), EIGHT, ids=[whole for whole, _, _ in EIGHT])
def test_many_sums_are_made_in_passes(whole: str, term: str, format: str) -> None:
    expression = whole.format(" + ".join(term.format(number, number) for number in range(8)))
    formats = dict.fromkeys([f"A{number}" for number in range(8)], format)
    result = hd.lower(expression, formats)
    assert result.graph is not None
    assert result.lowered_graph is not None
    assert isinstance(result.graph.statement, Forall)
    assert isinstance(result.lowered_graph.statement, Series)
    check(expression, formats)


def test_a_command_finds_one_loop_with_all_sums() -> None:
    expression = "y(i) = " + " + ".join(f"A{number}(i,j) * x(j)" for number in range(8))
    formats = dict.fromkeys([f"A{number}" for number in range(8)], "csr")
    result = hd.lower(expression, formats, "parallelize(i, CPUThread, NoRaces)")
    assert result.lowered_graph is not None
    assert isinstance(result.lowered_graph.statement, Forall)
    check(expression, formats, "parallelize(i, CPUThread, NoRaces)")


def test_integers_that_would_wrap_around_in_their_own_type_do_not_apart() -> None:
    """Products of int32 whose result is int64 are formed and added up in int64."""
    dtypes = {"A": "int32", "B": "int32", "x": "int32", "y": "int64"}
    operands = {"A": np.full((1, 2), 2**20, "int32"), "B": np.full((1, 2), 2**20, "int32")}
    for dtype in ("int32", "int64", "float32", "complex128"):
        kernel = hd.compile(TWO, CSR, dtypes=dict.fromkeys(("A", "B", "x", "y"), dtype))
        given = {name: operand.astype(dtype) for name, operand in operands.items()}
        x = np.full(2, 2**9, dtype)
        np.testing.assert_array_equal(kernel(**given, x=x).to_numpy(), given["A"] @ x + given["B"] @ x)
    wide = hd.compile(TWO, CSR, dtypes=dtypes)
    x = np.full(2, 2**14, "int32")
    np.testing.assert_array_equal(wide(**operands, x=x).to_numpy(), [2**36])


def test_sums_apart_are_added_to_what_is_there() -> None:
    kernel = hd.compile("y(i) += A(i,j) * x(j) + B(i,j) * x(j)", CSR)
    matrix = np.array([[0.0, 2.0], [3.0, 0.0]])
    found = kernel(A=matrix, B=matrix.T, x=np.array([1.0, 2.0]), y=np.array([10.0, 20.0]))
    np.testing.assert_array_equal(found.to_numpy(), [20.0, 25.0])


def test_a_command_may_introduce_the_name_of_a_loop() -> None:
    """The terms stay together then, so that no other loop changes its name with a command that comes or goes."""
    result = hd.lower(TWO, CSR, "split(i, j1, j2, 4)")
    assert result.ok
    assert graph_text(result.graphs[0]).startswith("∀i\n  ∀j\n")


def test_every_command_on_the_list_can_be_given() -> None:
    start = hd.lower(TWO, CSR)
    for command in hd.legal(start):
        for candidate in command.candidates:
            if candidate.why_not is None:
                assert hd.lower(TWO, CSR, candidate.text).ok, candidate.text


@pytest.mark.parametrize("operator", ["min=", "max=", "*="])
def test_other_reductions_take_their_terms_together(operator: str) -> None:
    """The least sum of two terms is not the sum of their least values."""
    graph = lower(plan_from_arguments(f"d(i) {operator} A(i,j) + x(j)", {"A": "csr"})).lowered_graph
    assert graph is not None
    assert graph_text(graph).startswith(f"∀i\n  ∀j\n    d(i) {operator} A(i,j) + x(j)")
