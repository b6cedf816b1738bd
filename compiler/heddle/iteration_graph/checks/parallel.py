"""May these loops run in parallel, or be unrolled? They may be for-loops (``for_loops.py``) without races
(``races.py``), within the limits of their units (docs/sources.toml T26 to T28)."""

from __future__ import annotations

from heddle.iteration_graph.analysis.shared_writes import races_with, shared_targets
from heddle.iteration_graph.checks.for_loops import check_for_loop
from heddle.iteration_graph.checks.races import check_race
from heddle.iteration_graph.graph.gpu_units import GPU_UNITS, check_unit_nesting
from heddle.iteration_graph.graph.nodes import IterationGraph, ParallelTag
from heddle.iteration_graph.graph.provenance import all_paths, assignments
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.rewrite import find_loop
from heddle.loop_ir.nodes import LoopKind


def check_parallel(graph: IterationGraph) -> None:
    """Raises Refusal when a parallel loop would race, merge, or stand where its unit cannot."""
    for path in all_paths(graph):
        for index, variable in enumerate(path):
            tag = graph.parallel.get(variable)
            if tag is not None:
                _check_nesting(graph, path[:index], variable, tag)
                check_unit_nesting(graph, path[:index], variable, tag)
    for variable in (*graph.parallel, *graph.unroll):
        check_for_loop(graph, variable)
        _check_lanes(graph, variable)
    for variable, tag in graph.parallel.items():
        for target in shared_targets(find_loop(graph.statement, variable)):
            later = tag.unit in GPU_UNITS and tag.race != "NoRaces"  # once all units are known: check_gpu
            if races_with(graph, variable, target) and not later:
                check_race(graph, variable, tag, target)


def _check_lanes(graph: IterationGraph, variable: str) -> None:
    """The lanes of a vector share the arrays of their worker."""
    tag = graph.parallel.get(variable)
    if tag is None or tag.unit is not LoopKind.CPU_VECTOR:
        return
    written = {a.target.tensor for _, a in assignments(find_loop(graph.statement, variable))}
    shared = {target.tensor for target in shared_targets(find_loop(graph.statement, variable))}
    for name, workspace in graph.workspaces.items():
        if name in written - shared and workspace.variables:
            raise Refusal(
                "schedule/vector-workspace",
                f"every iteration of {variable} computes its own {name}, and the lanes of a vector cannot each have "
                f"an array. Run {variable} on CPUThread, or a loop inside {name}'s on vector lanes.",
                argument="unit",
                expected=f"a vector loop without {name} inside it",
                actual=f"{name} inside {variable}",
                replacement="CPUThread",
            )


def _check_nesting(graph: IterationGraph, outside: tuple[str, ...], variable: str, tag: ParallelTag) -> None:
    for other in outside:
        outer = graph.parallel.get(other)
        if outer is None:
            continue
        if outer.unit is LoopKind.CPU_VECTOR:
            raise Refusal(
                "schedule/inside-vector",
                f"{variable} lies inside {other}, which runs on vector lanes; nothing inside it can be parallel as "
                "well.",
                argument="variable",
                expected=f"a loop outside {other}",
                actual=variable,
            )
        if outer.unit is LoopKind.CPU_THREAD and tag.unit is LoopKind.CPU_THREAD:
            raise Refusal(
                "schedule/nested-threads",
                f"{variable} lies inside {other}, which runs on CPU threads already: threads within threads only add "
                f"cost. Parallelize one of them, or fuse them first; inner loops can use CPUVector.",
                argument="variable",
                expected="one loop on CPU threads in a nest",
                actual=f"{other} and {variable}",
            )
