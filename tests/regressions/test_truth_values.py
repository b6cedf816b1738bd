"""Truth values: what literals make of them, and their order. Found by random expressions."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check


@pytest.mark.parametrize("expression", ["y(i) = (0 < a(i)) < (0 < b(i))", "y(i) = (0 < a(i)) >= (0 < 1)"])
def test_truth_values_are_ordered(expression: str) -> None:
    """The verifier refused the comparison, as a defect of ours."""
    check(expression, {})


@pytest.mark.parametrize("expression", ["y = max(0 < a(i), 0 < 0)", "y = (0 < a(i)) + (0 < 0)"])
def test_a_truth_value_of_literals_alone_is_no_number(expression: str) -> None:
    """The result was an int64, and the sum counted."""
    kernel = hd.compile(expression, target="interpreter")
    found = kernel(a=np.array([1.0, 2.0, 0.0]))
    assert (found.dtype, found.to_numpy().tolist()) == ("bool", True)


def test_a_sum_of_literals_is_as_wide_as_they_are() -> None:
    """1.5 times whole numbers was cut to whole numbers."""
    found = hd.compile("y(i) = a(i) * (0.5 + 1)", dtypes={"a": "int64"}, target="interpreter")(a=np.array([1, 2]))
    np.testing.assert_array_equal(found.to_numpy(), [1.5, 3.0])
