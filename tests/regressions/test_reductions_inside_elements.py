"""A reduction inside an element is dense in its free indices, as its workspace is in a program of two statements."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd

RNG = np.random.default_rng(0)
B = np.where(RNG.random((6, 8)) < 0.3, RNG.integers(1, 5, (6, 8)), 0).astype(float)
B[2] = 0
"""A row without entries, whose norm is 0."""
PARTS = {
    "sqrt(sum(k, B(d,k) * B(d,k)))": "s(d) = sqrt(sum(k, B(d,k) * B(d,k)))",
    "(1 + 2 * sum(k, B(d,k)))": "s(d) = 1 + 2 * sum(k, B(d,k))",
    "max(k, B(d,k))": "s(d) = max(k, B(d,k))",
}


def divided(program: str, operand: str, result: str, schedule: str = "", target: str = "interpreter") -> hd.Tensor:
    return hd.compile(program, {"B": operand, "N": result}, schedule, target)(B=B)


@pytest.mark.parametrize(("operand", "result"), [("csr", "csr"), ("dcsr", "dcsr"), ("coo", "coo"), ("dcsr", "dense")])
@pytest.mark.parametrize("part", PARTS)
def test_same_program_same_result(part: str, operand: str, result: str) -> None:
    inside = divided(f"N(d,w) = B(d,w) / {part}", operand, result)
    apart = divided(f"{PARTS[part]}; N(d,w) = B(d,w) / s(d)", operand, result)
    np.testing.assert_array_equal(inside.to_numpy(), apart.to_numpy())
    assert inside.stored == apart.stored == (B.size if result == "dense" else np.count_nonzero(B))
    assert not np.isnan(inside.to_numpy()).any()


def test_a_sum_that_is_computed_before_the_loops_is_dense_too() -> None:
    program = "N(d,w) = B(d,w) / sqrt(sum(k, B(d,k) * B(d,k)))"
    before = divided(program, "csr", "csr", "precompute(B(d,k) * B(d,k), d, dw, s)")
    np.testing.assert_array_equal(before.to_numpy(), divided(program, "csr", "csr", target="c").to_numpy())
    assert before.stored == np.count_nonzero(B)


def test_blocks_that_are_read_by_two_sets_of_variables() -> None:
    found = divided("N(d,w) = B(d,w) / (1 + sum(k, B(d,k)))", "bcsr(2,2)", "dense")
    np.testing.assert_allclose(found.to_numpy(), B / (1 + B.sum(1, keepdims=True)))
