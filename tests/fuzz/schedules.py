"""Draws random programs: expression, formats and a schedule of commands that mostly fit the current loops."""

from __future__ import annotations

import random
from dataclasses import dataclass

from compiler.diagnostics import CompileError
from compiler.iteration_graph.nodes import IterationGraph
from compiler.iteration_graph.provenance import is_position, loop_variables, variables
from compiler.notation.nodes import accesses
from compiler.notation.parser import parse
from compiler.pipeline import lower
from compiler.plan import plan_from_arguments
from compiler.schedule.apply import apply
from compiler.schedule.parser import parse_command

EXPRESSIONS = (
    "y(i) = A(i,j) * x(j)",
    "y(i) = A(j,i) * x(j)",
    "y(i) = A(i,j) * x(j) + b(i)",
    "y(i) = b(i) - A(i,j) * x(j)",
    "C(i,j) = A(i,j) + B(i,j)",
    "C(i,j) = A(i,j) - B(i,j) + D(i,j)",
    "C(i,j) = A(i,j) * B(i,j)",
    "C(i,k) = A(i,j) * B(j,k)",
    "A(i,k) = B(i,k) * C(i,j) * D(j,k)",
    "y(i,j) = B(i,j,k) * c(k)",
    "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
    "a(i) = b(i) * c(i) + d(i)",
    "a(i) = (b(i) + c(i)) * d(i)",
    "s = b(i) * c(i)",
    "s = A(i,j) * B(i,j)",
    "C(i,j) = a(i) * b(j)",
    "y(i) = 2 * A(i,j) * x(j) + 0.5 * z(i)",
    "y(i) = (A(i,j) + B(i,j)) * x(j)",
    "C(i,j,k) = A(i,j,k) + B(i,j,k)",
    "C(i,j) = A(i,j) * b(i) + B(i,j)",
    "y(i) = A(i,i) * x(i)",
    "y(i) = T(i,j,i) * x(j)",
)
SIZES = (1, 2, 3, 4, 5, 7, 8, 16)
UNITS = ("CPUThread", "CPUThread", "CPUVector")
RACES = ("NoRaces", "NoRaces", "Atomics", "Atomics", "IgnoreRaces", "ParallelReduction", "Temporary")


@dataclass(frozen=True)
class Program:
    expression: str
    formats: dict[str, str]
    schedule: tuple[str, ...]
    refused: tuple[str, ...]
    """Codes of the commands that were tried and refused on the way."""


def draw_formats(rng: random.Random, expression: str) -> dict[str, str]:
    """Dense or compressed levels in any order of the dimensions; the result dense."""
    assignment = parse(expression)
    formats: dict[str, str] = {}
    for access in accesses(assignment.expression):
        order = len(access.indices)
        if order == 0:
            continue
        levels = ", ".join(rng.choice(("dense", "compressed", "compressed")) for _ in range(order))
        dimensions = list(range(order))
        if rng.random() < 0.3:
            rng.shuffle(dimensions)
        formats[access.tensor] = f"{levels} : {','.join(map(str, dimensions))}"
    return formats


def draw_command(rng: random.Random, graph: IterationGraph, number: int) -> str:
    loops = loop_variables(graph.statement)
    tensors = [t.name for t in graph.signature.operands if t.order]
    known = variables(graph)
    fresh = [name for name in (f"v{number}", f"w{number}") if name not in known]
    pick = rng.choice(loops) if loops else "i"
    match rng.choice(
        (
            "split",
            "split",
            "divide",
            "bound",
            "fuse",
            "reorder",
            "reorder",
            "pos",
            "pos",
            "coord",
            "mergeby",
            "parallelize",
            "unroll",
        )
    ):
        case "split":
            return f"split({pick}, {fresh[0]}, {fresh[1]}, {rng.choice(SIZES)})"
        case "divide":
            return f"divide({pick}, {fresh[0]}, {fresh[1]}, {rng.choice(SIZES)})"
        case "bound":
            claim = rng.choice(("MinExact", "MinConstraint", "MaxConstraint", "MaxConstraint"))
            return f"bound({pick}, {fresh[0]}, {0 if claim.startswith('Min') else 32}, {claim})"
        case "fuse":
            at = rng.randrange(max(1, len(loops) - 1))
            pair = [*loops[at : at + 2], pick][:2] if rng.random() < 0.9 else [pick, rng.choice(loops or ["i"])]
            return f"fuse({pair[0]}, {pair[-1]}, {fresh[0]})"
        case "reorder":
            some = rng.sample(loops, rng.randint(min(1, len(loops)), len(loops))) if loops else ["i"]
            return f"reorder({', '.join(some)})"
        case "pos":
            return f"pos({pick}, {fresh[0]}, {rng.choice(tensors)})"
        case "coord":
            positions = [loop for loop in loops if is_position(graph, loop)]
            return f"coord({rng.choice(positions or [pick])}, {fresh[0]})"
        case "mergeby":
            return f"mergeby({pick}, {rng.choice(('TwoFinger', 'Gallop', 'Gallop'))})"
        case "parallelize":
            return f"parallelize({pick}, {rng.choice(UNITS)}, {rng.choice(RACES)})"
        case _:
            return f"unroll({pick}, {rng.choice((2, 4))})"


def draw_program(seed: int) -> Program:
    """A program whose commands were all accepted; refused ones are dropped and counted."""
    rng = random.Random(seed)
    expression = rng.choice(EXPRESSIONS)
    formats = draw_formats(rng, expression)
    result = lower(plan_from_arguments(expression, formats))
    if not result.ok:
        return Program(expression, formats, (), tuple(d.code for d in result.diagnostics))
    graph = result.graph
    assert graph is not None
    schedule: list[str] = []
    refused: list[str] = []
    for number in range(rng.randint(0, 8)):
        text = draw_command(rng, graph, number)
        try:
            graph = apply(graph, parse_command(text, len(schedule)), (*schedule, text))
            schedule.append(text)
        except CompileError as error:
            refused += [d.code for d in error.diagnostics]
    return Program(expression, formats, tuple(schedule), tuple(refused))
