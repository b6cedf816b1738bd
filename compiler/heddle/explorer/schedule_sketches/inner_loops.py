"""Goals for what one thread does: vector lanes, operands that stay in cache, loops with fewer steps."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.explorer.schedule_sketches.goal import Commands, Start
from heddle.iteration_graph.graph.provenance import level_variables, loops, operand_accesses
from heddle.loop_ir.nodes import LoopKind

COLUMNS = 32
"""Of a tile whose part of an operand stays in cache."""
STEPS = 4
"""Iterations that are written out one after the other."""


def vector_lanes(start: Start) -> Iterator[Commands]:
    """The innermost loop, if lanes may share it; with a partial sum for each lane where it sums."""
    if any(tag.unit is LoopKind.CPU_VECTOR for tag in start.graph.parallel.values()):
        return
    for loop in _innermost(start):
        for race in ("NoRaces", "ParallelReduction"):
            if loop not in start.graph.parallel:
                yield start.then(f"parallelize({loop}, {LoopKind.CPU_VECTOR.value}, {race})")


def reuse_in_cache(start: Start) -> Iterator[Commands]:
    """Tiles of a loop that an operand has and the outermost loop does not decide, outside of everything: while they
    last, the operand's part is read again and again."""
    for path in loops(start.graph.statement):
        for access in operand_accesses(start.graph, start.graph.statement):
            levels = level_variables(start.graph, access)
            if len(path) < 2 or path[0] in levels or len(levels) < 2:
                continue
            for loop in reversed(levels):
                if loop not in path:
                    continue
                names = start.names()
                tile, inner = names.fresh(f"{loop}0"), names.fresh(f"{loop}1")
                rest = [inner if other == loop else other for other in path]
                yield start.then(f"split({loop}, {tile}, {inner}, {COLUMNS})", f"reorder({', '.join((tile, *rest))})")


def fewer_steps(start: Start) -> Iterator[Commands]:
    for loop in _innermost(start):
        if loop not in start.graph.parallel and loop not in start.graph.unroll:
            yield start.then(f"unroll({loop}, {STEPS})")


def _innermost(start: Start) -> list[str]:
    """The last loop of each nest."""
    return list(dict.fromkeys(path[-1] for path in loops(start.graph.statement) if path))
