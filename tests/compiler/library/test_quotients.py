"""A product that is divided: the factor with the fewest elements is, and the result is that of one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import heddle as hd
from heddle.frontends.table import DEFAULT_LANGUAGE, assignment_of
from heddle.library.costs.quotients import quotient_steps
from heddle.library.operand_kinds import declared_dtypes, kind_of
from heddle.notation.nodes import operand_accesses

RNG = np.random.default_rng(0)
MATRICES: Any = {"W": sp.random_array((30, 20), density=0.3, format="csr", rng=RNG), "H": RNG.random((20, 16))}
OPERANDS: dict[str, Any] = {
    **MATRICES,
    "G": RNG.random((16, 12)),
    "s": RNG.random(30) + 1,
    "r": RNG.random(20) + 1,
    "c": np.float64(3.0),
    "D": sp.random_array((30, 20), density=0.9, format="csr", rng=RNG),
}


def steps(expression: str, **others: Any) -> list[str]:
    assignment = assignment_of(DEFAULT_LANGUAGE, expression)
    operands = {**OPERANDS, **others}
    names = {access.tensor for access in operand_accesses(assignment)} & operands.keys()
    kinds = {name: kind_of(operands[name], name) for name in sorted(names)}
    return [step.expression for step in quotient_steps(assignment, kinds, declared_dtypes(kinds))]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("Z(i,f) = W(i,j) * H(j,f) / s(i)", ["t(i,j) = W(i,j) / s(i)", "Z(i,f) = t(i,j) * H(j,f)"]),
        ("Z(i,f) = W(i,j) / s(i) * H(j,f)", ["t(i,j) = W(i,j) / s(i)", "Z(i,f) = t(i,j) * H(j,f)"]),
        ("Z(i,f) = H(j,f) * W(i,j) / (s(i) * c)", ["t(i,j) = W(i,j) / s(i) / c", "Z(i,f) = H(j,f) * t(i,j)"]),
        ("Z(i,f) = W(i,j) * H(j,f) / s(i) / r(j)", ["t(i,j) = W(i,j) / s(i) / r(j)", "Z(i,f) = t(i,j) * H(j,f)"]),
        (
            "t(i,g) = W(i,j) * H(j,f) * G(f,g) / s(i)",
            ["tt(i,j) = W(i,j) / s(i)", "tt3(j,g) = H(j,f) * G(f,g)", "t(i,g) = tt(i,j) * tt3(j,g)"],
        ),
        ("y(i) = W(i,j) * r(j) / s(i)", []),  # as many divisions
        ("Z(i,f) = W(i,j) * H(j,f)", []),
        ("Z(i,f) = W(i,j) * H(j,f) / D(i,j)", []),  # where D is not stored, it divides by 0
        ("Z(i,f) = W(i,j) * H(j,f) / (s(i) + 1)", []),
        ("Z(i,f) = s(i) / (W(i,j) / H(j,f))", []),
        ("Z(i,f) += W(i,j) * H(j,f) / s(i)", []),
        ("q(i) = 2 * s(i); Z(i,f) = W(i,j) * H(j,f) / q(i)", []),
    ],
)
def test_the_factor_with_the_fewest_elements_is_divided(expression: str, expected: list[str]) -> None:
    assert steps(expression) == expected


def test_integers_and_fills_are_divided_in_the_order_that_is_written() -> None:
    expression = "Z(i,f) = W(i,j) * H(j,f) / s(i)"
    whole: dict[str, Any] = {name: OPERANDS[name].astype(np.int64) for name in "WHs"}
    assert steps(expression, **whole) == []
    assert steps(expression, W=hd.pack(OPERANDS["W"], "csr", fill=1.0)) == []
    assert steps(expression, s=OPERANDS["s"].astype(np.float32)) == []


SPECIAL = st.sampled_from([0.0, 1.0, -2.0, 3.5, np.inf, -np.inf, np.nan])


@settings(max_examples=15)
@given(st.lists(SPECIAL, min_size=4, max_size=4), st.lists(SPECIAL, min_size=5, max_size=5), st.integers(0, 3))
def test_the_result_is_that_of_one_kernel(divisors: list[float], row: list[float], empty: int) -> None:
    W = np.array([[1.0, 0, 2, 0, 3], [0, -1, 0, 4, 0], [5, 6, 0, 0, 0.5], [0, 0, 0, 7, 0]])
    W[empty] = 0
    H, s = np.repeat(np.array(row)[:, None], 40, axis=1), np.array(divisors)
    operands = {"W": sp.csr_array(W), "H": H, "s": s}
    expression = "Z(i,f) = W(i,j) * H(j,f) / s(i)"
    with np.errstate(all="ignore"):
        result = hd.evaluate(expression, **operands).to_numpy()
        np.testing.assert_allclose(result, _kernel(expression)(**operands).to_numpy(), rtol=1e-14)


def _kernel(expression: str) -> hd.Kernel:
    return hd.compile(expression, formats={"W": "csr"})


def test_the_kernels_of_a_quotient_divide_entries_alone() -> None:
    result = hd.evaluate("Z(i,f) = W(i,j) * H(j,f) / s(i)", **{name: OPERANDS[name] for name in "WHs"})
    np.testing.assert_allclose(result.to_numpy(), OPERANDS["W"] @ OPERANDS["H"] / OPERANDS["s"][:, None])
    divided = hd.einsum("ij,jf->if", OPERANDS["W"], OPERANDS["H"]).to_numpy() / 3
    scaled = hd.evaluate("Z(i,f) = W(i,j) * H(j,f) / c", W=OPERANDS["W"], H=OPERANDS["H"], c=3)
    np.testing.assert_allclose(scaled.to_numpy(), divided)
