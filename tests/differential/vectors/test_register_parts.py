"""Vectors that fill more registers than a machine has are computed in parts there: right on every machine."""

from __future__ import annotations

import platform
from functools import partial

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.interpreter import interpreter
from heddle.loop_ir.nodes.expressions import AVX2, AVX512, VectorUnit
from heddle.runtime.native import cache
from tests.compiler.codegen.built_kernels import kernels_in
from tests.compiler.codegen.native import build
from tests.differential.formats.test_slots import LANES
from tests.differential.vectors.test_register_blocks import schedule as register_blocks
from tests.differential.vectors.test_register_tiles import tiled

SPMM = "C(i,k) = A(i,j) * B(j,k)"
SPMV = "y(i) = A(i,j) * x(j)"
MTTKRP = "A(i,r) = B(i,k,l) * C(k,r) * D(l,r)"
NESTED = (
    "bound(r, r1, 64, MaxExact)",
    "reorder(i, k, l, r1)",
    "precompute(B(i,k,l) * C(k,r) * D(l,r), r1, r2, w)",
    "precompute(B(i,k,l) * D(l,rw), r2, r3, v)",
    *(f"parallelize({lanes}, CPUVector, NoRaces)" for lanes in ("r3", "r2", "r1")),
)
PROGRAMS = {
    "tiles": (SPMM, {"A": "csr"}, tiled(64), (13, 11, 130)),
    "rows of a block": (SPMM, {"A": "bcsr(4)"}, "\n".join(register_blocks(4, columns=24)), (13, 11, 50)),
    "diagonals": (SPMV, {"A": "dia(64)"}, "\n".join(LANES), (150, 11, 1)),
    "nested": (MTTKRP, {"B": "csf"}, "\n".join(NESTED), (5, 6, 64)),
}


def operands(expression: str, sizes: tuple[int, int, int]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    rng, (first, second, columns) = np.random.default_rng(4), sizes
    if expression == SPMM:
        a = rng.integers(-3, 4, (first, second)) * (rng.random((first, second)) < 0.5) * 1.0
        b = rng.integers(-3, 4, (second, columns)) * 1.0
        return {"A": a, "B": b}, a @ b
    if expression == SPMV:
        band, x = np.tri(first, second, 1) * rng.integers(1, 4, (first, second)), np.arange(second) * 1.0
        return {"A": band, "x": x}, band @ x
    b = rng.integers(-3, 4, (4, first, second)) * (rng.random((4, first, second)) < 0.5) * 1.0
    c, d = (rng.integers(-3, 4, (size, columns)) * 1.0 for size in (first, second))
    return {"B": b, "C": c, "D": d}, np.einsum("ikl,kr,lr->ir", b, c, d)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("unit", [AVX512, AVX2, VectorUnit(masks=False, held_bytes=128)])
def test_the_interpreter_computes_the_same_with_many_registers_and_with_few(
    program: str, unit: VectorUnit, monkeypatch: pytest.MonkeyPatch
) -> None:
    expression, formats, schedule, sizes = PROGRAMS[program]
    given, expected = operands(expression, sizes)
    kernel = hd.compile(expression, formats, schedule, "interpreter")
    assert kernel.result.flat is not None
    assert "if registers_hold(" in kernel.result.flat.text
    monkeypatch.setattr(interpreter, "interpret", partial(interpreter.interpret, vectors=unit, step_limit=10**7))
    np.testing.assert_array_equal(kernel(**given).to_numpy(), expected)


@pytest.mark.combinations(4, "flag", "program")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("flag", [None, "-mno-avx512f"])
def test_c_computes_the_same_with_many_registers_and_with_few(
    program: str, flag: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if flag is not None and platform.machine() != "x86_64":
        pytest.skip("AVX-512 is left out on x86-64 alone")
    expression, formats, schedule, sizes = PROGRAMS[program]
    given, expected = operands(expression, sizes)
    kernel = hd.compile(expression, formats, schedule)
    if flag is not None:
        monkeypatch.setattr(cache, "shared_library", kernels_in(build(kernel.source, flag)))
    np.testing.assert_array_equal(kernel(**given).to_numpy(), expected)


@pytest.mark.parametrize(("columns", "parts"), [(32, None), (64, 2), (128, 4)])
def test_vectors_come_in_as_many_parts_as_the_registers_of_avx2_ask_for(columns: int, parts: int | None) -> None:
    flat = hd.lower(SPMM, {"A": "csr"}, tiled(columns)).flat
    assert flat is not None
    assert ("registers_hold" in flat.text) is (parts is not None)
    assert parts is None or f"for part in [0, {parts}):" in flat.text


def test_a_sum_of_lanes_is_not_cut() -> None:
    """What is added up to a scalar would be added again with each part."""
    flat = hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}, "parallelize(j, CPUVector, ParallelReduction)").flat
    assert flat is not None
    assert "registers_hold" not in flat.text
