"""May two iterations of a parallel loop add into one element? Not without a strategy that protects it
(docs/sources.toml T28, T47). Which iterations meet is in ``analysis/shared_writes.py``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from heddle.advice import Advice, KeepApart, StoreInOtherParts
from heddle.iteration_graph.analysis.shared_writes import known_before, parts_meet, races_with
from heddle.iteration_graph.checks.for_loops import check_for_loop
from heddle.iteration_graph.graph.nodes import IterationGraph, ParallelTag
from heddle.iteration_graph.graph.provenance import all_assignments, all_loops
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir.nodes import LoopKind
from heddle.notation.nodes import Access


@dataclass(frozen=True, slots=True)
class Race:
    """Two iterations of ``variable``, which runs as ``tag`` says, may add into one element of ``target``.

    Attributes
    ----------
    is_known
        whether the element is known before the loop, so that a worker may keep one partial result.
    has_atomics
        whether a loop around the element, this one included, updates it by atomics.
    """

    graph: IterationGraph
    variable: str
    tag: ParallelTag
    target: Access
    is_known: bool
    has_atomics: bool

    @property
    def in_lanes(self) -> bool:
        return self.tag.unit is LoopKind.CPU_VECTOR

    @property
    def on_threads(self) -> bool:
        return self.tag.unit is LoopKind.CPU_THREAD

    @property
    def element(self) -> str:
        """The text of what is added into."""
        indices = ", ".join(self.target.indices)
        return f"{self.target.tensor}({indices})" if indices else self.target.tensor

    @property
    def meeting(self) -> KeepApart:
        return KeepApart(self.variable, self.target.tensor, self.target.indices)


def check_race(graph: IterationGraph, variable: str, tag: ParallelTag, target: Access) -> None:
    """Raises Refusal when the strategy of ``tag`` does not protect ``target``, in which ``variable`` races."""
    around = {loop for path, assign in all_assignments(graph) if assign.target == target for loop in path}
    racing = [v for v in graph.parallel if v in around and races_with(graph, v, target)]
    atomics = any(graph.parallel[v].race == "Atomics" for v in racing)
    race = Race(graph, variable, tag, target, known_before(graph, variable, target), atomics)
    refusal = _find_refusal(race)
    if refusal is not None:
        raise refusal


def _find_refusal(race: Race) -> Refusal | None:
    """The first row that applies: what the strategy needs, and this loop does not have."""
    match race.tag.race:
        case "NoRaces" if race.on_threads and parts_meet(race.graph, race.variable, race.target):
            return _refuse_parts(race)
        case "NoRaces":
            return _refuse_unprotected(race)
        case "Temporary" | "ParallelReduction" if not race.is_known and race.in_lanes:
            return _refuse_copies_in_lanes(race)
        case "IgnoreRaces" if not race.is_known and not race.has_atomics:
            return _refuse_ignored(race)
        case "Temporary" | "ParallelReduction" if not race.is_known and not _can_copy(race):
            return _refuse_partial_results(race)
        case "Atomics" if race.in_lanes:
            return _refuse_atomics_in_lanes(race)
        case _ if race.in_lanes and race.has_atomics and not race.is_known:
            return _refuse_atomics_in_lanes(race)
        case _:
            return None


def _refuse_unprotected(race: Race) -> Refusal:
    graph, target = race.graph, race.target
    safe = next((loop for loop in all_loops(graph) if _runs_apart(graph, loop, target)), None)
    alternative = f", or parallelize {safe}" if safe is not None else ""
    strategy = "ParallelReduction" if race.in_lanes or race.is_known else "Atomics"
    return Refusal(
        "schedule/race",
        f"two iterations of {race.variable} add into the same {race.element}. Use {strategy}{alternative}.",
        argument="race",
        expected=f"a strategy for {race.element}, or a loop over its own indices",
        actual="NoRaces on a reduction",
        candidates=("Atomics", "Temporary", "ParallelReduction"),
        replacement=strategy,
        advice=(race.meeting,),
    )


def _refuse_copies_in_lanes(race: Race) -> Refusal:
    return Refusal(
        "schedule/reduction-target",
        f"which {race.element} an iteration of {race.variable} adds into is known only inside the loop, and vector "
        f"lanes cannot keep a copy of {race.target.tensor} each. Run {race.variable} on CPUThread, or leave it serial.",
        argument="unit",
        expected="CPU threads, or a reduction into a place that is known before the loop",
        actual=f"{race.element} under {race.variable}",
        replacement="CPUThread",
        advice=(race.meeting,),
    )


def _refuse_ignored(race: Race) -> Refusal:
    protections = (
        f"Vector lanes cannot protect it: leave {race.variable} serial, or move the reduction inside it."
        if race.in_lanes
        else "Use Atomics, or Temporary for partial results that are added up after the loop."
    )
    return Refusal(
        "schedule/ignored-race",
        f"two iterations of {race.variable} add into the same {race.element}, and no other loop protects it: updates "
        f"would be lost. {protections}",
        argument="race",
        expected="a strategy that protects every shared place",
        actual="IgnoreRaces on a reduction",
        candidates=() if race.in_lanes else ("Atomics", "Temporary"),
        replacement=None if race.in_lanes else "Atomics",
        advice=(race.meeting,),
    )


def _refuse_partial_results(race: Race) -> Refusal:
    return Refusal(
        "schedule/reduction-target",
        f"which {race.element} an iteration of {race.variable} adds into is known only inside the loop, so one partial "
        "result per worker is not enough. Use Atomics.",
        argument="race",
        expected="a reduction into a place that is known before the loop",
        actual=f"{race.element} under {race.variable}",
        replacement="Atomics",
        advice=(race.meeting,),
    )


def _refuse_atomics_in_lanes(race: Race) -> Refusal:
    serial = f"Leave {race.variable} serial, or move the reduction inside it"
    return Refusal(
        "schedule/vector-atomics",
        f"the lanes of {race.variable} would need an atomic update of {race.element} each, which vector units do not "
        f"have. {'Use ParallelReduction' if race.is_known else serial}.",
        argument="race" if race.is_known else "unit",
        expected="a vector loop without atomics",
        actual=f"atomics on {race.element}",
        replacement="ParallelReduction" if race.is_known else None,
        advice=(race.meeting,),
    )


_BUCKETS = re.compile(r"hyb\((\d+),(\d+)(?:,\d+)?\)")


def _refuse_parts(race: Race) -> Refusal:
    """Two iterations, of different parts, may add into one element."""
    graph, target, text = race.graph, race.target, race.element
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
        f"two parts of {name} may add into the same {text}: {why}, and {race.variable} runs through the parts side by "
        f"side. Use Atomics, {remedy}, or give the parts one loop over ranges of rows with share{ranges}.",
        argument="race",
        expected=f"a strategy for {text}, or parts that never meet there",
        actual="NoRaces on parts that may meet",
        candidates=("Atomics", "Temporary"),
        replacement="Atomics",
        advice=(*otherwise, race.meeting),
    )


def _runs_apart(graph: IterationGraph, loop: str, target: Access) -> bool:
    """Whether the iterations of another loop could share out the work: none meets another at ``target``."""
    try:
        check_for_loop(graph, loop)
    except Refusal:
        return False
    return not races_with(graph, loop, target)


def _can_copy(race: Race) -> bool:
    """Each thread can keep partial results of a result that has a position for every coordinate."""
    result = race.graph.signature.result
    return race.on_threads and race.target.tensor == result.name and result.format.is_dense
