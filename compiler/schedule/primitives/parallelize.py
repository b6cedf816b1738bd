"""``parallelize(i, unit, race)``: run a loop on parallel units (paper 000 §5, §6.3; FEATURES T26–T28).

Before: ``∀i S``. After: the same loop, tagged. The race strategy says what happens where two iterations meet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compiler.iteration_graph.nodes import IterationGraph, ParallelTag
from compiler.loop_ir.nodes import LoopKind
from compiler.schedule.checks import require_loop, require_untagged
from compiler.schedule.command import CommandSpec, argument

UNITS = tuple(kind.value for kind in LoopKind)
RACES = ("NoRaces", "IgnoreRaces", "Atomics", "Temporary", "ParallelReduction")


@dataclass(frozen=True, slots=True)
class Parallelize:
    variable: str = argument("variable", "the loop to run in parallel")
    unit: str = argument("enumeration", "what runs the iterations", UNITS)
    race: str = argument("enumeration", "what happens where two iterations write the same place", RACES)

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        unit = LoopKind(self.unit)
        if unit is LoopKind.SERIAL:
            return graph
        return replace(graph, parallel={**graph.parallel, self.variable: ParallelTag(unit, self.race, number)})


SPEC = CommandSpec(
    name="parallelize",
    make=Parallelize,
    summary="Run the iterations of a loop on CPU threads, vector lanes or GPU units.",
    before="for i0 in [0, n):\n  S(i0)",
    after="parallel for i0 in [0, n):   # CPUThread\n  S(i0)",
    preconditions=(
        "the loop is a for-loop: no merge of several sparse operands",
        "NoRaces: no two iterations write the same place",
        "IgnoreRaces: another strategy already protects every place where iterations meet",
        "Temporary and ParallelReduction: the place is known in front of the loop",
    ),
)
