"""Reductions over the rows of a matrix that is stored by rows: stored entries, and the fill once for each column."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.explorer.cost_report.counted import count_events
from heddle.explorer.cost_report.run import run
from heddle.explorer.views.graph.lattice import lattice_views
from heddle.notation.evaluation import evaluate
from heddle.notation.parser import parse
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments
from tests.differential.check import TARGETS, check
from tests.differential.expressions.test_repeated_fills import nasty

FORMATS = ["csr", "dcsr", "coo", "ell", "dense,bitmap", "bcsr(2,3)"]


@pytest.mark.combinations(4, "expression", "format")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "expression",
    ["r(j) = max(i, A(i,j))", "r(j) = sum(i, A(i,j) + 1)", "r(j) = min(i, A(i,j) * x(i))", "r(j) = abs(A(i,j) - 2)"],
)
def test_every_format(expression: str, format: str) -> None:
    check(expression, {"A": format})


@pytest.mark.combinations(4)
@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        ("r(j) = max(i, A(i,j) + B(i,j))", {"A": "csr", "B": "dcsr"}),
        ("r(j) = max(i, A(i,j) * B(i,j))", {"A": "csr", "B": "csr"}),
        ("r(j) = sum(i, (A(i,j) + 1) * (B(i,j) + 2))", {"A": "csr", "B": "coo"}),
        ("r(j) = max(i, A(i,j) + B(i,j) + C(i,j) + D(i,j))", dict.fromkeys("ABCD", "csr")),
        ("r(j) = sum(i, A(i,j) + b(j))", {"A": "csr"}),
        ("r(j) = sum(i, A(i,j) + b(i))", {"A": "csr"}),
        ("r(j) = any(i, A(i,j) == 0)", {"A": "csr"}),
        ("R(j,k) = max(i, A(i,j) * B(j,k))", {"A": "csr"}),
        ("R(j,k) = max(i, A(i,j) * B(i,k))", {"A": "csr"}),
        ("R(j,k) = max(i, T(i,j,k))", {"T": "csf"}),
        ("R(i,k) = max(j, T(i,j,k))", {"T": "csf"}),
        ("R(j,k) = sum(i, T(i,j,k) + 1)", {"T": "coo"}),
        ("r(k) = T(i,j,k) + 1", {"T": "csf"}),
        ("m(j) = max(i, A(i,j)); B(i,j) = A(i,j) - m(j)", {"A": "csr"}),
    ],
)
def test_what_is_combined(expression: str, formats: dict[str, str]) -> None:
    check(expression, formats)


@pytest.mark.combinations(3)
@pytest.mark.parametrize(
    "schedule",
    [
        "split(i, i0, i1, 4)",
        "divide(i, i0, i1, 3)",
        "split(i, i0, i1, 4); parallelize(i0, CPUThread, Atomics)",
        "parallelize(i, CPUThread, Temporary)",
    ],
)
@pytest.mark.parametrize("expression", ["r(j) = max(i, A(i,j))", "r(j) = sum(i, A(i,j) + 1)"])
def test_schedules(expression: str, schedule: str) -> None:
    check(expression, {"A": "csr"}, schedule)


@pytest.mark.parametrize("dtype", ["float32", "int8", "uint8"])
@pytest.mark.parametrize("term", ["max(i, A(i,j))", "min(i, A(i,j))", "prod(i, A(i,j))", "sum(i, A(i,j) + 3)"])
def test_dtypes_and_what_is_not_finite(term: str, dtype: str) -> None:
    array, text = nasty(dtype).T.copy(), f"r(j) = {term}"
    expected = evaluate(parse(text), {"A": array}, {"i": len(array), "j": array.shape[1]})
    for target in TARGETS:
        result = hd.compile(text, {"A": "csr"}, target=target, dtypes={"A": dtype})(A=array).to_numpy()
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected, err_msg=target)


@pytest.mark.parametrize("expression", ["r(j) = max(i, A(i,j))", "r(j) = exp(A(i,j))", "r(j) = sum(i, A(i,j) + b(j))"])
@pytest.mark.parametrize(("format", "rows"), [("csr", False), ("dcsr", True), ("coo", True)])
def test_the_work_does_not_grow_with_the_extents(expression: str, format: str, rows: bool) -> None:
    """Iterations that the interpreter counts: entries, rows or columns, and never their product."""
    iterations = []
    for extent in (8, 64):
        array = np.zeros((extent if rows else 8, 8 if rows else extent))
        array[[0, 0, 2, 5], [1, 5, 3, 7]] = [1, -2, 3, -4]
        result = lower(plan_from_arguments(expression, {"A": format}))
        operands = {"A": array, "b": np.ones(array.shape[1])}
        reads = {name: operands[name] for name in ("A", "b") if f"{name}(" in expression}
        iterations.append(count_events(run(result, reads)).iterations)
    assert iterations[1] - iterations[0] == (0 if rows else 56)


def test_results_that_start_with_values() -> None:
    array, start = np.array([[0, 3.0, -2], [0, 0, -4]]), np.array([-1.0, 5, -3])
    for target in TARGETS:
        kernel = hd.compile("r(j) max= A(i,j)", {"A": "csr"}, target=target)
        np.testing.assert_array_equal(kernel(A=array, r=start).to_numpy(), [0, 5, -2], err_msg=target)


def test_terms_that_depend_on_the_row_visit_them_all() -> None:
    text = lower(plan_from_arguments("r(j) = max(i, A(i,j) + x(i))", {"A": "csr"})).structured
    assert text is not None
    assert "while j < A2_dimension" in text.text


def test_the_lattice_shows_that_the_fill_has_no_loop() -> None:
    result = lower(plan_from_arguments("r(j) = max(i, A(i,j))", {"A": "csr"}))
    assert result.lowered_graph is not None
    (view,) = lattice_views(result.lowered_graph)
    assert [(point["iterators"], point["loop"]) for point in view["points"]] == [
        (["A(i,j)", "all j"], True),
        (["all j"], False),
    ]
