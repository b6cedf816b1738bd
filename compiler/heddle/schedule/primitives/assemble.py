"""``assemble(A, strategy)``: how the stored coordinates of a sparse result come about (docs/sources.toml T34).

Before: the result shares its coordinates with an operand where it can. After ``Insert``: its coordinates are counted in
a first pass over the loops, and filled in a second one. After ``Append``: the first pass only bounds their number,
which costs less where a workspace sums them, and takes more memory; where rows do not come in order, it counts them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.iteration_graph.graph.nodes import AssembleTag, IterationGraph, Remark
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class Assemble:
    tensor: str = argument("tensor", "the result")
    strategy: str = argument(
        "enumeration",
        "Append after a pass that bounds the number of entries, Insert after one that counts them",
        ("Append", "Insert"),
    )
    separate: str = argument(
        "enumeration",
        "whether the pass that counts is separate from the one that computes; with Insert it always is",
        ("true", "false"),
        default="true",
    )

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        result = graph.signature.result
        if self.tensor != result.name:
            raise Refusal(
                "schedule/assemble-result",
                f"{self.tensor} is not what the kernel computes: only the result {result.name} is assembled.",
                argument="tensor",
                expected=result.name,
                actual=self.tensor,
                replacement=result.name,
            )
        if graph.assemble is not None:
            raise Refusal(
                "schedule/already-assembled",
                f"command {graph.assemble.command + 1} already says how {result.name} is assembled.",
                expected="one assemble per result",
                actual=f"assemble({result.name}, {graph.assemble.strategy})",
            )
        changed = replace(graph, assemble=AssembleTag(self.strategy, number))
        if not result.format.is_dense:
            return changed
        idle = Refusal(
            "schedule/nothing-to-assemble",
            f"{result.name} is dense: it stores every coordinate, so there is nothing to assemble.",
            argument="tensor",
            expected="a result with compressed levels",
            actual=f"{result.name}, dense",
        )
        return replace(changed, remarks=(*graph.remarks, Remark(number, idle)))


SPEC = CommandSpec(
    name="assemble",
    make=Assemble,
    summary="Say how the coordinates of a sparse result are assembled.",
    before="A.crd, A.vals = append(…)",
    after="count → prefix sum → fill",
    preconditions=("the tensor is the result; of a dense one nothing is assembled, with a warning",),
)
