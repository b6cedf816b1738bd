"""``precompute(expression, i, iw, w)``: compute a part of the expression first (docs/sources.toml T31).

Before: ``∀i S[e]``. After: ``∀i S[w(i)] where ∀iw w(iw) = e``. Loops that only ``e`` needs move to the producer, where
they sum into the workspace.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.diagnostics import CompileError
from heddle.iteration_graph.graph.blocks import expression_by_blocks, known_blocks
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import remember, variables
from heddle.iteration_graph.graph.slots import known_slots, with_slots
from heddle.iteration_graph.transform.precompute import precompute
from heddle.iteration_graph.transform.producer_variables import Precomputed, fresh_copy
from heddle.names import Names
from heddle.notation.nodes import Expression, accesses
from heddle.notation.parser import parse_expression
from heddle.notation.rename import rename_variables
from heddle.schedule.checks import require_loop, require_new, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class Precompute:
    expression: str = argument("expression", "the part to compute first")
    variables: tuple[str, ...] = argument("variable-set", "the loops whose values the workspace holds")
    copies: tuple[str, ...] = argument(
        "new-variable-set",
        "the producer's names for these loops; names already in use are replaced",
        suggestions=("{}w",),
    )
    workspace: str | None = argument("new-tensor", "the name of the workspace", default=None)

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        part = _find_part(graph, self.expression)
        for variable in self.variables:
            require_loop(graph, variable, "variables")
            if variable in graph.parallel:
                require_untagged(graph, variable, "variables")
        if len(self.copies) != len(self.variables) or len(set(self.variables)) != len(self.variables):
            raise Refusal(
                "schedule/precompute-names",
                f"{_spell(self.variables)} needs one new name for each variable, found {_spell(self.copies)}.",
                argument="copies",
                expected=f"{len(self.variables)} names",
                actual=_spell(self.copies),
                replacement=_spell(self.variables),
            )
        copies = self._copies(graph)
        name = self.workspace
        if name is None:
            name = Names({*variables(graph), *graph.signature.tensors, *graph.workspaces, *copies}).fresh("w")
        else:
            require_new(graph, {"workspace": name}, copies)
        return precompute(graph, Precomputed(part, self.variables, copies, name, number))

    def _copies(self, graph: IterationGraph) -> tuple[str, ...]:
        """The producer's loops are loops of their own: a name given twice stands for a copy of the variable."""
        copies: list[str] = []
        for variable, copy in zip(self.variables, self.copies, strict=True):
            if copy == variable:
                copies.append(fresh_copy(graph, variable))
            else:
                require_new(graph, {"copies": copy})
                copies.append(copy)
        return tuple(copies)


@remember
def _find_part(graph: IterationGraph, text: str) -> Expression:
    """What ``text`` spells, as the graph has it."""
    try:
        part = rename_variables(parse_expression(text), {})
    except CompileError as error:
        raise Refusal(
            "schedule/precompute-expression",
            f"{text} is not an expression: {error.diagnostics[0].message}",
            argument="expression",
            expected="a part of the expression, such as B(i,k) * C(k,j)",
            actual=text,
        ) from None
    known = {*graph.signature.tensors, *graph.workspaces}
    for access in accesses(part):
        if access.tensor not in known:
            raise Refusal(
                "schedule/unknown-tensor",
                f"there is no tensor {access.tensor}. Available: {', '.join(sorted(known))}.",
                argument="expression",
                expected="tensors of the expression",
                actual=access.tensor,
                candidates=tuple(sorted(known)),
            )
    written = with_slots(part, known_slots(graph))
    return expression_by_blocks(written, graph.signature, known_blocks(graph.relations))


def _spell(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"


SPEC = CommandSpec(
    name="precompute",
    make=Precompute,
    summary="Compute a part of the expression into a workspace before it is used.",
    before="for j in [0, n):\n  A(i, j) += B(i, k) * C(k, j)",
    after="for jw in [0, n):\n  w(jw) += B(i, k) * C(k, jw)\nfor j in [0, n):\n  A(i, j) = w(j)",
    preconditions=(
        "the expression is a part of what one statement computes: factors of a product or terms of a sum",
        "the loops stand directly around that statement",
        "the loops are not parallel yet: parallelize comes last",
    ),
)
