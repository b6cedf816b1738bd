"""Draws programs as people write them: the expressions of the other fuzzers with scalars and numbers, one statement
after the other, and a schedule for them."""

from __future__ import annotations

import random

from heddle.notation.nodes import index_variables
from heddle.notation.parser import parse
from tests.fuzz.formats import draw_formats
from tests.fuzz.schedules import EXPRESSIONS, Program, scheduled

SCALARS = ("alpha", "beta")
ATOMS = (*SCALARS, "2", "0.5", "alpha * beta")
NO_TERMS = (" > ", "max=")
"""A statement with one of these is left as it is: it is not a sum of terms."""


def draw_scalar_expression(rng: random.Random) -> str:
    """An expression with scalars and numbers in some of its statements."""
    return "; ".join(_with_scalars(rng, statement.strip()) for statement in rng.choice(EXPRESSIONS).split(";"))


def draw_scalar_program(seed: int) -> Program:
    """The program of a seed; a quarter has no schedule, so that it is listed from the start."""
    rng = random.Random(f"scalars of {seed}")
    expression = draw_scalar_expression(rng)
    if rng.random() < 0.3:
        expression = _with_another_statement(rng, expression)
    bare = Program(expression, draw_formats(rng, expression), (), ())
    return bare if rng.random() < 0.25 else scheduled(rng, bare)


def _with_scalars(rng: random.Random, statement: str) -> str:
    target, operator, value = statement.partition(" = ")
    if not operator or any(word in statement for word in NO_TERMS):
        return statement
    atom = rng.choice(ATOMS)
    forms = (
        f"{atom} * ({value})",
        f"{value} * {atom}",
        f"{value} + {atom}",
        f"({value}) / {rng.choice(SCALARS)}",
        f"{value} - {atom} * ({value})",
        f"max({value}, {atom})",
        f"{value}",
    )
    return f"{target} = {rng.choice(forms)}"


def _with_another_statement(rng: random.Random, expression: str) -> str:
    """The same, of which another statement reads the result once more, beside a vector and a scalar."""
    target = parse(expression).target
    if not target.indices or len(set(target.indices)) < len(target.indices):
        return expression
    first = target.indices[0]
    written = f"{target.tensor}({','.join(target.indices)})"
    kept = rng.choice(((first,), target.indices))
    assert set(kept) <= {*index_variables(parse(expression))}
    return f"{expression}; out({','.join(kept)}) = {rng.choice(ATOMS)} * {written} + vec({first})"
