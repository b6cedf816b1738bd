"""Reductions over sparse operands visit what is stored, and combine the fill for all other coordinates in one step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import heddle as hd
from heddle.explorer.cost_report.counted import count_events
from heddle.explorer.cost_report.run import run
from heddle.explorer.views.graph.lattice import lattice_views
from heddle.notation.evaluation import evaluate
from heddle.notation.parser import parse
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments
from tests.differential.check import TARGETS, check
from tests.errors.expect import refusal

FORMATS = ["csr", "csc", "dcsr", "coo", "ell", "bcsr(2,3)", "dense,bitmap", "dia", "csb(2,3)"]
EXPRESSIONS = [
    "y(i) = max(j, A(i,j))",
    "y(i) = sum(j, A(i,j) + 1)",
    "y(i) = prod(j, A(i,j) + 1)",
    "y(i) = min(j, A(i,j) * x(j))",
    "y(i) = max(j, A(i,j) + x(j))",
]


@pytest.mark.combinations(4, "expression", "format")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_format(expression: str, format: str) -> None:
    check(expression, {"A": format})


@pytest.mark.combinations(3)
@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        ("y(i) = min(j, A(i,j) + B(i,j))", {"A": "csr", "B": "dcsr"}),
        ("y(i) = max(j, A(i,j) * B(i,j))", {"A": "csr", "B": "csr"}),
        ("y(i) = sum(j, (A(i,j) + 1) * (B(i,j) + 2))", {"A": "csr", "B": "coo"}),
        ("y(i) = max(j, max(A(i,j), B(i,j)))", {"A": "csr", "B": "csr"}),
        ("y(i) = sum(j, A(i,j) + b(i))", {"A": "csr"}),
        ("y(i) = max(j, abs(A(i,j)))", {"A": "csr", "y": "sparse"}),
        ("y(i) = any(j, A(i,j) == 0)", {"A": "csr"}),
        ("y(i) = all(j, A(i,j) > 0)", {"A": "dcsr"}),
        ("s = max(i, max(j, A(i,j)))", {"A": "dcsr"}),
        ("s = sum(i, sum(j, A(i,j) + 1))", {"A": "dcsr"}),
        ("s = sum(i, max(j, A(i,j)))", {"A": "csr"}),
        ("y(i) = sum(j, sum(k, T(i,j,k) + 1))", {"T": "csf"}),
        ("y(i) = max(j, min(k, T(i,j,k)))", {"T": "csf"}),
        ("Y(i,k) = max(j, T(i,j,k))", {"T": "csf"}),
        ("Y(i,k) = max(j, A(i,j) * B(j,k))", {"A": "csr"}),
        ("y(i) = b(i) + max(j, A(i,j))", {"A": "csr"}),
    ],
)
def test_what_is_combined(expression: str, formats: dict[str, str]) -> None:
    check(expression, formats)


@pytest.mark.combinations(3)
@pytest.mark.parametrize(
    ("formats", "schedule"),
    [
        ({"A": "csr"}, "parallelize(i, CPUThread, NoRaces)"),
        ({"A": "csr"}, "split(i, i0, i1, 4); parallelize(i0, CPUThread, NoRaces)"),
        ({"A": "csr"}, "split(j, j0, j1, 4)"),
        ({"A": "csr"}, "split(j, j0, j1, 4); reorder(j0, i, j1)"),
        ({"A": "ell"}, "divide(j, j0, j1, 3)"),
        ({"A": "csr"}, "precompute(A(i,j) + 1, j, jw, w)"),
    ],
)
@pytest.mark.parametrize("expression", ["y(i) = max(j, A(i,j) + 1)", "y(i) = sum(j, A(i,j) + 1)"])
def test_schedules(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)


def nasty(dtype: str) -> NDArray[Any]:
    """Rows: empty, full, with the least value, with explicit zeros, with what is not finite."""
    least = -np.inf if np.dtype(dtype).kind == "f" else np.iinfo(dtype).min
    special = [np.nan, np.inf, -np.inf] if np.dtype(dtype).kind == "f" else [3, 5, 7]
    rows = [[0] * 6, [2, 3, 4, 5, 6, 7], [0, least, 0, 0, least, 0], [0, 0, 9, 0, 0, 0], [0, *special, 0, 0]]
    return np.array([*rows, [0, special[1], 0, 0, 0, 0], [least] * 6]).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint8", "int64"])
@pytest.mark.parametrize("term", ["max(j, A(i,j))", "min(j, A(i,j))", "prod(j, A(i,j))", "prod(j, A(i,j) + 3)"])
def test_dtypes_and_what_is_not_finite(term: str, dtype: str) -> None:
    array, text = nasty(dtype), f"y(i) = {term}"
    expected = evaluate(parse(text), {"A": array}, {"i": len(array), "j": 6})
    for target in TARGETS:
        kernel = hd.compile(text, {"A": "csr"}, target=target, dtypes={"A": dtype})
        found = kernel(A=array).to_numpy()
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected, err_msg=target)


@pytest.mark.parametrize("dtype", ["float32", "int8", "complex128"])
def test_large_sums_of_a_fill(dtype: str) -> None:
    """Sums wrap around in integers as additions one by one do, and keep more digits in floating point."""
    array = np.zeros((2, 300), dtype)
    array[1, 7] = 5
    for target in TARGETS:
        kernel = hd.compile("y(i) = sum(j, A(i,j) + 3)", {"A": "csr"}, target=target, dtypes={"A": dtype})
        expected = (array + array.dtype.type(3)).sum(axis=1, dtype=dtype)
        np.testing.assert_array_equal(kernel(A=array).to_numpy(), expected, err_msg=target)


def test_explicit_fills_count_as_stored() -> None:
    stored = hd.pack((np.array([[0, 0, 1], [0, 1, 0]]), np.array([-1.0, 0.0, -2.0]), (2, 2)), "csr")
    assert len(stored.to_coo()[1]) == 3
    for target in TARGETS:
        for term, expected in (
            ("max(j, A(i,j))", [0, 0]),
            ("sum(j, A(i,j) + 1)", [1, 0]),
            ("prod(j, A(i,j) - 1)", [2, 3]),
        ):
            kernel = hd.compile(f"y(i) = {term}", {"A": "csr"}, target=target)
            np.testing.assert_array_equal(kernel(A=stored).to_numpy(), expected)


def test_terms_beside_slots_are_refused() -> None:
    """Every slot would add them again."""
    found = refusal(lambda: hd.compile("y(i) = sum(j, A(i,j) + b(i))", {"A": "sell(2,4)"}))
    assert found.code == "format/slots-not-summed"
    assert "A(i,j) + b(i) has a term that would be added for every slot" in found.message
    check("y(i) = A(i,j) + b(i)", {"A": "sell(2,4)"})


@pytest.mark.parametrize(
    ("expression", "format"),
    [
        ("y(i) = max(j, A(i,j))", "csr"),
        ("y(i) = sum(j, exp(A(i,j)))", "csr"),
        ("y(i) = prod(j, A(i,j))", "dcsr"),
        ("y(i) = max(j, abs(A(i,j)))", "coo"),
        ("s = sum(i, sum(j, exp(A(i,j))))", "dcsr"),
    ],
)
def test_the_work_does_not_grow_with_the_extent(expression: str, format: str) -> None:
    """Iterations that the interpreter counts: by the stored coordinates and the rows alone."""
    iterations = []
    for extent in (8, 64):
        array = np.zeros((6, extent))
        array[[0, 0, 2, 5], [1, 5, 3, 7]] = [1, -2, 3, -4]
        result = lower(plan_from_arguments(expression, {"A": format}))
        iterations.append(count_events(run(result, {"A": array})).iterations)
    assert iterations[0] == iterations[1]


def test_a_term_that_depends_on_the_coordinate_visits_them_all() -> None:
    text = lower(plan_from_arguments("y(i) = max(j, A(i,j) + x(j))", {"A": "csr"})).structured
    assert text is not None
    assert "while j < A2_dimension" in text.text


def test_powers_of_floating_point_stay_products_in_turn() -> None:
    """2 ** 2000 is infinite, while 2000 factors 2 and a stored 0 are not in every order."""
    text = lower(plan_from_arguments("y(i) = prod(j, A(i,j) + 2)", {"A": "csr"})).structured
    assert text is not None
    assert "while j < A2_dimension" in text.text


def test_the_lattice_shows_that_the_fill_has_no_loop() -> None:
    result = lower(plan_from_arguments("y(i) = max(j, A(i,j))", {"A": "csr"}))
    assert result.lowered_graph is not None
    (view,) = lattice_views(result.lowered_graph)
    assert [(point["iterators"], point["loop"]) for point in view["points"]] == [
        (["A(i,j)", "all j"], True),
        (["all j"], False),
    ]


def test_more_coordinates_than_an_index_can_count() -> None:
    size = 3_000_000
    stored = hd.pack((tuple(np.array([1, 2]) for _ in range(4)), np.array([1.0, 2.0]), (size,) * 4), "csf")
    found = hd.compile("s = exp(T(i,j,k,l))", {"T": "csf"})(T=stored)
    np.testing.assert_allclose(found.to_numpy(), float(size) ** 4)


@pytest.mark.parametrize("expression", ["y(i) = T(i,j,k) + 1", "y(i) *= T(i,j,k) + 2", "y(i) max= T(i,j,k)"])
def test_several_loops_repeat_a_fill(expression: str) -> None:
    array = np.zeros((4, 3, 5), np.int32)
    array[0, 1, 2], array[0, 2], array[3] = 4, 1, -1
    for target in TARGETS:
        for format in ("csf", "dense,compressed,compressed"):
            kernel = hd.compile(expression, {"T": format}, target=target, dtypes={"T": "int32"})
            start = {} if " = " in expression else {"y": np.array([1, 2, -3, 4], np.int32)}
            expected = evaluate(parse(expression), {"T": array}, {"i": 4, "j": 3, "k": 5}, start.get("y"))
            np.testing.assert_array_equal(kernel(T=array, **start).to_numpy(), expected)
