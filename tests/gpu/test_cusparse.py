"""On a machine with an NVIDIA GPU: cuSPARSE as a baseline computes what the expression says."""

from __future__ import annotations

import pytest

from heddle.measuring.baselines import cusparse
from heddle.runtime.devices import cuda
from tests.backend.baselines.problems import check, problem

pytestmark = pytest.mark.skipif(cuda.missing() is not None, reason=f"no GPU for CUDA here: {cuda.missing()}")


@pytest.mark.parametrize(
    "text",
    ["y(i) = A(i,j) * x(j)", "y(j) = A(i,j) * x(i)", "C(i,k) = A(i,j) * B(j,k)", "C(j,k) = A(i,j) * B(i,k)"],
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_products_are_right(text: str, dtype: str) -> None:
    given = problem(text, {"A": "csr"}, dtype)
    check(cusparse.prepare(given), given)
