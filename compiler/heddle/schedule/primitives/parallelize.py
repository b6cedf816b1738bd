"""``parallelize(i, unit, race)``: run a loop on parallel units (docs/sources.toml T26 to T28).

Before: ``∀i S``. After: the same loop, tagged. The race strategy says what happens where two iterations meet.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import IterationGraph, ParallelTag
from heddle.iteration_graph.graph.provenance import all_loops, variables
from heddle.loop_ir.nodes import LoopKind
from heddle.schedule.checks import require_loop, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument

UNITS = tuple(kind.value for kind in LoopKind)
RACES = ("NoRaces", "IgnoreRaces", "Atomics", "Temporary", "ParallelReduction")


@dataclass(frozen=True, slots=True)
class Parallelize:
    variable: str = argument("variable", "the loop to run in parallel")
    unit: str = argument("enumeration", "what runs the iterations", UNITS)
    race: str = argument("enumeration", "what to do where two iterations write to the same place", RACES)

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        counted = _counted_loop(graph, self.variable)
        if counted is not None and counted in graph.parallel:
            _require_same(graph, self, counted)
            return graph
        variable = counted or self.variable
        require_loop(graph, variable, "variable")
        require_untagged(graph, variable, "variable")
        unit = LoopKind(self.unit)
        if unit is LoopKind.SERIAL:
            return graph
        return graph.with_tags(parallel={**graph.parallel, variable: ParallelTag(unit, self.race, number)})


def _counted_loop(graph: IterationGraph, name: str) -> str | None:
    """``qi``: the loop over i in the pass that counts the coordinates of an assembled result. Both passes run the same
    loops, so that it is the loop over i."""
    if graph.assemble is None or not name.startswith("q") or name in variables(graph):
        return None
    return name[1:] if name[1:] in all_loops(graph) else None


def _require_same(graph: IterationGraph, wanted: Parallelize, loop: str) -> None:
    tag = graph.parallel[loop]
    if (tag.unit.value, tag.race) != (wanted.unit, wanted.race):
        raise Refusal(
            "schedule/counting-loop",
            f"{wanted.variable} is the loop over {loop} in the pass that counts the coordinates of "
            f"{graph.signature.result.name}, and both passes run the same way: {loop} runs on {tag.unit.value} with "
            f"{tag.race} since command {tag.command + 1}.",
            expected=f"parallelize({wanted.variable}, {tag.unit.value}, {tag.race})",
            actual=f"{wanted.unit}, {wanted.race}",
        )


SPEC = CommandSpec(
    name="parallelize",
    make=Parallelize,
    summary="Run the iterations of a loop on CPU threads, vector lanes or GPU units.",
    before="for i0 in [0, n):\n  S(i0)",
    after="parallel for i0 in [0, n):   # CPUThread\n  S(i0)",
    preconditions=(
        "the loop is a for-loop: no merge of several sparse operands",
        "NoRaces: no two iterations write to the same place",
        "IgnoreRaces: another strategy already protects every place where iterations meet",
        "Temporary and ParallelReduction: the place is known before the loop; ParallelReduction over the threads of "
        "a GPUWarp also accepts places found inside it, where neighbours with the same place combine",
        "GPUBlock is the outermost loop; a GPUWarp (32 lanes) goes inside a GPUBlock, a GPUThread inside either",
        "a loop on GPUWarp or GPUThread with more iterations than there are threads runs in several turns",
        "on a GPU, Atomics of one unit protect a place for all units of its nest",
    ),
)
