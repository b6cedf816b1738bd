"""Goals for the threads of a processor: rows shared out, work shared out evenly, fewer atomic updates."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.explorer.schedule_sketches.goal import Commands, Start
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.graph.provenance import level_variables, operand_accesses
from heddle.loop_ir.nodes import LoopKind
from heddle.schedule.primitives.parallelize import Parallelize
from heddle.schedule.syntax.parser import parse_command

ROWS = 64
"""Iterations of a tile that a thread takes at once."""
ENTRIES = 1024
"""Stored entries of a tile: so many that the search for its first row is little beside them."""
PARTS = 64
"""Of a loop that is cut into parts of equal work: several for each thread of a machine of today."""
THREAD, ATOMICS = LoopKind.CPU_THREAD.value, "Atomics"


def rows_on_threads(start: Start) -> Iterator[Commands]:
    """The outermost loop that threads may share."""
    if _on_threads(start):
        return
    for loop in start.loops:
        names = start.names()
        tile, inner = names.fresh(f"{loop}0"), names.fresh(f"{loop}1")
        yield start.then(f"split({loop}, {tile}, {inner}, {ROWS})", f"parallelize({tile}, {THREAD}, NoRaces)")
        yield start.then(f"parallelize({loop}, {THREAD}, NoRaces)")


def equal_work(start: Start) -> Iterator[Commands]:
    """As many stored entries for each thread: rows cut where the entries are halved, quartered …; else the entries
    themselves, whose rows two threads may share."""
    if _on_threads(start):
        return
    for access in operand_accesses(start.graph, start.graph.statement):
        levels = level_variables(start.graph, access)
        kinds = start.graph.signature.tensors[access.tensor].format.levels
        if all(LEVEL_KINDS[level.kind].full for level in kinds) or not set(levels) <= set(start.loops):
            continue
        names = start.names()
        outer, inner = names.fresh(f"{levels[0]}0"), names.fresh(f"{levels[0]}1")
        yield start.then(
            f"balance({levels[0]}, {outer}, {inner}, {access.tensor}, {PARTS})",
            f"parallelize({outer}, {THREAD}, NoRaces)",
        )
        yield start.then(*_over_entries(access.tensor, levels, start))


def _over_entries(tensor: str, levels: list[str], start: Start) -> Iterator[str]:
    names = start.names()
    fused = levels[-1]
    for level in reversed(levels[:-1]):
        whole = names.fresh(level + fused)
        yield f"fuse({level}, {fused}, {whole})"
        fused = whole
    position, tile, inner = (names.fresh(name) for name in (f"{fused}pos", f"{fused}0", f"{fused}1"))
    yield f"pos({fused}, {position}, {tensor})"
    yield f"split({position}, {tile}, {inner}, {ENTRIES})"
    yield f"parallelize({tile}, {THREAD}, {ATOMICS})"


def fewer_atomics(start: Start) -> Iterator[Commands]:
    """Partial results instead of atomic updates, where the schedule has such."""
    for number, text in enumerate(start.commands):
        command = parse_command(text, number).command
        if not isinstance(command, Parallelize) or command.race != ATOMICS:
            continue
        for race in ("NoRaces", "ParallelReduction", "Temporary"):
            other = f"parallelize({command.variable}, {command.unit}, {race})"
            yield (*start.commands[:number], other, *start.commands[number + 1 :])


def _on_threads(start: Start) -> bool:
    return any(tag.unit is LoopKind.CPU_THREAD for tag in start.graph.parallel.values())
