"""``bound`` of a concatenated loop: the end that it claims something of is computed before the claim is checked."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd

FORMAT = "csr where length >= 3 + csr"
JOINED = "concat(t, A[*])\nbound(t, t1, {bound}, MaxConstraint)"


@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_a_claim_of_where_a_concatenated_loop_ends(target: str) -> None:
    matrix, x = np.tril(np.ones((6, 6))), np.arange(6.0)

    def run(bound: int) -> np.ndarray:
        schedule = JOINED.format(bound=bound)
        kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": FORMAT}, schedule=schedule, target=target)
        return kernel(A=matrix, x=x).to_numpy()

    np.testing.assert_array_equal(run(12), matrix @ x)  # six rows in each part
    with pytest.raises(hd.CompileError, match="claims that t ends no later than 11, which does not hold"):
        run(11)
