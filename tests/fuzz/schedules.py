"""Draws random programs: expression, formats and a schedule of commands that mostly fit the current loops."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from heddle.diagnostics import CompileError
from heddle.notation.nodes import operand_accesses
from heddle.notation.parser import parse
from heddle.pipeline import lower
from heddle.plan import VERSION, VERSIONS, Plan, plan_from_arguments
from heddle.schedule.apply import apply
from heddle.schedule.syntax.parser import parse_command
from tests.fuzz.commands import draw_command
from tests.fuzz.formats import draw_fills, draw_formats

EXPRESSIONS = (
    "y(i) = A(i,j) * x(j)",
    "y(i) = A(j,i) * x(j)",
    "y(i) = A(i,j) * x(j) + b(i)",
    "y(i) = b(i) - A(i,j) * x(j)",
    "y(i) += A(i,j) * x(j)",
    "C(i,j) = A(i,j) + B(i,j)",
    "C(i,j) = A(i,j) - B(i,j) + D(i,j)",
    "C(i,j) = A(i,j) * B(i,j)",
    "C(i,k) = A(i,j) * B(j,k)",
    "C(i,k) = A(i,j) * B(j,k)",
    "C(i,l) = A(i,j) * B(j,k) * D(k,l)",
    "A(i,k) = B(i,k) * C(i,j) * D(j,k)",
    "y(i,j) = B(i,j,k) * c(k)",
    "A(i,j,l) = B(i,j,k) * C(k,l)",
    "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
    "a(i) = b(i) * c(i) + d(i)",
    "a(i) = (b(i) + c(i)) * d(i)",
    "s = b(i) * c(i)",
    "s = A(i,j) * B(i,j)",
    "C(i,j) = a(i) * b(j)",
    "C(i,j) = A(j,i)",
    "C(i,j) = 2 * A(i,j)",
    "C(j,i,k) = A(i,j,k)",
    "y(i) = 2 * A(i,j) * x(j) + 0.5 * z(i)",
    "y(i) = (A(i,j) + B(i,j)) * x(j)",
    "C(i,j,k) = A(i,j,k) + B(i,j,k)",
    "C(i,j) = A(i,j) * b(i) + B(i,j)",
    "y(i) = A(i,i) * x(i)",
    "y(i) = T(i,j,i) * x(j)",
    "y(i) = max(j, A(i,j) * x(j))",
    "y(i) = min(j, A(i,j) + x(j))",
    "y(i) max= A(i,j)",
    "C(i,j) = max(A(i,j), B(i,j))",
    "C(i,j) = min(A(i,j), B(i,j)) - B(i,j)",
    "C(i,j) = abs(A(i,j)) * B(i,j)",
    "C(i,j) = relu(A(i,j) + B(i,j))",
    "y(i) = sum(j, A(i,j)) * x(i)",
    "C(i,j) = A(i,j) > B(i,j)",
    "D(i,j,k,l) = A(i,j,k,l) * B(k,l)",
    "t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)",
    "t(k,j) = B(k,l) * C(l,j); D(i,j) = A(i,k) * t(k,j)",
    "t(i) = A(j,i) * x(j); s = t(i); y(i) = s * t(i)",
    "t(i,j) = A(i,j) + B(j,i); y(i) = t(i,j) * x(j) + t(j,i)",
    "t(i) = A(i,i); u(j) = t(i) * B(i,j); y(i) = u(i) + b(i)",
)
MOST_COMMANDS = 8


@dataclass(frozen=True)
class Program:
    expression: str
    formats: dict[str, str]
    schedule: tuple[str, ...]
    refused: tuple[str, ...]
    """Codes of the commands that were tried and refused on the way."""
    fills: dict[str, float] = field(default_factory=dict)
    dtype: str = "float64"
    """Of all operands."""
    version: int = VERSION
    """Of the plan: which order of loops the schedule starts from."""

    def plan(self, target: str = "c") -> Plan:
        dtypes = dict.fromkeys(self.operands(), self.dtype) if self.dtype != "float64" else {}
        plan = plan_from_arguments(
            self.expression, self.formats, self.schedule, target, dtypes=dtypes, fills=self.fills or None
        )
        return replace(plan, version=self.version)

    def operands(self) -> set[str]:
        return {access.tensor for access in operand_accesses(parse(self.expression))}


def draw_program(seed: int) -> Program:
    """A program whose commands were all accepted; refused ones are dropped and counted."""
    rng = random.Random(seed)
    expression = rng.choice(EXPRESSIONS)
    formats = draw_formats(rng, expression)
    fills = draw_fills(rng, expression, formats)
    dtype = rng.choice((*["float64"] * 8, "float32", "int32"))
    if dtype == "int32" and float("inf") in fills.values():
        dtype = "float64"
    version = random.Random(f"version of {seed}").choice(VERSIONS)  # Its own draw: the others stay what they were.
    return scheduled(rng, Program(expression, formats, (), (), fills, dtype, version))


def scheduled(rng: random.Random, bare: Program) -> Program:
    """The program with commands that were all accepted."""
    result = lower(bare.plan())
    if not result.graphs:
        return replace(bare, refused=tuple(d.code for d in result.diagnostics))
    graph = result.graphs[-1]
    schedule: list[str] = []
    refused: list[str] = []
    for number in range(rng.randint(0, MOST_COMMANDS)):
        text = draw_command(rng, graph, number)
        try:
            graph = apply(graph, parse_command(text, len(schedule)), (*schedule, text))
            schedule.append(text)
        except CompileError as error:
            refused += [d.code for d in error.diagnostics]
    return _repaired(rng, replace(bare, schedule=tuple(schedule), refused=tuple(refused)))


def _repaired(rng: random.Random, drawn: Program) -> Program:
    """A schedule that its sparse result cannot have is mostly followed as the refusal proposes it."""
    try:
        found = lower(drawn.plan()).diagnostics
    except Exception:  # it is raised again when the program is checked, which then tells what was drawn
        return drawn
    proposals = [fix.schedule for one in found for fix in one.fixes if fix.schedule is not None]
    if not proposals or rng.random() < 0.2:
        return drawn
    codes = tuple(one.code for one in found)
    return replace(drawn, schedule=tuple(proposals[0]), refused=(*drawn.refused, *codes))
