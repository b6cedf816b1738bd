"""The order of loops before any command, for each version of plans, and the line that says why."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.printer import graph_text
from heddle.iteration_graph.graph.provenance import loop_variables
from tests.differential.check import check

SPMV = "y(i) = A(i,j) * x(j)"
SPMM = "C(i,k) = A(i,j) * B(j,k)"
SDDMM = "C(i,j) = B(i,j) * D(i,k) * E(k,j)"
MTTKRP = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
TTM = "A(i,j,l) = B(i,j,k) * C(k,l)"
BY_COLUMNS = "dense, dense : 1,0"

SPMM_REASON = "k innermost (C and B contiguous), not j (A contiguous, B strided)"
FIRST = "result first, sums inside"
ALLOWED = f"{FIRST}, as far as storage orders allow"

Formats = dict[str, str]

CASES: tuple[tuple[str, Formats, str, str, str], ...] = (
    # expression, formats, order of version 1, of version 2, why version 2 has it
    (SPMV, {}, "i j", "i j", FIRST),
    (SPMV, {"A": "csr"}, "i j", "i j", "as A is stored"),
    (SPMV, {"A": "csc"}, "j i", "j i", "as A is stored"),
    (SPMV, {"A": BY_COLUMNS}, "i j", "j i", "i innermost (y and A contiguous), not j (x contiguous, A strided)"),
    ("y(i) = A(j,i) * x(j)", {}, "i j", "j i", "i innermost (y and A contiguous), not j (x contiguous, A strided)"),
    (SPMM, {}, "i k j", "i j k", SPMM_REASON),
    (SPMM, {"A": "csr"}, "i k j", "i j k", SPMM_REASON),
    (SPMM, {"A": "coo"}, "i k j", "i j k", SPMM_REASON),
    (SPMM, {"A": "dia"}, "i k j", "i j k", SPMM_REASON),
    (SPMM, {"A": "csc"}, "k j i", "j i k", "k innermost (C and B contiguous), not i (A contiguous, C strided)"),
    (SPMM, {"A": "csr", "B": "csr"}, "i j k", "i j k", "as A and B are stored"),
    (SPMM, {"A": "csc", "B": "csr"}, "j i k", "j i k", ALLOWED),
    (SPMM, {"B": BY_COLUMNS}, "i k j", "i k j", FIRST),
    (SPMM, {"A": "csr", "B": BY_COLUMNS}, "i k j", "i k j", ALLOWED),
    (SPMM, {"A": "csr", "C": BY_COLUMNS}, "k i j", "k i j", ALLOWED),
    # A row of a sparse result would need a workspace with the sum around it.
    (SPMM, {"A": "csr", "C": "csr"}, "i k j", "i k j", ALLOWED),
    (
        SPMM,
        {"A": "bcsr(4,4)"},
        "i_block k j_block i_inner j_inner",
        "i_block j_block i_inner j_inner k",
        "k innermost (C and B contiguous), not j_inner (A contiguous, B strided)",
    ),
    (SPMM, {"A": "sell(8)"}, "i_block k j_slot i_inner j", "i_block j_slot i_inner j k", SPMM_REASON),
    ("C(i,k) = min(j, A(i,j) + B(j,k))", {"A": "csr"}, "i k j", "i j k", SPMM_REASON),
    (
        "C(i,j) = A(k,i) * B(k,j)",
        {},
        "i j k",
        "i k j",
        "j innermost (C and B contiguous), not k (A and B strided)",
    ),
    (SDDMM, {"B": "csr"}, "i j k", "i j k", ALLOWED),
    (SDDMM, {"B": "csr", "C": "csr"}, "i j k", "i j k", ALLOWED),
    (
        MTTKRP,
        {"B": "csf"},
        "i j k l",
        "i k l j",
        "j innermost (A, C and D contiguous), not l (B contiguous, D strided)",
    ),
    (TTM, {"B": "csf"}, "i j l k", "i j k l", "l innermost (A and C contiguous), not k (B contiguous, C strided)"),
    (TTM, {"B": "csf", "A": "csf"}, "i j l k", "i j l k", ALLOWED),
    (
        TTM,
        {"B": "csf", "A": "compressed, compressed, dense"},
        "i j l k",
        "i j k l",
        "l innermost (A and C contiguous), not k (B contiguous, C strided)",
    ),
    ("A(i,j) = B(i,j,k) * c(k)", {"B": "csf"}, "i j k", "i j k", "as B is stored"),
    # What is stored is not walked again for each k; a dense sum does not move out of a whole result.
    (
        "C(i,k,l) = A(i,j) * B(j,k,l)",
        {"A": "csr"},
        "i k l j",
        "i j k l",
        "l innermost (C and B contiguous), not j (A contiguous, B strided); "
        "k around l (C and B contiguous), not j (A contiguous, B strided)",
    ),
    ("C(i,k,l) = A(i,j) * B(j,k,l)", {}, "i k l j", "i k j l", SPMM_REASON.replace("k inner", "l inner")),
    (
        "C(i,k) = A(i,j) * x(j) * d(k)",
        {"A": "csr"},
        "i k j",
        "i j k",
        "k innermost (C and d contiguous), not j (A contiguous, x gathered)",
    ),
    ("B(i,j) = A(j,i)", {}, "i j", "i j", "in that of the result"),
    ("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr"}, "i j", "i j", "as A and B are stored"),
    ("C(i,j) = A(i,j)", {"A": "csc"}, "j i", "j i", "as A is stored"),
    ("s = A(i,j)", {"A": BY_COLUMNS}, "i j", "j i", "i innermost (A contiguous), not j (A strided)"),
    ("C(i,k) = D(i,k) + A(i,j) * B(j,k)", {"A": "csr"}, "i k j", "i k j", ALLOWED),
)


def started(expression: str, formats: Formats, version: int, schedule: str = "") -> IterationGraph:
    tensors = {tensor: {"format": text} for tensor, text in formats.items()}
    result = hd.lower({"version": version, "expression": expression, "tensors": tensors, "schedule": schedule})
    result.raise_errors()
    return result.graphs[-1]


@pytest.mark.parametrize(("expression", "formats", "first", "second", "reason"), CASES)
def test_the_order_and_its_reason(expression: str, formats: Formats, first: str, second: str, reason: str) -> None:
    graph = started(expression, formats, 2)
    assert loop_variables(graph.statement) == second.split()
    text = f"default order {', '.join(second.split())}: {reason}"
    assert graph_text(graph).splitlines()[-1] == text
    old = started(expression, formats, 1)
    assert loop_variables(old.statement) == first.split()
    line = graph_text(old).splitlines()[-1]
    assert line.startswith(f"default order {', '.join(first.split())} of plans of version 1: ")
    assert line.endswith(f"; since version 2 {', '.join(second.split())}") == (first != second)


@pytest.mark.combinations(4)
@pytest.mark.parametrize(("expression", "formats"), [case[:2] for case in CASES if case[2] != case[3]])
def test_every_order_gives_the_same_result(expression: str, formats: Formats) -> None:
    """The interpreter and compiled C against NumPy, for the loops of both versions."""
    check(expression, formats)
    check(expression, formats, version=1)


def test_the_line_stays_when_commands_have_changed_the_loops() -> None:
    text = graph_text(started(SPMM, {"A": "csr"}, 2, "reorder(i, k, j)"))
    assert text.splitlines()[0:3] == ["∀i", "  ∀k", "    ∀j"]
    assert text.splitlines()[-1] == f"default order i, j, k: {SPMM_REASON}"


def test_one_loop_has_no_order() -> None:
    assert graph_text(started("a = b(i) * c(i)", {}, 2)) == "∀i\n  a += b(i) * c(i)"


def test_every_statement_has_a_line() -> None:
    graph = started("t(i,k) = A(i,j) * B(j,k); y(i) = t(i,k) * x(k)", {"A": "csr"}, 2)
    assert [order.text for order in graph.started] == [
        "default order i, j, k: k innermost (t and B contiguous), not j (A contiguous, B strided)",
        "default order i2, k2: result first, sums inside",
    ]


def test_commands_start_from_the_order_of_the_version() -> None:
    cut = "split(k, k0, k1, 4)"
    assert loop_variables(started(SPMM, {"A": "csr"}, 1, cut).statement) == ["i", "k0", "k1", "j"]
    assert loop_variables(started(SPMM, {"A": "csr"}, 2, cut).statement) == ["i", "j", "k0", "k1"]
