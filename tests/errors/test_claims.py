"""``bound`` is a claim about the data: a kernel that it does not hold for refuses before it computes anything."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.errors.expect import marked, refusal

ADVICE = ", which does not hold for these operands. Correct the bound or remove it."


def kernel(claim: str, target: str) -> hd.Kernel:
    schedule = ("split(j, j0, j1, 4)", claim)
    return hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}, schedule, target)


@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize(
    ("claim", "message", "holds"),
    [
        ("bound(i, ib, 5, MaxExact)", "claims that i ends at 5", {5}),
        ("bound(i, ib, 5, MaxConstraint)", "claims that i ends no later than 5", {4, 5}),
        ("bound(i, ib, 0, MinExact)", "", {4, 5, 6}),
        ("bound(i, ib, 0, MinConstraint)", "", {4, 5, 6}),
    ],
)
def test_a_claim_is_checked_at_the_entry(claim: str, message: str, holds: set[int], target: str) -> None:
    bounded = kernel(claim, target)
    for rows in (4, 5, 6):
        operands = {"A": np.arange(rows * 7.0).reshape(rows, 7), "x": np.arange(7.0)}
        if rows in holds:
            np.testing.assert_array_equal(bounded(**operands).to_numpy(), operands["A"] @ operands["x"])
            continue
        diagnostic = refusal(lambda operands=operands: bounded(**operands))  # type: ignore[misc]
        assert (diagnostic.code, diagnostic.message) == ("runtime/refused", f"{claim} {message}{ADVICE}")
        assert diagnostic.location is not None
        assert diagnostic.location.command == 1
        assert marked(claim, diagnostic) == claim
