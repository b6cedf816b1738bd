"""May these loops run in parallel, or be unrolled? Races from provenance, limits of units
(docs/sources.md T26 to T28)."""

from __future__ import annotations

import re

from heddle.advice import Advice, CutFirst, KeepApart, StoreInOtherParts, WalkPositions
from heddle.iteration_graph.analysis.append_order import visits_workspace
from heddle.iteration_graph.analysis.iterated import merges_at, repeated_at
from heddle.iteration_graph.analysis.races import known_before, parts_meet, races_with, shared_targets
from heddle.iteration_graph.graph.gpu_units import GPU_UNITS, check_unit_nesting
from heddle.iteration_graph.graph.nodes import IterationGraph, ParallelTag
from heddle.iteration_graph.graph.provenance import (
    assignments,
    coordinates,
    last_leaf,
    leaves,
    level_variables,
    loop_variables,
    loops,
)
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.rewrite import find_loop
from heddle.loop_ir.nodes import LoopKind
from heddle.notation.nodes import Access


def check_parallel(graph: IterationGraph) -> None:
    """Raises Refusal when a parallel loop would race, merge, or stand where its unit cannot."""
    for path in loops(graph.statement):
        for index, variable in enumerate(path):
            tag = graph.parallel.get(variable)
            if tag is not None:
                _check_nesting(graph, path[:index], variable, tag)
                check_unit_nesting(graph, path[:index], variable, tag)
    for variable in (*graph.parallel, *graph.unroll):
        _check_for_loop(graph, variable)
        _check_lanes(graph, variable)
    for variable, tag in graph.parallel.items():
        for target in shared_targets(find_loop(graph.statement, variable)):
            later = tag.unit in GPU_UNITS and tag.race != "NoRaces"  # once all units are known: check_gpu
            if races_with(graph, variable, target) and not later:
                _check_race(graph, variable, tag, target)


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


def _check_for_loop(graph: IterationGraph, variable: str) -> None:
    determined = [v for v in coordinates(graph) if variable in leaves(graph, v)]
    for root in determined:
        if last_leaf(graph, root) == variable:
            _check_repeated(graph, variable, root)
        merged = merges_at(graph, root)
        if merged and last_leaf(graph, root) == variable:
            names = " and ".join(merged)
            raise Refusal(
                "schedule/merge",
                f"{variable} merges {names}: a while-loop that advances several positions at once cannot be divided or "
                f"unrolled. Strip-mine it first (split({variable}, {variable}0, {variable}1, 64)) and use the tiles.",
                argument="variable",
                expected="a for-loop",
                actual=f"a merge of {names}",
                advice=(CutFirst(variable),),
            )


def _check_repeated(graph: IterationGraph, variable: str, root: str) -> None:
    access = repeated_at(graph, root)
    if access is None:
        return
    if access.tensor in graph.workspaces:
        raise visits_workspace(variable, access.tensor)
    levels = level_variables(graph, access)
    number = levels.index(root) + 1
    raise Refusal(
        "schedule/repeated-coordinates",
        f"{variable} takes all entries of {access.tensor} with the same {root} at once; where they end is only found "
        "on the way, so this loop cannot be divided or unrolled. "
        f"Fuse it with {levels[number]}, use pos on the fused variable and run those positions in parallel, with "
        f"Atomics.",
        argument="variable",
        expected="a for-loop",
        actual=f"level {number} of {access.tensor}, whose coordinates repeat",
        advice=(WalkPositions(variable, levels[number], access.tensor),),
    )


def _check_race(graph: IterationGraph, variable: str, tag: ParallelTag, target: Access) -> None:
    text = f"{target.tensor}({', '.join(target.indices)})" if target.indices else target.tensor
    known = known_before(graph, variable, target)
    vector, threads = tag.unit is LoopKind.CPU_VECTOR, tag.unit is LoopKind.CPU_THREAD
    around = {loop for path, assign in assignments(graph.statement) if assign.target == target for loop in path}
    racing = [v for v in graph.parallel if v in around and races_with(graph, v, target)]
    atomics = [v for v in racing if graph.parallel[v].race == "Atomics"]
    remedies = (
        f"Vector lanes cannot protect it: leave {variable} serial, or move the reduction inside it."
        if vector
        else "Use Atomics, or Temporary for partial results that are added up after the loop."
    )
    meeting = KeepApart(variable, target.tensor, target.indices)
    if tag.race == "NoRaces" and threads and parts_meet(graph, variable, target):
        raise _parts_race(graph, variable, text, target, meeting)
    match tag.race:
        case "NoRaces":
            safe = [loop for loop in loop_variables(graph.statement) if _runs_apart(graph, loop, target)]
            other = f", or parallelize {safe[0]}" if safe else ""
            remedy = "ParallelReduction" if vector or known else "Atomics"
            raise Refusal(
                "schedule/race",
                f"two iterations of {variable} add into the same {text}. Use {remedy}{other}.",
                argument="race",
                expected=f"a strategy for {text}, or a loop over its own indices",
                actual="NoRaces on a reduction",
                candidates=("Atomics", "Temporary", "ParallelReduction"),
                replacement=remedy,
                advice=(meeting,),
            )
        case "Temporary" | "ParallelReduction" if not known and vector:
            raise Refusal(
                "schedule/reduction-target",
                f"which {text} an iteration of {variable} adds into is known only inside the loop, and vector lanes "
                f"cannot keep a copy of {target.tensor} each. Run {variable} on CPUThread, or leave it serial.",
                argument="unit",
                expected="CPU threads, or a reduction into a place that is known before the loop",
                actual=f"{text} under {variable}",
                replacement="CPUThread",
                advice=(meeting,),
            )
        case "IgnoreRaces" if not known and not atomics:
            raise Refusal(
                "schedule/ignored-race",
                f"two iterations of {variable} add into the same {text}, and no other loop protects it: updates would "
                f"be lost. {remedies}",
                argument="race",
                expected="a strategy that protects every shared place",
                actual="IgnoreRaces on a reduction",
                candidates=() if vector else ("Atomics", "Temporary"),
                replacement=None if vector else "Atomics",
                advice=(meeting,),
            )
        case "Temporary" | "ParallelReduction" if not known and not (threads and _can_copy(graph, target)):
            raise Refusal(
                "schedule/reduction-target",
                f"which {text} an iteration of {variable} adds into is known only inside the loop, so one partial "
                "result per worker is not enough. Use Atomics.",
                argument="race",
                expected="a reduction into a place that is known before the loop",
                actual=f"{text} under {variable}",
                replacement="Atomics",
                advice=(meeting,),
            )
        case _:
            pass
    if vector and (tag.race == "Atomics" or (atomics and not known)):
        advice = "Use ParallelReduction" if known else f"Leave {variable} serial, or move the reduction inside it"
        raise Refusal(
            "schedule/vector-atomics",
            f"the lanes of {variable} would need an atomic update of {text} each, which vector units do not have. "
            f"{advice}.",
            argument="race" if known else "unit",
            expected="a vector loop without atomics",
            actual=f"atomics on {text}",
            replacement="ParallelReduction" if known else None,
            advice=(meeting,),
        )


_BUCKETS = re.compile(r"hyb\((\d+),(\d+)(?:,\d+)?\)")


def _parts_race(graph: IterationGraph, variable: str, text: str, target: Access, meeting: KeepApart) -> Refusal:
    """Two iterations, of different parts, may add into one element."""
    summed = graph.signature.sum
    assert summed is not None
    name, full = summed.tensor, summed.full
    if summed.divides(target.indices, graph.signature):
        why = (
            f"{' and '.join(full)} of {name} visit{'s' if len(full) == 1 else ''} places where other parts have entries"
        )
        remedy = f"store {name} in parts that keep lists of their rows, such as dcsr and pieces"
        ranges = ""
        otherwise: tuple[Advice, ...] = ()
    else:
        why = f"the tests of {name} may divide one {text} among parts"
        buckets = _BUCKETS.fullmatch(summed.macro or "")
        whole = f"hyb(1,{buckets[2]},whole)" if buckets else "hyb(1,3,whole)"
        rows = f"hyb({buckets[1]},{buckets[2]},64)" if buckets else "hyb(1,3,64)"
        remedy = f"store {name} so that the tests ask for whole rows, as in {whole}"
        ranges = f", as {rows} has them"
        first = summed.parts[0]
        row_index = graph.signature.tensors[first.operand].indices[0]
        row = next(index for index, variable in first.variables.items() if variable == row_index)
        otherwise = (StoreInOtherParts(name, whole, rows, row),)
    return Refusal(
        "schedule/parts-race",
        f"two parts of {name} may add into the same {text}: {why}, and {variable} runs through the parts side by side. "
        f"Use Atomics, {remedy}, or give the parts one loop over ranges of rows with share{ranges}.",
        argument="race",
        expected=f"a strategy for {text}, or parts that never meet there",
        actual="NoRaces on parts that may meet",
        candidates=("Atomics", "Temporary"),
        replacement="Atomics",
        advice=(*otherwise, meeting),
    )


def _runs_apart(graph: IterationGraph, loop: str, target: Access) -> bool:
    """Whether the iterations of another loop could share out the work: none meets another at ``target``."""
    try:
        _check_for_loop(graph, loop)
    except Refusal:
        return False
    return not races_with(graph, loop, target)


def _can_copy(graph: IterationGraph, target: Access) -> bool:
    """Partial results can be kept of a result that has a position for every coordinate."""
    result = graph.signature.result
    return target.tensor == result.name and result.format.is_dense
