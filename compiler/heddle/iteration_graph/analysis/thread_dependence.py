"""Whether the bits of a result depend on the number of threads, or on which of them comes first.

Sums of floating-point numbers have other bits in another order. Workers that add into the same element keep one order
where they work on copies, of which there is a fixed number and which are added up in order (``Temporary``), and none
where each adds as it comes (``Atomics``) or where the library that shares the loop out combines what it likes
(``ParallelReduction`` over the threads of a CPU, or over blocks).
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.analysis.shared_writes import races_with, shared_targets, uses_atomics
from heddle.iteration_graph.graph.gpu_units import GPU_UNITS
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import all_paths, assignments
from heddle.iteration_graph.graph.rewrite import find_loop
from heddle.loop_ir.nodes import LoopKind

EXACT = ("int", "uint", "bool")
"""Types of values whose sums are the same in every order."""


@dataclass(frozen=True, slots=True)
class ThreadDependence:
    """The loop over ``variable``, that command number ``command`` made parallel, adds in no fixed order into
    ``tensor``; ``reason`` says it in a sentence."""

    variable: str
    command: int
    tensor: str
    reason: str


def thread_dependences(graph: IterationGraph) -> tuple[ThreadDependence, ...]:
    """Why the bits of the result are not the same for every number of threads; none where they are."""
    dependences: list[ThreadDependence] = []
    racing: dict[str, list[str]] = {}
    for variable in _parallel_loops(graph):
        loop = find_loop(graph.statement, variable)
        updated = {a.target.tensor for _, a in assignments(loop) if a.operator != "="}
        for target in shared_targets(loop):
            tensor = graph.signature.tensors.get(target.tensor) or graph.signature.result
            sums = target.tensor in updated and not tensor.dtype.startswith(EXACT)
            if sums and races_with(graph, variable, target):
                racing.setdefault(target.tensor, []).append(variable)
    for name, variables in racing.items():
        atomic = uses_atomics(graph, variables)
        for variable in variables:
            tag = graph.parallel[variable]
            reason = _reason(variable, name, tag.unit, tag.race, atomic)
            if reason is not None:
                dependences.append(ThreadDependence(variable, tag.command, name, reason))
    return tuple(dependences)


def _parallel_loops(graph: IterationGraph) -> list[str]:
    every = dict.fromkeys(variable for path in all_paths(graph) for variable in path)
    return [variable for variable in every if variable in graph.parallel]


def _reason(variable: str, tensor: str, unit: LoopKind, race: str, atomic: bool) -> str | None:
    who = f"the {unit.value}s of {variable}"
    if unit is LoopKind.CPU_VECTOR:
        return None  # lanes are added up in one order, whatever runs beside them
    if atomic:
        return f"{who} add into {tensor} by atomic updates, in whichever order they come"
    if race == "ParallelReduction" and (unit is LoopKind.CPU_THREAD or unit in GPU_UNITS):
        return f"each of {who} sums up a part of {tensor}, and there are as many parts as workers"
    if race == "IgnoreRaces":
        return f"{who} add into {tensor} without protection"
    return None
