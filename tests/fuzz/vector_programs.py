"""Programs whose loops compute with vectors: commands that single draws hardly ever come to together."""

from __future__ import annotations

import random

from heddle.diagnostics import CompileError
from heddle.notation.parser import parse
from heddle.notation.printer import to_text
from heddle.pipeline import lower
from heddle.schedule.apply import apply
from heddle.schedule.syntax.parser import parse_command
from tests.fuzz.commands import draw_command
from tests.fuzz.schedules import Program

SIZES = (2, 4, 6, 8, 16, 32)
MORE_COMMANDS = 2
SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
TILED = (
    (SPMM, "k", ("csr", "dcsr", "coo", "ell", "sell(8)", "bcsr(2)", "bcsr(4)", "dia(4)")),
    ("C(i,k) = A(i,j) * (B(j,k) + x(k))", "k", ("csr", "dcsr")),
    ("C(i,k) = B(i,k) - A(i,j) * B(j,k) / 2", "k", ("csr",)),
    ("C(i,k) = A(i,j,l) * B(j,k) * D(l,k)", "k", ("csf", "coo")),
    ("C(i,k) = x(i) * B(i,k)", "k", ("dense",)),
)
IN_SLOTS = ("sell(8)", "sell(4)", "sell(16)", "dia(8)", "dia(2)", "sell-runs(8)", "sell-runs(4)", "bcsr(8)", "bcsr(2)")


def draw_vector_program(seed: int) -> Program:
    """A tile in registers, rows in lanes, or a sum in lanes, then commands of any kind; those refused are dropped."""
    rng = random.Random(f"vectors {seed}")
    match rng.choice(("tile", "tile", "rows", "sum")):
        case "tile":
            expression, variable, formats = rng.choice(TILED)
            wished = _tile(rng, to_text(parse(expression).expression), variable)
        case "rows":
            expression, formats = SPMV, IN_SLOTS
            wished = _lanes("precompute(A(i,j) * x(j), i_inner, iw, w)", "iw", "i_inner")
        case _:
            expression, formats = (
                rng.choice((SPMV, "y(i) = A(i,j) * x(j) * z(j)", "y(i) = 2 * A(i,j) * x(j)")),
                ("csr", "dcsr"),
            )
            wished = ["parallelize(j, CPUVector, ParallelReduction)"]
    given = {"A": rng.choice(formats)} if "A(" in expression else {}
    bare = Program(expression, given, (), (), {}, rng.choice(("float64", "float64", "float32", "int32")))
    graph = lower(bare.plan()).graphs[-1]
    schedule: list[str] = []
    refused: list[str] = []
    for number in range(len(wished) + rng.randint(0, MORE_COMMANDS)):
        text = wished[number] if number < len(wished) else draw_command(rng, graph, number)
        try:
            graph = apply(graph, parse_command(text, len(schedule)), (*schedule, text))
            schedule.append(text)
        except CompileError as error:
            refused += [one.code for one in error.diagnostics]
    return Program(bare.expression, bare.formats, tuple(schedule), tuple(refused), {}, bare.dtype)


def _tile(rng: random.Random, value: str, variable: str) -> list[str]:
    size = rng.choice(SIZES)
    made = [f"split({variable}, t0, t1, {size})"]
    if rng.random() < 0.7:
        made.append(f"reorder(i, t0, {'j, ' if '(i,j' in value else ''}{'l, ' if ',l)' in value else ''}t1)")
    return [*made, *_lanes(f"precompute({value}, t1, tw, w)", "tw", "t1")]


def _lanes(precompute: str, *variables: str) -> list[str]:
    return [precompute, *(f"parallelize({one}, CPUVector, NoRaces)" for one in variables)]
