"""Loops as code is made of them: the same rewriting for indices of 32 and of 64 bits."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.codegen.c import printer as c
from heddle.lowering.optimized import lower_optimized

SPMV = "y(i) = A(i,j) * x(j)"


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("prefetch(x(j), 16)", "__builtin_prefetch(&x_vals["),
        ("unroll(j, 4)", "y_sum += y_sum_1"),
    ],
)
def test_indices_of_64_bits_keep_what_a_command_asks_for(schedule: str, expected: str) -> None:
    result = hd.lower(SPMV, {"A": "csr"}, schedule)
    assert result.source is not None
    assert result.lowered_graph is not None
    assert expected in result.source.text
    wide = c.generate(lower_optimized(result.lowered_graph, wide=frozenset({"A"}), gpu=False)).text
    assert "const int64_t* restrict A2_crd" in wide
    assert expected in wide
