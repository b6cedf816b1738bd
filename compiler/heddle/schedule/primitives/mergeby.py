"""``mergeby(i, strategy)``: how a loop over the common coordinates of sparse operands moves forward
(docs/sources.toml T33).

Before: ``∀i S``. After: the same loop, tagged. ``TwoFinger`` takes one step after the other, with a case for every set
of operands that may be there. ``Gallop`` jumps with each operand to the first coordinate that the others allow, which
pays when one operand has far fewer. ``Minimum`` goes to the smallest coordinate at which any term of a sum has an entry
and asks each whether it is there: one copy of the statement for any number of operands. Without the command it is
``TwoFinger``, and ``Minimum`` where that would copy the statement too often. On a loop that merges nothing the command
changes nothing, and a warning says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.iteration_graph.checks.merging import STRATEGIES, check_merges, lone, merges
from heddle.iteration_graph.graph.nodes import IterationGraph, MergeTag, Remark
from heddle.schedule.checks import require_loop, require_untagged
from heddle.schedule.command import CommandSpec, argument


@dataclass(frozen=True, slots=True)
class MergeBy:
    variable: str = argument("variable", "the loop that merges several sparse operands")
    strategy: str = argument(
        "enumeration", "one step at a time, in jumps by exponential search, or to the smallest coordinate", STRATEGIES
    )

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        if not merges(graph, self.variable):
            return graph.with_tags(remarks=(*graph.remarks, Remark(number, lone(graph, self.variable))))
        tagged = replace(graph, merge={**graph.merge, self.variable: MergeTag(self.strategy, number)})
        check_merges(tagged)  # before other checks ask for the cases
        return tagged


SPEC = CommandSpec(
    name="mergeby",
    make=MergeBy,
    summary="Choose how a merge of sparse operands advances: by cases, by galloping searches, or to the minimum.",
    before="while pb < pb_end and pc < pc_end:\n  i = min(b.crd[pb], c.crd[pc])\n  if both have i: S(i)\n"
    "  step where i was met",
    after="while pb < pb_end and pc < pc_end:\n  i = max(b.crd[pb], c.crd[pc])\n  if both have i: S(i); step both\n"
    "  else: gallop each to the first coordinate ≥ i",
    preconditions=(
        "the loop merges at least two sparse operands; on another one it changes nothing, with a warning",
        "Gallop: the operands are multiplied, so that only common coordinates count",
        "Gallop: their levels are ordered and unique",
        "Minimum: the operands belong to several terms of one sum, and their levels are ordered",
    ),
)
