"""Draws programs over an operand that is a sum of parts: its composition, and a schedule over the parts."""

from __future__ import annotations

import random

from tests.fuzz.schedules import Program, scheduled

EXPRESSIONS = (
    "y(i) = A(i,j) * x(j)",
    "y(i) = A(i,j) * x(j)",
    "C(i,k) = A(i,j) * B(j,k)",
    "C(i,k) = A(i,j) * B(j,k)",
    "C(i,k) = 2 * A(i,j) * B(j,k) + D(i,k)",
    "y(i) += A(i,j) * x(j)",
    "y(j) = A(i,j) * x(i)",
    "y(i) = A(i,j) * A(i,j)",
    "s = A(i,j)",
    "C(i,j) = 2 * A(i,j)",
    "y(i) = max(j, abs(A(i,j)))",
)
LAYOUTS = ("csr", "dcsr", "coo", "csc", "pieces(2)", "pieces(3)", "bcsr(2,2)", "dbsr(2,3)", "dia")
TESTS = (
    *("length <= 2", "length <= 3", "length > 3", "length in 2..4", "row < 3", "row != 2", "column < 4", "slot < 2"),
    *("tile(2,2) >= 3", "diagonal in -1..1", "depth >= 40", "count(0) < 3", "count(1) >= 2", "piece(2,3) == 2"),
    "along(1) > 2",
)
MACROS = ("hyb(1,1)", "hyb(1,2)", "hyb(3,1)", "hyb(1,1,whole)", "hyb(1,2,whole)", "hyb(2,1,3)", "hyb(1,1,2,whole)")


def draw_composition(rng: random.Random) -> str:
    """A macro, or up to three parts of which the last one takes what is left."""
    if rng.random() < 0.4:
        return rng.choice(MACROS)
    parts = [
        f"{rng.choice(LAYOUTS)} where {' and '.join(rng.sample(TESTS, rng.choice((1, 1, 2))))}"
        for _ in range(rng.choice((1, 1, 2)))
    ]
    return " + ".join([*parts, rng.choice(LAYOUTS)])


def draw_part_program(seed: int) -> Program:
    """A program of parts whose commands were all accepted."""
    rng = random.Random(f"parts of {seed}")
    return scheduled(rng, Program(rng.choice(EXPRESSIONS), {"A": draw_composition(rng)}, (), ()))
