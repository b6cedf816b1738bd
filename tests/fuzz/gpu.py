"""Random GPU schedules: a random program whose loops get GPU units, from the outermost inwards."""

from __future__ import annotations

import random
from dataclasses import replace

from compiler.diagnostics import CompileError
from compiler.iteration_graph.graph.provenance import loops
from compiler.notation.parser import parse
from compiler.pipeline import lower
from compiler.schedule.apply import apply
from compiler.schedule.parser import parse_command
from tests.fuzz.schedules import Program, draw_program

RACES = ("NoRaces", "IgnoreRaces", "IgnoreRaces", "Atomics", "Atomics", "ParallelReduction", "Temporary")
UNITS = (("GPUBlock",), ("GPUBlock", "GPUThread"), ("GPUBlock", "GPUThread"), ("GPUBlock", "GPUWarp", "GPUThread"))


def draw_gpu_program(seed: int) -> Program:
    """A program whose commands were all accepted; its result is dense, except for one in eight."""
    rng, drawn = random.Random(seed), draw_program(seed)
    result = parse(drawn.expression).target.tensor
    if rng.random() < 0.875:
        drawn = replace(drawn, formats={name: f for name, f in drawn.formats.items() if name != result})
    cpu = ("parallelize", "assemble", "mergeby")
    wanted = [command for command in drawn.schedule if not command.startswith(cpu)]
    program = replace(drawn, schedule=())
    started = lower(program.plan("interpreter"))
    if not started.ok or started.graph is None:
        return program
    graph, schedule = started.graph, list[str]()

    def take(text: str) -> None:
        nonlocal graph
        try:
            graph = apply(graph, parse_command(text, len(schedule), (*schedule, text)), (*schedule, text))
            schedule.append(text)
        except CompileError:
            pass

    for text in wanted:
        take(text)
    for path in loops(graph.statement):
        units = rng.choice(UNITS)
        places = sorted(rng.sample(range(1, len(path)), min(len(path) - 1, len(units) - 1))) if path else []
        for unit, place in zip(units, [0, *places], strict=False):
            if path and path[place] not in graph.parallel:
                take(f"parallelize({path[place]}, {unit}, {rng.choice(RACES)})")
    return replace(program, schedule=tuple(schedule))
