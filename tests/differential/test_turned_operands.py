"""Products of matrices by rows with matrices by columns: copies in another order in front of the loops."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.explorer.cost_report.counted import count_events
from heddle.explorer.cost_report.run import run
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments
from tests.differential.check import check

PRODUCT = "C(i,k) = A(i,j) * B(j,k)"
LAYOUTS = [dict(zip("ABC", formats, strict=True)) for formats in product(("csr", "csc"), repeat=3)]


def turned(expression: str, formats: dict[str, str], schedule: str = "") -> list[tuple[str, str]]:
    """The copies that a compile makes: whose, and their names."""
    result = lower(plan_from_arguments(expression, formats, schedule))
    assert result.kernel is not None
    assert result.ok
    return [(copy.tensor, copy.name) for copy in result.kernel.turned]


@pytest.mark.combinations(3)
@pytest.mark.parametrize("formats", LAYOUTS, ids=lambda formats: ",".join(formats.values()))
@pytest.mark.parametrize("expression", [PRODUCT, "C(i,k) = max(j, A(i,j) * B(j,k))", "C(i,k) = A(i,j) * B(k,j)"])
def test_every_layout(expression: str, formats: dict[str, str]) -> None:
    dense = "max" in expression  # everything has a value
    check(expression, {**formats, "C": "dense"} if dense else formats)


@pytest.mark.combinations(2)
@pytest.mark.parametrize(
    ("expression", "formats", "copies"),
    [
        (PRODUCT, {"A": "csr", "B": "csc", "C": "csr"}, ["B"]),
        (PRODUCT, {"A": "csr", "B": "csc", "C": "dense"}, ["B"]),
        (PRODUCT, {"A": "csc", "B": "csr", "C": "csr"}, ["A"]),
        ("C(v,w) = A(d,v) * A(d,w)", {"A": "csr", "C": "csr"}, ["A"]),
        ("C(v,w) = A(v,d) * A(w,d)", {"A": "csr", "C": "csr"}, ["A"]),
        ("C(i,l) = A(i,j) * B(j,k) * D(k,l)", {"A": "csr", "B": "csc", "D": "csr", "C": "csr"}, ["B"]),
        ("y(i) = A(i,j) * B(j,k) * x(k)", {"A": "csr", "B": "csc"}, ["B"]),
        ("C(i,k) = A(i,j) * B(j,k) * S(i,k)", {"A": "csr", "B": "csc", "S": "csr", "C": "csr"}, []),
        (PRODUCT, {"A": "csr", "B": "csr", "C": "csr"}, []),
        (PRODUCT, {"A": "csc", "B": "csr"}, []),
        ("y(i) = A(i,j) * x(j)", {"A": "csc"}, []),
        ("Y(i,k) = A(j,i) * X(j,k)", {"A": "csr"}, []),
    ],
)
def test_what_is_copied(expression: str, formats: dict[str, str], copies: list[str]) -> None:
    assert [tensor for tensor, _ in turned(expression, formats)] == copies
    check(expression, formats)


@pytest.mark.parametrize(("dtype", "result"), [("int8", "int8"), ("int8", "int32"), ("complex64", "complex64")])
def test_dtypes(dtype: str, result: str) -> None:
    """Copies hold what the product is computed in, which is wider than the operands where the result is."""
    array = np.array([[0, 100, 3], [7, 0, 0], [0, 90, -2]], dtype)
    kernel = hd.compile(PRODUCT, {"A": "csr", "B": "csc", "C": "csr"}, dtypes={"A": dtype, "B": dtype, "C": result})
    np.testing.assert_array_equal(kernel(A=array, B=array).to_numpy(), array.astype(result) @ array.astype(result))


def test_a_schedule_speaks_of_the_loops_as_written() -> None:
    assert turned(PRODUCT, {"A": "csr", "B": "csc", "C": "csr"}, "split(i, i0, i1, 4)") == []
    check(PRODUCT, {"A": "csr", "B": "csc", "C": "csr"}, "split(i, i0, i1, 4)")


def test_the_trace_names_the_step() -> None:
    result = lower(plan_from_arguments(PRODUCT, {"A": "csr", "B": "csc", "C": "csr"}))
    (step,) = [step for step in result.passes if step.name == "turned"]
    first, *_ = step.text.splitlines()
    assert first.startswith("Bturned is B as csr: about ")
    assert "Bturned(j2,k2) = B(j2,k2)" in step.text


def test_names_that_are_taken() -> None:
    expression = "C(i,k) = A(i,j) * Bturned(j,k) * Bturned2(i)"
    formats = {"A": "csr", "Bturned": "csc", "C": "csr"}
    assert turned(expression, formats) == [("Bturned", "Bturnedturned")]
    assert turned("C(i,k) = B(i,j) * A(j,k) * Aturned(i)", {"B": "csr", "A": "csc", "C": "csr"}) == [("A", "Aturned2")]


def test_the_work_grows_with_entries_alone() -> None:
    """Iterations that the interpreter counts: the rows once for each of a few loops, and no pairs of them."""
    iterations = []
    for extent in (16, 64):
        array = np.zeros((extent, extent))
        array[[0, 0, 2, 5], [1, 5, 3, 7]] = [1, -2, 3, -4]
        result = lower(plan_from_arguments(PRODUCT, {"A": "csr", "B": "csc", "C": "csr"}))
        iterations.append(count_events(run(result, {"A": array, "B": array})).iterations)
    assert iterations[1] - iterations[0] <= 5 * (64 - 16)


def test_kernels_with_kept_coordinates_and_suggestions() -> None:
    rng = np.random.default_rng(3)
    a, b = (sp.random(9, 9, 0.3, format="csr", random_state=rng) for _ in range(2))
    formats = {"A": "csr", "B": "csc", "C": "csr"}
    kernel = hd.compile(PRODUCT, formats)
    expected = (a @ b).toarray()
    np.testing.assert_allclose(kernel.assemble(A=a, B=b.tocsc()).compute(A=a, B=b.tocsc()).to_numpy(), expected)
    automatic = hd.compile(PRODUCT, formats, options={"schedule": "auto"})
    assert automatic.suggestion.schedule == ()
    assert automatic.suggestion.rule == "turned-operands"
    np.testing.assert_allclose(automatic(A=a, B=b.tocsc()).to_numpy(), expected)
