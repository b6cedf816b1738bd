"""``prefetch(B(j,k), distance)``: prefetch elements before the loop that will load them.

Before: ``∀j S[B(j,k)]`` where ``j`` runs over stored coordinates. After: the same, and at each position ``p`` the
element of ``B`` for the coordinate at ``p + distance`` is prefetched.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.diagnostics import CompileError
from heddle.iteration_graph.analysis.prefetchable import is_located
from heddle.iteration_graph.graph.nodes import IterationGraph, PrefetchTag
from heddle.iteration_graph.graph.provenance import operand_accesses
from heddle.notation.nodes import Access
from heddle.notation.parser import parse_expression
from heddle.notation.printer import to_text
from heddle.schedule.command import CommandSpec, Refusal, argument

FARTHEST = 1024


@dataclass(frozen=True, slots=True)
class PrefetchAccess:
    access: str = argument("expression", "the operand to prefetch, as it is written in the expression")
    distance: int = argument("integer", "how many stored coordinates ahead", suggestions=(8, 16, 32))

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        access = self._access(graph)
        if not 1 <= self.distance <= FARTHEST:
            raise Refusal(
                "schedule/bad-distance",
                f"the distance must be between 1 and {FARTHEST} coordinates, not {self.distance}.",
                argument="distance",
                expected=f"an integer between 1 and {FARTHEST}",
                actual=str(self.distance),
                replacement="8",
            )
        if access.tensor in graph.prefetch:
            earlier = graph.prefetch[access.tensor]
            raise Refusal(
                "schedule/already-prefetched",
                f"command {earlier.command + 1} already prefetches {access.tensor}.",
                argument="access",
                expected="one prefetch per tensor",
                actual=to_text(access),
            )
        tag = PrefetchTag(self.distance, number)
        return graph.with_tags(prefetch={**graph.prefetch, access.tensor: tag})

    def _access(self, graph: IterationGraph) -> Access:
        operands = operand_accesses(graph, graph.statement)
        try:
            wanted = parse_expression(self.access)
        except CompileError:
            wanted = None
        operand = next(
            (access for access in operands if wanted is not None and to_text(access) == to_text(wanted)), None
        )
        good = tuple(dict.fromkeys(to_text(access) for access in operands if is_located(graph, access)))
        if operand is not None and is_located(graph, operand):
            return operand
        advice = f"Such operands here: {', '.join(good)}." if good else "There is no such operand here."
        raise Refusal(
            "schedule/nothing-to-prefetch",
            f"{self.access} is not an operand whose place depends on a stored coordinate of another tensor: all "
            f"other places are known without a load from memory. {advice}",
            argument="access",
            expected="an operand that is located by a coordinate that another tensor stores",
            actual=self.access,
            candidates=good,
            replacement=good[0] if good else None,
        )


SPEC = CommandSpec(
    name="prefetch",
    make=PrefetchAccess,
    summary="Request elements of an operand a few stored coordinates ahead, so that they arrive in time.",
    before="for p in A.pos[i]:\n  j = A.crd[p]\n  S(B[j, …])",
    after="for p in A.pos[i]:\n  j = A.crd[p]\n  prefetch(B[A.crd[p + 8], …])\n  S(B[j, …])",
    preconditions=(
        "the operand is dense in the dimension where another tensor's coordinate decides the place",
        f"the distance is between 1 and {FARTHEST}",
        "the target is c: other targets have no such instruction",
    ),
)
