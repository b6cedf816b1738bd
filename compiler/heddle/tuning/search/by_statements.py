"""A schedule for programs of a language whose loops no other rule knows: the statements of a row one after another
under one loop, which threads share, and lanes along memory."""

from __future__ import annotations

from math import prod

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.targets import Feature, target_named
from heddle.tuning.facts.program import Program
from heddle.tuning.mapping.products import tile_products
from heddle.tuning.mapping.repeated import compute_once
from heddle.tuning.mapping.runs import join_runs
from heddle.tuning.mapping.statements import (
    CONTIGUOUS,
    GUESS,
    NONE,
    OUTSIDE,
    has_statements,
    inline_elements,
    lanes_of,
    statements_schedule,
    writer_of,
)
from heddle.tuning.mapping.writer import Writer, bands, fuse
from heddle.tuning.rules.product_tiles import ProductTiles
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.threads import least_work, too_little

TITLE = "Statements of a row together"
_SAID = {
    "together": "Statements share their outermost loop: what one computes of a row is in the cache when the next reads "
    "it, and needs memory for a row alone.",
    "CPUThread": "Iterations of an outermost loop write to places of their own, so that threads can share it.",
    "CPUVector": "Lanes go along memory: neighbours are loaded and stored at once.",
}


def by_statements(plan: Plan, program: Program, graph: IterationGraph) -> tuple[Proposal, CompileResult] | None:
    """The commands, and what they compile to; None for what has one statement over sparse operands, which other rules
    know better, for parts, and where no loop of a processor is meant. ``graph`` is the program without a schedule."""
    if Feature.MACHINE_CLASSES not in target_named(plan.target).features or target_named(plan.target).only_gpu:
        return None
    several = has_statements(program)
    in_tiles = products_in_tiles(plan, program, graph) if several or _is_dense(program) else None
    if in_tiles is not None:
        return in_tiles
    if not several and (program.assignment.program is None or program.sparse):
        return None
    choice = {**GUESS, "fusion": OUTSIDE if several else NONE}
    writer = writer_of(plan, graph, program)
    work = _work_under(writer)
    alone = program.machine.threads < 2
    little = not alone and work is not None and work / program.lanes < least_work(program.machine)
    if alone or little:
        choice["threads"] = NONE
    schedule = statements_schedule(writer, choice)
    if writer.result is None:
        return None
    spared = (too_little(work, program.machine, 1 / program.lanes),) if work is not None and little else ()
    reasons = spared + tuple(said for word, said in _SAID.items() if any(word in command for command in schedule))
    reasons += tuple(writer.reasons)
    return Proposal(schedule, reasons), writer.result


def _is_dense(program: Program) -> bool:
    return not program.sparse and program.is_dense(program.target)


def products_in_tiles(
    plan: Plan, program: Program, graph: IterationGraph, tiles: ProductTiles | None = None
) -> tuple[Proposal, CompileResult] | None:
    """Products of statements in tiles, what is computed of an element with it, and the rest by rows; None where no
    tiles pay. ``tiles`` are those of a search, instead of the cheapest."""
    writer = writer_of(plan, graph, program)
    inline_elements(writer)
    reasons = tile_products(writer, program.machine, tiles)
    if not reasons:
        return None
    fuse(writer, 1)
    machine, spared = program.machine, list[float]()
    for loops in bands(writer.graph.statement) if machine.threads > 1 else ():
        work = _work_under(writer, loops[0])
        if work is not None and work / writer.width >= least_work(machine):
            writer.try_commands(f"parallelize({loops[0]}, CPUThread, NoRaces)")
        elif work is not None:
            spared.append(work)
    compute_once(writer)
    join_runs(writer)
    lanes_of(writer, CONTIGUOUS, False)
    writer.settle()
    if writer.result is None:
        return None
    if spared:
        reasons = (*reasons, too_little(max(spared), machine, 1 / writer.width))
    return Proposal(tuple(writer.commands), (*reasons, *writer.reasons)), writer.result


def _work_under(writer: Writer, loop: str | None = None) -> float | None:
    """Iterations of all statements, about, or of those in the nest of ``loop``; None where a size is not known."""
    paths = [path for path, _ in assignments(writer.graph.statement) if loop is None or path[:1] == (loop,)]
    if not paths or any(variable not in writer.sizes for path in paths for variable in path):
        return None
    return float(sum(prod(writer.sizes[variable] for variable in path) for path in paths))
