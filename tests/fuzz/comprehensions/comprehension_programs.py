"""Random tensor comprehensions with types: several statements and versions, sums, affine subscripts, gathers, guards,
claims, sparse operands, and commands that fuse statements and compute parts first, or those of the rules. Values are
whole numbers, so that results are exact."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import heddle as hd
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Statement
from heddle.iteration_graph.graph.provenance import assignments, loop_variables
from heddle.iteration_graph.graph.rewrite import chain_of
from heddle.iteration_graph.graph.sequence import in_order
from heddle.notation.nodes import operands_of
from heddle.notation.printer import to_text
from heddle.plan import Plan, TensorSpec
from heddle.schedule.apply import apply_command
from heddle.schedule.command import Refusal
from heddle.schedule.syntax.parser import parse_command
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.suggest import suggest

SIZES = {"M": "i", "N": "j", "K": "k"}
"""Each size with the index variable that mostly runs over it."""
SCALARS = ("a", "b")
FORMATS = {
    1: ("dense", "compressed"),
    2: (
        *("dense", "csr", "csc", "dcsr", "coo", "ell", "dia"),
        *("bcsr(2,2)", "bcsr(3,2)", "csb(2,3)", "sell(2)", "hyb(1,2)"),
    ),
    3: ("dense", "csf"),
}


_DrawCommand = Callable[[IterationGraph, random.Random, int], str | None]
"""A command for a graph; ``int`` makes its new names others than those of the commands before."""


@dataclass(frozen=True)
class ComprehensionProgram:
    """A text, operands by name, the formats of some, and a schedule; ``refused`` are the codes of commands that were
    drawn and refused."""

    text: str
    operands: dict[str, Any]
    formats: dict[str, str]
    schedule: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    def plan(self, target: str) -> Plan:
        return hd.lower(self.text, self.formats, self.schedule, target, language="comprehension").plan

    def __str__(self) -> str:
        shapes = {name: getattr(value, "shape", value) for name, value in self.operands.items()}
        return f"{self.text}\n{self.formats} {'; '.join(self.schedule)}\n{shapes}"


@dataclass
class _Draft:
    """A program while it is drawn: tensors that may be read, with the sizes that their dimensions began as."""

    rng: random.Random
    readable: dict[str, tuple[str, ...]] = field(default_factory=dict)
    indices: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    """Tensors of indices: their sizes, and the size of what they are indices of."""
    target: str = ""
    """What the statement assigns, which it may read at its own indices alone."""
    constants: random.Random | None = None
    """Draws numbers in the place of some subscripts and elements; None: none. The draws of ``rng`` stay what they
    are."""

    def subscript(self, size: str, used: list[str]) -> str:
        rng, variable = self.rng, SIZES[size]
        if self.constants is not None and self.constants.random() < 0.06:
            return self.constants.choice("001")
        used.append(variable)
        kind = rng.random()
        if kind < 0.72:
            return variable
        if kind < 0.8:
            return f"{variable} + 1"
        if kind < 0.84:
            return f"{variable} - 1"
        if kind < 0.88:
            return f"2*{variable}"
        if kind < 0.91:
            used.append("x")
            return f"{variable} + x"
        if kind < 0.93:
            return f"2 - {variable}"
        gathers = [name for name, (_, limit) in self.indices.items() if limit == size]
        if gathers:
            used.pop()
            name = rng.choice(gathers)
            inner = [SIZES[one] for one in self.indices[name][0]]
            used += inner
            return f"{name}({','.join(inner)})"
        return variable

    def read(self, used: list[str]) -> str:
        others = [name for name in self.readable if name != self.target or self.rng.random() < 0.05]
        name = self.rng.choice(others)
        subscripts = [self.subscript(size, used) for size in self.readable[name]]
        return f"{name}({','.join(subscripts)})" if subscripts else name

    def expression(self, used: list[str], depth: int = 0) -> str:
        rng, kind = self.rng, self.rng.random()
        if self.constants is not None and self.constants.random() < 0.08:
            return self.constants.choice((*SCALARS, "2", "0.5"))
        if depth > 1 or kind < 0.35:
            return self.read(used)
        left, right = self.expression(used, depth + 1), self.expression(used, depth + 1)
        if kind < 0.8:
            return f"{left} {rng.choice('+-**')} {right}" if depth == 0 else f"({left} {rng.choice('+-*')} {right})"
        if kind < 0.9:
            return f"{rng.choice(('fmaxf', 'fminf'))}({left}, {right})"
        variable = rng.choice(used) if used else "1"
        return f"({variable} {rng.choice(('<', '>=', '=='))} {rng.randint(0, 2)} ? {left} : {right})"

    def statement(self, target: str, order: int, seen: bool) -> tuple[str, tuple[str, ...]]:
        rng = self.rng
        self.target = target
        used: list[str] = []
        body = self.expression(used)
        variables = list(dict.fromkeys(used))
        if seen:
            variables = variables if len(variables) >= order else list(dict.fromkeys([*variables, *SIZES.values()]))
        kept = [v for v in variables if v != "x"]
        rng.shuffle(kept)
        free = kept[: order if seen else rng.randint(0 if rng.random() < 0.1 else 1, max(1, len(kept)))]
        reduced = [variable for variable in variables if variable not in free]
        if not reduced:
            operator = rng.choice(("=", "=", "+=", "+=!")) if seen else "="
        else:
            operator = rng.choice(("+=!", "+=!", "max=!", "min=!", *(("+=", "max=") if seen else ())))
        where = ""
        if rng.random() < 0.12 and free:
            where = f" where {free[0]} in 0:{rng.choice((1, 2, {v: s for s, v in SIZES.items()}[free[0]]))}"
        shown = f"({','.join(free)})" if free else ""
        sizes = {variable: size for size, variable in SIZES.items()}
        return f"{target}{shown} {operator} {body}{where}", tuple(sizes[variable] for variable in free)


def draw_comprehension_program(
    seed: int, scheduled: bool = True, constants: random.Random | None = None
) -> ComprehensionProgram:
    """The program of a seed; ``constants`` draws numbers and scalars for it."""
    rng = random.Random(seed)
    draft = _Draft(rng, constants=constants)
    parameters: list[tuple[str, str, tuple[str, ...]]] = []
    for number in range(rng.randint(1, 3)):
        sizes = tuple(rng.sample(list(SIZES), rng.choice((1, 1, 2, 2, 3))))
        kind = "int" if rng.random() < 0.15 else "float"
        parameters.append((f"A{number}", kind, sizes))
        draft.readable[f"A{number}"] = sizes
    if rng.random() < 0.3:
        sizes = tuple(rng.sample(list(SIZES), rng.choice((1, 2))))
        draft.indices["P"] = (sizes, rng.choice(list(SIZES)))
        parameters.append(("P", "int", sizes))
    statements: list[str] = []
    names: list[str] = []
    for number in range(rng.choice((1, 2, 2, 3, 3, 4))):
        again = bool(names) and rng.random() < 0.3
        target = rng.choice(names) if again else f"T{number}"
        text, sizes = draft.statement(target, len(draft.readable.get(target, ())), again)
        statements.append(text)
        draft.readable[target] = sizes
        if target not in names:
            names.append(target)
    results = [name for name in names if name == names[-1] or rng.random() < 0.3]
    if constants is not None:
        parameters += [(name, "float", ()) for name in SCALARS]
    types = ", ".join(_declared(*parameter) for parameter in parameters)
    text = f"def f({types}) -> ({', '.join(results)}) {{\n" + "\n".join(f"    {one}" for one in statements) + "\n}"
    extent = {size: rng.choice((0, 1, 2, 3, 4, 5, 7) if rng.random() < 0.3 else (2, 3, 4, 5)) for size in SIZES}
    values = np.random.default_rng(seed)
    operands: dict[str, Any] = {}
    for name, kind, sizes in parameters:
        shape = [extent[size] for size in sizes]
        if name in draft.indices:
            limit = max(1, extent[draft.indices[name][1]]) + (rng.random() < 0.1)
            operands[name] = values.integers(0, limit, shape).astype("int32")
        else:
            drawn = values.integers(-3, 4, shape) * (values.random(shape) < 0.6)
            operands[name] = drawn.astype("int32" if kind == "int" else "float32")
    formats = {
        name: rng.choice(FORMATS[len(sizes)])
        for name, _, sizes in parameters
        if sizes and name not in draft.indices and rng.random() < 0.35
    }
    program = ComprehensionProgram(text, operands, formats)
    return _with_schedule(program, rng) if scheduled else program


def _declared(name: str, kind: str, sizes: tuple[str, ...]) -> str:
    return f"{kind}({','.join(sizes)}) {name}" if sizes else f"{kind} {name}"


def _with_schedule(program: ComprehensionProgram, rng: random.Random) -> ComprehensionProgram:
    lowered = hd.lower(program.text, program.formats, language="comprehension")
    if not lowered.graphs or not lowered.ok:
        return program
    graph, schedule, refused = lowered.graphs[-1], list[str](), list[str]()

    def add(graph: IterationGraph, draw: _DrawCommand, number: int) -> IterationGraph:
        """One more command, of eight that are drawn."""
        for _ in range(8):
            text = draw(graph, rng, number)
            if text is None:
                break
            try:
                graph = apply_command(graph, parse_command(text, len(schedule)))
            except Refusal as refusal:
                refused.append(refusal.code)
                continue
            schedule.append(text)
            break
        return graph

    for number in range(rng.randint(0, 6)):
        graph = add(graph, _command, number)
    if rng.random() < 0.2:
        return replace(program, schedule=_rules_schedule(program, rng), refused=tuple(refused))
    for number in range(rng.choice((0, 0, 1, 2))):
        graph = add(graph, _later, number)
    return replace(program, schedule=tuple(schedule), refused=tuple(refused))


def _rules_schedule(program: ComprehensionProgram, rng: random.Random) -> tuple[str, ...]:
    """What the rules would choose for operands that are some times as large: with these, no tile would be full."""
    times = rng.choice((1, 8, 16))
    tensors = {
        name: TensorSpec(program.formats.get(name), shape=tuple(size * times for size in values.shape))
        for name, values in program.operands.items()
    }
    machine = Machine(rng.choice((1, 2)), 32, 16, 32 << 20, True, 1 << 20)
    return suggest(Plan(program.text, tensors, language="comprehension"), {}, machine).schedule


def _later(graph: IterationGraph, rng: random.Random, number: int) -> str | None:
    """A command behind those that fuse statements: a part computed first, or two loops made one."""
    path, one = rng.choice(assignments(graph.statement))
    if not path:
        return None
    if rng.random() < 0.3:
        chain = chain_of(graph.statement, rng.choice(path))
        first = rng.randrange(len(chain))
        return f"fuse({chain[first]}, {chain[first + 1]}, f{number})" if first + 1 < len(chain) else None
    parts = [one.expression]
    while operands_of(parts[-1]) and rng.random() < 0.5:
        parts.append(rng.choice(operands_of(parts[-1])))
    over = rng.sample(path, rng.randint(1, min(2, len(path))))
    copies = ", ".join(f"{loop}q{number}" for loop in over)
    return f"precompute({to_text(parts[-1])}, {{{', '.join(over)}}}, {{{copies}}}, E{number})"


def _command(graph: IterationGraph, rng: random.Random, number: int) -> str | None:
    loops = loop_variables(graph.statement)
    if not loops:
        return None
    loop = rng.choice(loops)
    match rng.choice(("together",) * 5 + ("inline",) * 2 + ("apart", "split", "reorder", "parallelize")):
        case "together":
            pairs = _siblings(graph.statement)
            return "together({}, {})".format(*rng.choice(pairs)) if pairs else None
        case "inline":
            names = [name for name in graph.signature.temporaries if name in graph.workspaces]
            return f"inline({rng.choice(names)})" if names else None
        case "apart":
            return f"apart({loop})"
        case "split":
            return f"split({loop}, u{number}, v{number}, {rng.choice((2, 3))})"
        case "reorder":
            chain = chain_of(graph.statement, loop)
            return f"reorder({', '.join(rng.sample(chain, len(chain)))})"
        case _:
            return f"parallelize({loop}, {rng.choice(('CPUThread', 'CPUVector'))}, NoRaces)"


def _siblings(statement: Statement) -> list[tuple[str, str]]:
    """Pairs of loops in one sequence."""
    parts = [part for part in in_order(statement) if isinstance(part, Forall)]
    pairs = [(a.variable, b.variable) for n, a in enumerate(parts) for b in parts[n + 1 :]]
    return pairs + [pair for part in parts for pair in _siblings(part.body)]
