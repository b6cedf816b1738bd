"""The last check of a schedule for a GPU: every loop has its place, and every element that several threads update is
protected (docs/sources.toml T28, T47, D4 to D6)."""

from __future__ import annotations

from heddle.advice import KeepApart, ScheduleForTarget
from heddle.iteration_graph.analysis.assembly import Appended, assembly_of, sections_of
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.analysis.shared_rows import SharedRow, find_shared_rows
from heddle.iteration_graph.analysis.shared_writes import (
    PRIVATE,
    combines_runs,
    known_before,
    races_with,
    shared_targets,
)
from heddle.iteration_graph.graph.gpu_units import GPU_UNITS, uses_gpu
from heddle.iteration_graph.graph.nodes import IterationGraph, WorkspaceKind
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
    all_loops,
    all_paths,
    leaves,
    level_variables,
)
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.rewrite import find_loop
from heddle.iteration_graph.graph.sections import SectionKind
from heddle.loop_ir.nodes import LoopKind
from heddle.notation.nodes import Access


def check_gpu(graph: IterationGraph, required: bool) -> None:
    """Raises Refusal ``schedule/gpu-…`` for a graph that uses GPU units, or that must because of its target."""
    if not required and not uses_gpu(graph):
        return
    check_assembly(graph)
    for path in all_paths(graph):
        _check_path(graph, path)
    check_meetings(graph)


def check_temporaries(graph: IterationGraph, required: bool) -> None:
    """The same of the temporaries that are stored, each with the workspace that collects its rows."""
    if not required and not uses_gpu(graph):
        return
    for section in sections_of(graph):
        if section.kind is SectionKind.STORED:
            check_assembly(section.graph)


def check_meetings(graph: IterationGraph) -> None:
    """Raises Refusal ``schedule/gpu-race`` or ``schedule/gpu-reduction`` where threads meet without protection."""
    for variable in reversed(all_loops(graph)):  # innermost first: that is where to protect an element
        if variable not in graph.parallel or graph.parallel[variable].unit not in GPU_UNITS:
            continue
        for target in shared_targets(find_loop(graph.statement, variable)):
            if races_with(graph, variable, target):
                _check_race(graph, variable, target)


def check_assembly(graph: IterationGraph) -> None:
    """Raises Refusal ``schedule/gpu-assembly`` where threads cannot count and fill the entries of the result: each row
    must be one thread's, merged from the operands or collected in an array, or a block's, collected in a hash table."""
    plan = assembly_of(graph)
    if not isinstance(plan, Appended):
        return
    result = graph.signature.result.name
    rows = level_variables(graph, plan.target)[: plan.groups[0].first - 1]
    written = {assign.target.tensor for _, assign in all_assignments(graph)}
    maps = [w.name for w in graph.workspaces.values() if w.kind is WorkspaceKind.MAPPED and w.name in written]
    if not rows:
        raise _assembly(result, "its outermost level stores what is found", "a dense level of rows outside")
    if graph.assemble is not None and graph.assemble.strategy == "Append":
        raise _assembly(result, "assemble(…, Append) needs the rows in their order", "assemble(…, Insert)")
    if maps:
        raise _assembly(result, f"its rows are collected in the hash map {maps[0]}", "rows in an array, or merged")
    row_loops = {leaf for row in rows for leaf in leaves(graph, row)}
    loops_here = all_loops(graph)
    tags = {v: tag for v, tag in graph.parallel.items() if v in loops_here}
    shared = find_shared_rows(graph)
    for row in shared:
        _check_shared_row(graph, plan, row)
    collecting = {unit for row in shared for unit in row.units}
    inside = [v for v, tag in tags.items() if tag.unit in GPU_UNITS and v not in row_loops | collecting]
    if inside:
        raise _assembly(result, f"the threads of {inside[0]} share a row", f"{inside[0]} without a unit")


def _check_shared_row(graph: IterationGraph, plan: Appended, row: SharedRow) -> None:
    """A row that the threads of a block collect together in a hash table."""
    result, names = graph.signature.result.name, level_variables(graph, plan.target)
    units = [graph.parallel[loop].unit if loop in graph.parallel else None for loop in row.around]
    if units != [LoopKind.GPU_BLOCK]:
        around = " → ".join(row.around) or "no loop"
        raise _shared(row, f"it lies inside {around}", "only the loop over rows around it, on GPUBlock")
    last = [(group.first, group.last) for group in plan.groups] == [(len(names), len(names))]
    if not last or not row.stores_alone(result, names[-1]):
        actual = f"more is done with {row.workspace} than to store it"
        raise _shared(row, actual, f"precompute of the whole of what {result} stores")
    if any(point.full for point in lattice_at(graph, names[-1])):
        actual = f"where {row.workspace} has no entry, {result} stores another value than its fill"
        raise _shared(row, actual, f"an expression that is the fill of {result} wherever no operand has an entry")
    if not any(graph.parallel[loop].unit is LoopKind.GPU_THREAD for loop in row.units):
        raise _shared(row, "none of its loops is on GPUThread", "GPUThread on one of them, whose threads insert")
    private = [loop for loop in row.units if graph.parallel[loop].race in PRIVATE]
    if private:
        tag = graph.parallel[private[0]]
        raise Refusal(
            "schedule/gpu-reduction",
            f"the threads of {private[0]} collect {row.workspace} in a hash table, into which each of them adds by "
            f"itself. Use Atomics.",
            argument="race",
            expected="Atomics",
            actual=tag.race,
            replacement="Atomics",
            command=tag.command,
        )


def _shared(row: SharedRow, actual: str, expected: str) -> Refusal:
    unit = row.units[0]
    return Refusal(
        "schedule/gpu-assembly",
        f"the threads of {unit} collect {row.workspace} together, in a hash table for each row, but {actual}. Needed "
        f"is {expected}. Or leave {unit} without a unit, so that one thread collects a row.",
        expected=expected,
        actual=actual,
    )


def _assembly(result: str, actual: str, expected: str) -> Refusal:
    return Refusal(
        "schedule/gpu-assembly",
        f"the entries of {result} are found while it is computed. On a GPU each thread counts and fills rows of its "
        f"own, but here {actual}. Store {result} dense, or like an operand whose entries it has.",
        expected=expected,
        actual=actual,
    )


def _check_path(graph: IterationGraph, path: tuple[str, ...]) -> None:
    units = [graph.parallel[v].unit for v in path if v in graph.parallel]
    if path and LoopKind.GPU_BLOCK not in units:
        actual = f"{path[-1]} on {units[-1].value}" if units else f"{' → '.join(path)} not on any GPU unit"
        raise Refusal(
            "schedule/gpu-unmapped",
            f"the loops {' → '.join(path)} do not run in any block of the GPU. Put the outermost of them, or a part "
            "of it, on "
            f"GPUBlock, and one inside it on GPUThread.",
            expected="GPUBlock on the outermost loop",
            actual=actual,
            advice=(ScheduleForTarget(),),
        )


def _check_race(graph: IterationGraph, variable: str, target: Access) -> None:
    """Atomics of any unit protect an element at all levels; an element that is known before the loop is summed up in
    registers and combined, and so are those that neighbouring lanes of a warp share."""
    if any(tag.race == "Atomics" for tag in graph.parallel.values()) or known_before(graph, variable, target):
        return
    tag = graph.parallel[variable]
    if combines_runs(tag):
        return
    text = f"{target.tensor}({', '.join(target.indices)})" if target.indices else target.tensor
    meeting = KeepApart(variable, target.tensor, target.indices)
    if tag.race in PRIVATE:
        raise Refusal(
            "schedule/gpu-reduction",
            f"which {text} an iteration of {variable} adds into is known only inside the loop, so the sums of its "
            f"{tag.unit.value}s cannot be combined after it. Use Atomics.",
            argument="race",
            expected="a reduction into a place that is known before the loop",
            actual=f"{text} under {variable}",
            replacement="Atomics",
            advice=(meeting,),
            command=tag.command,
        )
    raise Refusal(
        "schedule/gpu-race",
        f"two iterations of {variable} add into the same {text}, and no unit of the schedule protects it: updates "
        f"would be lost. Use Atomics.",
        argument="race",
        expected="Atomics on one of the units",
        actual=f"{tag.race} on a reduction",
        candidates=("Atomics",),
        replacement="Atomics",
        advice=(meeting,),
        command=tag.command,
    )
