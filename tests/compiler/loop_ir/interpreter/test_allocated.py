"""Bytes of workspaces: what a kernel declares, on operands of known sizes."""

from __future__ import annotations

import pytest

from heddle.loop_ir.analysis.allocated import workspace_bytes
from heddle.loop_ir.nodes import AllocateMap
from heddle.loop_ir.walk import statements
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec

TWO = "def f(float(N,M) X) -> (y) { t(i,j) = X(i,j) * X(i,j)  y(i,j) = t(i,j) + t(i,j) }"
ROW = "together(i, i2)"


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ((), 4 * 30 * 20),
        ((ROW,), 4 * 20),
        ((ROW, "parallelize(i, CPUThread, NoRaces)"), 3 * 4 * 20),
        ((ROW, "together(j, j2)"), 0),
    ],
)
def test_a_temporary_counts_with_the_dimensions_that_it_has(schedule: tuple[str, ...], expected: int) -> None:
    function = lower(Plan(TWO, language="comprehension", schedule=schedule)).function
    assert function is not None
    names = {parameter.name: parameter.dimension for parameter in function.parameters}
    sizes = {name: (30, 20)[dimension] for name, dimension in names.items() if dimension is not None}
    assert workspace_bytes(function, sizes, 3) == expected


def test_what_grows_with_the_data_is_not_told() -> None:
    """Entries of a hypersparse transposed matrix are collected in a map, as many as there are."""
    result = lower(Plan("A(i,j) = B(j,i)", {name: TensorSpec("dcsr") for name in "AB"}))
    assert result.function is not None
    assert any(isinstance(one, AllocateMap) for one in statements(result.function.body))
    assert workspace_bytes(result.function, {}, 1) is None
