"""A GPU schedule for a program that comes without one.

The first of the templates that fits is taken. Where one sparse operand decides what is computed, its stored entries
are shared out evenly (docs/sources.toml A.4, A.6, A.9); else each thread takes an iteration of the outermost loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from heddle.diagnostics import CompileError
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.analysis.append_order import check_append
from heddle.iteration_graph.analysis.assembly import Appended, assembly_of
from heddle.iteration_graph.analysis.shared_rows import find_shared_rows
from heddle.iteration_graph.checks.gpu_schedule import check_assembly, check_meetings
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
    all_paths,
    assignments,
    level_variables,
    operand_accesses,
    variables,
)
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.slots import slotted_loops
from heddle.loop_ir.nodes import LoopKind
from heddle.names import Names
from heddle.notation.nodes import Access, accesses
from heddle.schedule.apply import apply
from heddle.schedule.assembly import workspace_command
from heddle.schedule.gpu_templates import (
    ADDED,
    ALONE,
    COMBINED,
    LANES,
    SUMMED,
    Commands,
    Walk,
    block_per_row,
    columns_of_entries,
    dot_per_entry,
    neighbouring_entries,
    over_entries,
    rows_of_few_threads,
    thread_per_iteration,
    thread_per_place,
)
from heddle.schedule.primitives.parallelize import Parallelize
from heddle.schedule.syntax.parser import parse_command

ENTRIES_OF_WARP = 8
"""Where the lanes of a warp share the columns of a dense operand."""


def default_gpu_schedule(graph: IterationGraph, *, fixed_order: bool = False) -> Commands | None:
    """The commands for an unscheduled graph; None where no template fits. Each nest of the program gets its own. With
    ``fixed_order`` none has atomic updates.

    Raises
    ------
    Refusal
        ``schedule/gpu-assembly`` where only a hash map would collect the result.
    """
    gathered = workspace_command(graph, graph) if isinstance(assembly_of(graph), Appended) else None
    chosen: Commands = () if gathered is None else (gathered,)
    scheduled = _schedule(graph, chosen)
    if scheduled is None:
        return None
    check_assembly(scheduled)
    for path in _nests(scheduled):
        wished = _result_first(graph, path)
        first = () if wished == path else (f"reorder({', '.join(wished)})",)
        start = _schedule(graph, (*chosen, *first))
        if start is None:
            wished, first, start = path, (), scheduled
        tried = (
            (c, _schedule(graph, (*chosen, *first, *c)))
            for c in _templates(start, wished)
            if not (fixed_order and _is_atomic(c))
        )
        template = next(((c, candidate) for c, candidate in tried if candidate is not None), None)
        if template is None:
            return None
        alone = _schedule(graph, (*chosen, *template[0])) if first else None
        if alone is None or alone.statement != template[1].statement:
            template = ((*first, *template[0]), template[1])
        chosen, scheduled = (*chosen, *template[0]), template[1]
    return chosen if fixed_order else _merge_launches(graph, chosen)


def _merge_launches(graph: IterationGraph, chosen: Commands) -> Commands:
    """The schedule with one launch for all parts of an operand, where it gives each part one."""
    summed = graph.signature.sum
    if summed is None or len(summed.parts) < 2:
        return chosen
    remaining: list[str] = []
    blocks: list[Parallelize] = []
    part_operands = {part.operand for part in summed.parts}
    scheduled = _schedule(graph, chosen)
    assert scheduled is not None
    of_parts = {
        path[0]
        for path, assign in assignments(scheduled.statement)
        if path and part_operands & {access.tensor for access in accesses(assign.expression)}
    }
    for number, text in enumerate(chosen):
        command = parse_command(text, number).command
        on_blocks = isinstance(command, Parallelize) and command.unit == LoopKind.GPU_BLOCK.value
        if on_blocks and isinstance(command, Parallelize) and command.variable in of_parts:
            blocks.append(command)
        else:
            remaining.append(text)
    grid = Names({*variables(scheduled), *graph.signature.tensors, *scheduled.workspaces}).fresh("grid")
    for race in dict.fromkeys((*(block.race for block in blocks), "Atomics")):
        joined = (*remaining, f"concat({grid}, {summed.tensor}[*])", f"parallelize({grid}, GPUBlock, {race})")
        if _schedule(graph, joined) is not None:
            return joined
    return chosen


def _is_atomic(commands: Commands) -> bool:
    parsed = [parse_command(text, number).command for number, text in enumerate(commands)]
    return any(isinstance(command, Parallelize) and command.race == "Atomics" for command in parsed)


def _result_first(graph: IterationGraph, path: tuple[str, ...]) -> tuple[str, ...]:
    """The loops of a nest with its sums inside, where storage orders allow: threads take elements of the result, and
    what a thread sums stays in a register. Memory is walked in order across the threads."""
    orders = ([loop for loop in order.result_first if loop in path] for order in graph.started)
    return next((tuple(order) for order in orders if len(order) == len(path)), path)


def _nests(graph: IterationGraph) -> list[tuple[str, ...]]:
    """The loops of each nest, one for each outermost loop."""
    nests: dict[str, tuple[str, ...]] = {}
    for path in all_paths(graph):
        if path and len(path) > len(nests.get(path[0], ())):
            nests[path[0]] = path
    return list(nests.values())


def _schedule(graph: IterationGraph, schedule: Commands) -> IterationGraph | None:
    """The graph after ``schedule``; None where that cannot be."""
    try:
        for number, text in enumerate(schedule):
            graph = apply(graph, parse_command(text, number, schedule), schedule)
        check_meetings(graph)
    except (CompileError, Refusal):
        return None
    return graph


def _templates(graph: IterationGraph, path: tuple[str, ...]) -> Iterator[Commands]:
    reserved = {*variables(graph), *graph.signature.tensors, *graph.workspaces}
    if isinstance(assembly_of(graph), Appended):
        if graph.workspaces:
            yield from _by_rows_together(graph, path)
            yield rows_of_few_threads(path[0], Names(reserved))
        yield from _by_iterations(graph, path[0], reserved)
        return
    for access in operand_accesses(graph, graph.statement):
        slotted = slotted_loops(graph.signature.tensors[access.tensor].format, path)
        if slotted is not None:
            yield thread_per_place(slotted, Names(reserved))
        levels = level_variables(graph, access)
        sparse = any(not LEVEL_KINDS[level.kind].full for level in graph.signature.tensors[access.tensor].format.levels)
        if sparse and len(levels) > 1 and set(levels) <= set(path):
            rest = [variable for variable in path if variable not in levels]
            yield from _by_entries(graph, access, rest, reserved)
    yield from _by_iterations(graph, path[0], reserved)


def _by_entries(graph: IterationGraph, access: Access, rest: list[str], reserved: set[str]) -> Iterator[Commands]:
    """Warps share the stored entries of ``access``; the lanes take entries or, where there are any, columns."""
    levels = level_variables(graph, access)

    def start() -> tuple[Walk, Names]:
        names = Names(reserved)
        return over_entries(access.tensor, levels, rest, names), names

    if not rest:
        for strategy in (ALONE, SUMMED, *((COMBINED,) if _in_rows(graph, levels) else ()), ADDED):
            yield neighbouring_entries(*start(), strategy)
        return
    *others, column = rest
    yield dot_per_entry(*start(), others, column, ENTRIES_OF_WARP)
    for strategy in (ALONE, SUMMED, ADDED):
        yield columns_of_entries(*start(), others, column, ENTRIES_OF_WARP, strategy)


def _by_rows_together(graph: IterationGraph, path: tuple[str, ...]) -> Iterator[Commands]:
    """The threads of a block collect a row of the result together, where that can be."""
    if len(path) < 2:
        return
    commands = block_per_row(path[0], path[1:])
    scheduled = _schedule(graph, commands)
    if scheduled is None or not find_shared_rows(scheduled):
        return
    try:
        check_append(scheduled)
        check_assembly(scheduled)
    except Refusal:
        return
    yield commands


def _in_rows(graph: IterationGraph, levels: list[str]) -> bool:
    """Whether neighbouring entries of a tensor with ``levels`` mostly add into the same element."""
    targets = [assign.target.indices for _, assign in all_assignments(graph)]
    return all(set(target) == set(levels[: len(target)]) for target in targets)


def _by_iterations(graph: IterationGraph, variable: str, reserved: set[str]) -> Iterator[Commands]:
    """Each thread takes an iteration of the outermost loop, a stored entry of it, or a tile of what it merges."""
    starts: list[tuple[Commands, str]] = [((), variable)]
    names = Names(reserved)
    position, tile, inner = names.fresh("p"), names.fresh(f"{variable}0"), names.fresh(f"{variable}1")
    used_names = {*reserved, position, tile, inner}
    for tensor in graph.signature.operands:
        starts.append(((f"pos({variable}, {position}, {tensor.name})",), position))
    starts.append(((f"split({variable}, {tile}, {inner}, {LANES})",), tile))
    for start, cut in starts:
        for strategy in (ALONE, SUMMED, ADDED):
            yield (*start, *thread_per_iteration(cut, Names(used_names), strategy))
