"""Random GPU schedules: a random program whose loops get GPU units, from the outermost inwards."""

from __future__ import annotations

import random
from dataclasses import replace

from heddle.diagnostics import CompileError
from heddle.iteration_graph.graph.provenance import loops
from heddle.notation.parser import parse
from heddle.pipeline import lower
from heddle.schedule.apply import apply
from heddle.schedule.syntax.parser import parse_command
from tests.fuzz.schedules import Program, draw_program

RACES = ("NoRaces", "IgnoreRaces", "IgnoreRaces", "Atomics", "Atomics", "ParallelReduction", "Temporary")
UNITS = (("GPUBlock",), ("GPUBlock", "GPUThread"), ("GPUBlock", "GPUThread"), ("GPUBlock", "GPUWarp", "GPUThread"))


def draw_gpu_program(seed: int) -> Program:
    """A program whose commands were all accepted; its result is dense, except for one in eight."""
    return in_gpu_units(random.Random(seed), draw_program(seed))


def in_gpu_units(rng: random.Random, drawn: Program, *, insisting: bool = False) -> Program:
    """``drawn`` without what only processors do, and with GPU units for its loops. ``insisting``: with workspaces in
    few programs, and for each loop whatever strategy is accepted."""
    result = parse(drawn.expression).target.tensor
    if rng.random() < 0.875:
        drawn = replace(drawn, formats={name: f for name, f in drawn.formats.items() if name != result})
    cpu = ("parallelize", "assemble", "mergeby", *(("precompute",) if insisting and rng.random() < 0.9 else ()))
    wanted = [command for command in drawn.schedule if not command.rpartition(": ")[2].startswith(cpu)]
    program = replace(drawn, schedule=())
    started = lower(program.plan("interpreter"))
    if not started.ok or started.graph is None:
        return program
    graph, schedule = started.graph, list[str]()

    def take(text: str) -> bool:
        nonlocal graph
        try:
            graph = apply(graph, parse_command(text, len(schedule), (*schedule, text)), (*schedule, text))
            schedule.append(text)
        except CompileError:
            return False
        return True

    for text in wanted:
        take(text)
    for path in loops(graph.statement):
        units = rng.choice(UNITS)
        places = sorted(rng.sample(range(1, len(path)), min(len(path) - 1, len(units) - 1))) if path else []
        for unit, place in zip(units, [0, *places], strict=False):
            if path and path[place] not in graph.parallel:
                races = rng.sample(RACES, len(RACES)) if insisting else [rng.choice(RACES)]
                any(take(f"parallelize({path[place]}, {unit}, {race})") for race in races)
    return replace(program, schedule=tuple(schedule))
