"""Products among the statements of a program: tiles in registers for those that are large enough."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hd
from compiler.plan import Plan, TensorSpec
from compiler.tuning.facts.machine import Machine
from compiler.tuning.search.suggest import Suggestion, suggest
from tests.compiler.comprehensions.programs import CASES

MACHINE = Machine(2, 32, 16, 32 << 20, True, 1 << 20)
ATTENTION = (
    "def attention(float(B,K) Q, float(N,K) X, float(N,D) V) -> (O) { S(b,n) +=! Q(b,k) * X(n,k)  m(b) max=! S(b,n)  "
    "s(b) +=! exp(S(b,n) - m(b))  P(b,n) = exp(S(b,n) - m(b)) / s(b)  O(b,d) +=! P(b,n) * V(n,d) }"
)


def suggested(text: str, machine: Machine = MACHINE, **shapes: tuple[int, ...]) -> Suggestion:
    plan = Plan(text, {name: TensorSpec(shape=shape) for name, shape in shapes.items()}, language="comprehension")
    return suggest(plan, {}, machine)


def test_each_layer_of_a_network_is_in_tiles() -> None:
    """They were dot products, at half the speed: the rule for tiles saw kernels of one statement alone."""
    shapes = {"I": (128, 128), "W2": (128, 128), "W3": (64, 128), "W4": (32, 64), "B2": (128,), "B3": (64,)}
    found = suggested(CASES["mlp3"].text, **shapes, B4=(32,))
    assert found.rule == "statements"
    assert found.schedule[:6] == tuple(f"inline({name})" for name in ("O2_1", "O2_2", "O3_1", "O3_2", "O4_1", "O4_2"))
    assert "precompute(I(b3,n) * W2(o3,n), {b3, o3}, {b3w, o3w}, S)" in found.schedule
    assert [one for one in found.schedule if "CPUThread" in one] == [
        f"parallelize({loop}0, CPUThread, NoRaces)" for loop in ("o3w", "p3w", "q3w")
    ]
    assert found.reasons[0] == "6 rows times 16 columns of S stay in registers across the sum over n."


def test_small_products_stay_in_their_rows() -> None:
    shapes = {"I": (4, 8), "W2": (8, 8), "W3": (4, 8), "W4": (3, 4), "B2": (8,), "B3": (4,), "B4": (3,)}
    found = suggested(CASES["mlp3"].text, **shapes)
    assert found.schedule[0] == "together(b, b2)"
    assert not any(command.startswith("split") for command in found.schedule)


@pytest.mark.parametrize("machine", [MACHINE, Machine(1, 32, 16, 32 << 20, True, 1 << 20)])
def test_attention_is_two_products_and_rows_between_them(machine: Machine) -> None:
    shapes = {"Q": (40, 16), "X": (48, 16), "V": (48, 32)}
    found = suggested(ATTENTION, machine, **shapes)
    assert {"split(n, n0, n1, 16)", "split(d, d0, d1, 16)", "together(b2, b3)", "together(b2, b4)"} <= {*found.schedule}
    assert "inline(P)" not in found.schedule  # exponentials would be taken again for each column
    assert any(command.startswith("precompute(exp(") for command in found.schedule)
    kernel = hd.compile(ATTENTION, language="comprehension", schedule="; ".join(found.schedule))
    random = np.random.default_rng(3)
    given = {name: random.standard_normal(shape).astype("float32") for name, shape in shapes.items()}
    scores = np.exp(given["Q"] @ given["X"].T)
    expected = scores / scores.sum(1, keepdims=True) @ given["V"]
    np.testing.assert_allclose(kernel(**given).to_numpy(), expected, rtol=1e-4, atol=1e-4)


def test_a_pruned_layer_is_no_dense_product() -> None:
    text = "def two(float(B,N) I, float(O,N) W) -> (R) { T(b,o) +=! I(b,n) * W(o,n)  R(b,o) = fmaxf(T(b,o), 0) }"
    tensors = {"I": TensorSpec(shape=(128, 128)), "W": TensorSpec("csr", shape=(128, 128))}
    found = suggest(Plan(text, tensors, language="comprehension"), {}, MACHINE)
    assert not any(command.startswith("split") for command in found.schedule)
