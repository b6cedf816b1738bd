"""Additive terms whose sets of summed variables overlap: each term is summed over its own variables."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
import pytest

import heddle as hd
from heddle.notation.evaluation import evaluate
from heddle.notation.parser import parse

SIZES = {"i": 3, "j": 4, "k": 2, "l": 5}
FORMATS = ({}, {"B": "csr", "c": "sparse"}, {"B": "dcsr : 1,0"})
PROGRAMS = (
    "y = c(i) + (B(j,i) + b(j))",
    "y(k) = d(i,k) + B(j,i) + b(j)",
    "y(k) = -(d(i,k) - (B(j,i) - b(j)) * d(i,k)) + b(j)",
    "y = (c(i) + b(j)) * (b(j) + e(k)) * (e(k) + c(i))",
    "y = (c(i) + B(j,i) + b(j)) / e(k)",
    "y = max(c(i), B(j,i)) + (b(j) + c(i) + exp(b(j)))",
    "t(i) = 2 * c(i); y = t(i) + (B(j,i) + b(j)) + c(i)",
    "y(i) += B(j,i) + (b(j) * e(k) + c(i)) + e(k)",
)


@pytest.mark.combinations(4, "program", "target")
@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_each_term_is_summed_over_its_own_variables(program: str, target: str) -> None:
    shapes = {"c": "i", "B": "ji", "b": "j", "d": "ik", "e": "k"}
    rng = np.random.default_rng(0)
    operands = {
        name: rng.integers(1, 5, [SIZES[v] for v in variables]).astype(float)
        for name, variables in shapes.items()
        if f"{name}(" in program
    }
    initial = {"y": np.ones(3)} if "+=" in program else {}
    formats = FORMATS if target == "interpreter" else FORMATS[:1]
    for layout in formats:
        known = {name: text for name, text in layout.items() if name in operands}
        kernel = hd.compile(program, known, target=target, options={"convert": "automatic"})
        want = evaluate(parse(program), operands) + initial.get("y", 0)
        np.testing.assert_allclose(kernel(**operands, **initial).to_numpy(), want, rtol=1e-12)


def test_terms_in_every_combination_of_four_variables() -> None:
    """Fifteen terms, no two of which are summed over the same variables."""
    combinations = [[v for n, v in enumerate("ijkl") if mask >> n & 1] for mask in range(1, 16)]
    names = [f"a{letter}" for letter in ascii_lowercase[:15]]
    terms = [f"{name}({','.join(used)})" for name, used in zip(names, combinations, strict=True)]
    program = "y = " + " + (".join(terms) + ")" * 14
    rng = np.random.default_rng(1)
    operands = {
        name: rng.integers(0, 9, [SIZES[v] for v in used]).astype(float)
        for name, used in zip(names, combinations, strict=True)
    }
    kernel = hd.compile(program, target="interpreter")
    assert kernel(**operands).to_numpy() == sum(operand.sum() for operand in operands.values())
