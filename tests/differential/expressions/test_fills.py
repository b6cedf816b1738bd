"""Tensors whose missing entries are not zero: shortest paths (min-plus), products over ones, and everything between."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import accesses
from heddle.notation.parser import parse
from heddle.plan import parse_plan, to_document
from tests.differential.check import TARGETS
from tests.differential.operands import operand_sets
from tests.errors.expect import refusal

INF = float("inf")
CASES = [
    ("d(i) = min(j, A(i,j) + x(j))", {"A": INF}),
    ("d(i) = min(j, A(i,j) + x(j))", {"A": INF, "x": INF}),
    ("d(i) min= A(j,i) + x(j)", {"A": INF}),
    ("d(i) = max(j, A(i,j) - x(j))", {"A": -INF}),
    ("y(i) = prod(j, A(i,j))", {"A": 1}),
    ("y(i) = prod(j, A(i,j) * B(i,j))", {"A": 1, "B": 1}),
    ("y(i) = A(i,j) * x(j)", {"A": 2}),
    ("C(i,j) = A(i,j) + B(i,j)", {"A": 3, "B": -3}),
    ("C(i,j) = min(A(i,j), B(i,j))", {"A": INF, "B": INF}),
    ("C(i,j) = A(i,j) * B(i,j)", {"A": 1}),
]
FORMATS = [{"A": "csr", "B": "dcsr", "x": "sparse"}, {"A": "sd", "B": "sd"}, {"A": "dcsr", "B": "csr"}]


@pytest.mark.combinations(4, "expression", "formats")
@pytest.mark.parametrize("formats", FORMATS)
@pytest.mark.parametrize(("expression", "fills"), CASES)
def test_fills(expression: str, fills: dict[str, float], formats: dict[str, str]) -> None:
    assignment = parse(expression)
    names = {access.tensor for access in accesses(assignment.expression)}
    if any(access.indices == ("j", "i") for access in accesses(assignment.expression)):
        formats = {"A": "csc"}
    used = {name: text for name, text in formats.items() if name in names}
    for target in TARGETS:
        kernel = hd.compile(expression, used, "", target, fills=fills)
        for operands in operand_sets(assignment):
            arrays = {name: np.where(array == 0, fills.get(name, 0), array) for name, array in operands.arrays.items()}
            extra: dict[str, np.ndarray] = {}
            if assignment.operator != "=":
                extra["d"] = np.full(operands.sizes["i"], 2.0)
            found = kernel(**arrays, **extra).to_numpy()
            expected = evaluate(assignment, arrays, operands.sizes, extra.get("d"))
            np.testing.assert_array_equal(found, expected, err_msg=f"{target} {operands.label}")


def check_sparse_result(
    expression: str, formats: dict[str, str], fills: dict[str, float], fill: float, schedule: str = ""
) -> None:
    assignment = parse(expression)
    for target in TARGETS:
        kernel = hd.compile(expression, formats, schedule, target, fills=fills)
        for operands in operand_sets(assignment):
            arrays = {name: np.where(array == 0, fills.get(name, 0), array) for name, array in operands.arrays.items()}
            found = kernel(**arrays)
            expected = evaluate(assignment, arrays, operands.sizes)
            np.testing.assert_array_equal(found.to_numpy(), expected, err_msg=f"{target} {operands.label}")
            assert found.fill == fill
            found.validate()


@pytest.mark.combinations(4, "expression", "result")
@pytest.mark.parametrize("result", ["csr", "dcsr", "coo", "csc"])
@pytest.mark.parametrize(
    ("expression", "fills", "fill"),
    [
        ("C(i,j) = min(k, A(i,k) + B(k,j))", {"A": INF, "B": INF}, INF),
        ("C(i,j) = max(k, min(A(i,k), B(k,j)))", {"A": -INF, "B": -INF}, -INF),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": 3, "B": -1}, 2),
        ("C(i,j) = min(A(i,j), B(i,j))", {"A": INF, "B": 4}, 4),
        ("C(i,j) = A(i,j) * B(i,j)", {"A": 1, "B": 1}, 1),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": 3}, 3),
    ],
)
def test_sparse_results_have_the_fill_that_follows(
    expression: str, fills: dict[str, float], fill: float, result: str
) -> None:
    operands = {"A": "csc", "B": "csc"} if result == "csc" and "k" not in expression else {"A": "csr", "B": "csr"}
    check_sparse_result(expression, {**operands, "C": result}, fills, fill)


@pytest.mark.parametrize(
    "schedule",
    [
        "precompute(A(i,k) + B(k,j), j, jw, w)",
        "precompute(A(i,k) + B(k,j), j, jw, w)\nassemble(C, Append)\nparallelize(i, CPUThread, NoRaces)",
        "precompute(A(i,k) + B(k,j), {i,j}, {iw,jw}, w)",
        "reorder(k, i)\nprecompute(A(i,k) + B(k,j), {i,j}, {iw,jw}, w)",
    ],
)
def test_sparse_min_plus_products_under_schedules(schedule: str) -> None:
    formats = {"A": "csc" if "reorder" in schedule else "csr", "B": "csr", "C": "csr"}
    check_sparse_result("C(i,j) = min(k, A(i,k) + B(k,j))", formats, {"A": INF, "B": INF}, INF, schedule)


def test_workspaces_of_sums_that_are_not_zero_elsewhere() -> None:
    formats = {"A": "csr", "B": "csr", "C": "csr"}
    schedule = "precompute(A(i,j) + B(i,j), j, jw, w)"
    check_sparse_result("C(i,j) = A(i,j) + B(i,j)", formats, {"A": 3, "B": -1}, 2, schedule)


def test_shortest_paths_visit_stored_edges_alone() -> None:
    source = hd.compile("d(i) = min(j, A(i,j) + x(j))", {"A": "csr"}, fills={"A": INF}).source
    assert "for (int64_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA++)" in source
    assert "while" not in source


def test_a_packed_tensor_keeps_its_fill() -> None:
    dense = np.array([[0, INF, 2], [INF, INF, INF]])
    tensor = hd.pack(dense, "csr", fill=INF)
    assert (tensor.stored, tensor.fill) == (2, INF)
    np.testing.assert_array_equal(tensor.to_numpy(), dense)
    np.testing.assert_array_equal(hd.convert(tensor, "sd").to_numpy(), dense)
    np.testing.assert_array_equal(hd.convert(tensor, "dense").to_numpy(), dense)
    for refused in (tensor.to_scipy, lambda: hd.compile("y(i) = A(i,j)", {"A": "csr"})(A=tensor)):
        diagnostic = refusal(refused)
        assert diagnostic.code == "runtime/fill"
        assert diagnostic.message in (
            "What this tensor does not store is inf; in a SciPy array it would be zero.",
            "What A does not store is inf, but 0 is expected there.",
        )


@pytest.mark.parametrize("fill", ["inf", "-inf", 1, -2.5, True])
def test_plans_keep_the_fill(fill: object) -> None:
    document = {"expression": "y(i) = A(i,j)", "tensors": {"A": {"fill": fill}}}
    written = to_document(parse_plan(document))
    assert written["tensors"] == {"A": {"fill": fill}}
    assert parse_plan(written) == parse_plan(document)


def test_what_is_no_fill() -> None:
    diagnostic = refusal(lambda: parse_plan({"expression": "y(i) = x(i)", "tensors": {"x": {"fill": "infinite"}}}))
    assert diagnostic.message == (
        "tensors.x.fill must be a number, a truth value, or one of inf, -inf, nan and 1+2j, found the text `infinite`"
    )
