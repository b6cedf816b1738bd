"""A GPU schedule for a program that comes without one (FEATURES §1.1, schedules to ship as presets).

The first of the templates that fits is taken. Where one sparse operand decides what is computed, its stored entries
are shared out evenly (paper 000, appendix A.4, A.6, A.9); else each thread takes an iteration of the outermost loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.diagnostics import CompileError
from compiler.iteration_graph.assembly import Appended, assembly_of
from compiler.iteration_graph.gpu_schedule import check_assembly, check_meetings
from compiler.iteration_graph.nodes import IterationGraph
from compiler.iteration_graph.provenance import level_variables, loops, operand_accesses, variables
from compiler.iteration_graph.refusal import Refusal
from compiler.names import Names
from compiler.schedule.apply import apply
from compiler.schedule.assembly import workspace_command
from compiler.schedule.parser import parse_command

THREADS = 256
"""Of a block, where each takes one iteration."""
ENTRIES_OF_BLOCK, ENTRIES_OF_WARP, ENTRIES_OF_THREAD = 1024, 128, 4
ROW_ENTRIES_OF_BLOCK, ROW_ENTRIES_OF_WARP, LANES = 64, 8, 32
"""Where the lanes of a warp share the columns of a dense operand."""
BLOCKS_WITH_WORKSPACES = 64
"""Of 32 threads each, where every thread needs a workspace as long as a row of the result."""

Commands = tuple[str, ...]


def default_gpu_schedule(graph: IterationGraph) -> Commands | None:
    """The commands for an unscheduled graph; None where no template fits. Each nest of the program gets its own.

    Raises:
        Refusal: ``schedule/gpu-assembly`` where only a hash map would collect the result.
    """
    gathered = workspace_command(graph, graph) if isinstance(assembly_of(graph), Appended) else None
    chosen: Commands = () if gathered is None else (gathered,)
    scheduled = _scheduled(graph, chosen)
    if scheduled is None:
        return None
    check_assembly(scheduled)
    for path in _nests(scheduled):
        tried = ((c, _scheduled(graph, (*chosen, *c))) for c in _templates(scheduled, path))
        found = next(((c, made) for c, made in tried if made is not None), None)
        if found is None:
            return None
        chosen, scheduled = (*chosen, *found[0]), found[1]
    return chosen


def _nests(graph: IterationGraph) -> list[tuple[str, ...]]:
    """The loops of each nest, one for each outermost loop."""
    found: dict[str, tuple[str, ...]] = {}
    for path in loops(graph.statement):
        if path and len(path) > len(found.get(path[0], ())):
            found[path[0]] = path
    return list(found.values())


def _scheduled(graph: IterationGraph, schedule: Commands) -> IterationGraph | None:
    """The graph after ``schedule``; None where that cannot be."""
    try:
        for number, text in enumerate(schedule):
            graph = apply(graph, parse_command(text, number, schedule), schedule)
        check_meetings(graph)
    except (CompileError, Refusal):
        return None
    return graph


def _templates(graph: IterationGraph, path: tuple[str, ...]) -> Iterator[Commands]:
    taken = {*variables(graph), *graph.signature.tensors, *graph.workspaces}
    if isinstance(assembly_of(graph), Appended):
        if graph.workspaces:
            yield _by_few_threads(path[0], Names(taken))
        yield from _by_iterations(graph, path[0], Names(taken))
        return
    for access in operand_accesses(graph, graph.statement):
        levels = level_variables(graph, access)
        sparse = any(level.kind != "dense" for level in graph.signature.tensors[access.tensor].format.levels)
        if sparse and len(levels) > 1 and set(levels) <= set(path):
            rest = [variable for variable in path if variable not in levels]
            yield from _by_entries(access.tensor, levels, rest, Names(taken))
    yield from _by_iterations(graph, path[0], Names(taken))


def _by_entries(tensor: str, levels: list[str], rest: list[str], names: Names) -> Iterator[Commands]:
    """Warps share the stored entries of ``tensor``; the lanes take entries or, where there are any, columns."""
    fused = levels[-1]
    commands = [f"reorder({', '.join((*levels, *rest))})"] if rest else []
    for variable in reversed(levels[:-1]):
        name = names.fresh("f")
        commands.append(f"fuse({variable}, {fused}, {name})")
        fused = name
    position, block, inside, warp, thread = (names.fresh(n) for n in ("p", "block", "p1", "warp", "thread"))
    commands.append(f"pos({fused}, {position}, {tensor})")
    if not rest:
        share, entry = names.fresh("p2"), names.fresh("entry")
        commands += [
            f"split({position}, {block}, {inside}, {ENTRIES_OF_BLOCK})",
            f"split({inside}, {warp}, {share}, {ENTRIES_OF_WARP})",
            f"split({share}, {thread}, {entry}, {ENTRIES_OF_THREAD})",
            f"reorder({block}, {warp}, {thread}, {entry})",
        ]
        for races in _RACES:
            yield (*commands, *_on_units(block, warp, thread, *races))
        return
    entry, columns, outer = names.fresh("entry"), rest[-1], names.fresh("columns")
    commands += [
        f"split({position}, {block}, {inside}, {ROW_ENTRIES_OF_BLOCK})",
        f"split({inside}, {warp}, {entry}, {ROW_ENTRIES_OF_WARP})",
        f"split({columns}, {outer}, {thread}, {LANES})",
    ]
    others = rest[:-1]
    dot = f"reorder({', '.join((block, warp, entry, *others, thread, outer))})"
    yield (*commands, dot, *_on_units(block, warp, thread, "NoRaces", "ParallelReduction"))
    free = f"reorder({', '.join((block, warp, *others, outer, thread, entry))})"
    for races in _RACES:
        yield (*commands, free, *_on_units(block, warp, thread, *races))


def _by_few_threads(variable: str, names: Names) -> Commands:
    """Each thread takes several iterations of the outermost loop: all of them have a workspace of their own."""
    block, rest, thread, row = (names.fresh(wish) for wish in ("block", "rest", "thread", "row"))
    return (
        f"divide({variable}, {block}, {rest}, {BLOCKS_WITH_WORKSPACES})",
        f"divide({rest}, {thread}, {row}, {LANES})",
        f"parallelize({block}, GPUBlock, NoRaces)",
        f"parallelize({thread}, GPUThread, NoRaces)",
    )


def _by_iterations(graph: IterationGraph, variable: str, names: Names) -> Iterator[Commands]:
    """Each thread takes an iteration of the outermost loop, a stored entry of it, or a tile of what it merges."""
    block, thread = names.fresh("block"), names.fresh("thread")
    starts: list[tuple[Commands, str]] = [((), variable)]
    position, tile, inner = names.fresh("p"), names.fresh(f"{variable}0"), names.fresh(f"{variable}1")
    for tensor in graph.signature.operands:
        starts.append(((f"pos({variable}, {position}, {tensor.name})",), position))
    starts.append(((f"split({variable}, {tile}, {inner}, {LANES})",), tile))
    for start, cut in starts:
        for outer, lane in _RACES:
            yield (
                *start,
                f"split({cut}, {block}, {thread}, {THREADS})",
                f"parallelize({block}, GPUBlock, {outer})",
                f"parallelize({thread}, GPUThread, {lane})",
            )


_RACES = (("NoRaces", "NoRaces"), ("ParallelReduction", "ParallelReduction"), ("IgnoreRaces", "Atomics"))
"""Of the outer units and of the threads: the first that is legal is the cheapest."""


def _on_units(block: str, warp: str, thread: str, outer: str, lane: str) -> Commands:
    return (
        f"parallelize({block}, GPUBlock, {outer})",
        f"parallelize({warp}, GPUWarp, {outer})",
        f"parallelize({thread}, GPUThread, {lane})",
    )
