"""``balance(i, i0, i1, A, parts)``: cut a loop over rows so that every part has as many entries of A.

Before: ``∀i S``. After: ``∀i0 ∀i1 S`` where each ``i0`` owns a range of whole rows: no row is shared, so that no
update is atomic. ``balance(i, i0, i1, A, parts, B)`` gives every part as many products of A(i,k) and B(k,j).
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.formats.levels.kinds import counts_rows
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph
from heddle.iteration_graph.graph.provenance import level_variables, operand_accesses
from heddle.iteration_graph.graph.rewrite import replace_loop
from heddle.iteration_graph.relations.balance import BalanceRelation
from heddle.notation.nodes import Access
from heddle.schedule.checks import require_loop, require_new, require_size, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class Balance:
    variable: str = argument("variable", "the loop over rows to cut")
    outer: str = argument("new-variable", "the loop over parts", suggestions=("{}0",))
    inner: str = argument("new-variable", "the loop over the rows of a part", suggestions=("{}1",))
    tensor: str = argument("tensor", "the tensor whose entries are counted")
    parts: int = argument("integer", "how many parts", suggestions=(2, 8, 32, 128))
    weights: str | None = argument(
        "tensor",
        "weight each entry by the number of entries in the row of this tensor that it meets: parts with equally "
        "many products",
        default=None,
    )

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        require_new(graph, {"outer": self.outer, "inner": self.inner})
        require_size(self.parts, "parts", "the number of parts")
        access = _rows(graph, self.variable, self.tensor)
        weights = None if self.weights is None else _weights(graph, access, self.weights)
        relation = BalanceRelation(number, self.variable, self.outer, self.inner, access, self.parts, weights)
        statement = replace_loop(
            graph.statement, self.variable, lambda loop: Forall(self.outer, Forall(self.inner, loop.body))
        )
        return graph.with_relation(relation, statement)


def _rows(graph: IterationGraph, variable: str, tensor: str) -> Access:
    """The access whose entries lie row by row under the variable."""
    counted: list[Access] = []
    for access in operand_accesses(graph, graph.statement):
        levels = graph.signature.tensors[access.tensor].format.levels
        variables = level_variables(graph, access)
        if variables[:1] == [variable] and counts_rows([level.kind for level in levels]):
            counted.append(access)
    operand = next((access for access in counted if access.tensor == tensor), None)
    if operand is not None:
        return operand
    names = tuple(dict.fromkeys(access.tensor for access in counted))
    available = f"Such tensors here: {', '.join(names)}." if names else "No tensor here has such rows; use divide."
    raise Refusal(
        "schedule/no-rows",
        f"{tensor} does not count its entries by rows of {variable}: its first level would have to be dense or "
        f"sorted over {variable}, its second compressed. {available}",
        argument="tensor",
        expected=f"a tensor with dense rows {variable} over a compressed level",
        actual=tensor,
        candidates=names,
        replacement=names[0] if names else None,
    )


def _weights(graph: IterationGraph, access: Access, tensor: str) -> Access:
    """The access to ``tensor`` whose dense rows the entries of ``access`` select."""
    met, kinds = level_variables(graph, access)[1], _kinds(graph, access)
    rows = [
        other
        for other in operand_accesses(graph, graph.statement)
        if kinds == ("dense", "compressed")
        and level_variables(graph, other)[:1] == [met]
        and _kinds(graph, other) == ("dense", "compressed")
    ]
    operand = next((other for other in rows if other.tensor == tensor), None)
    if operand is not None:
        return operand
    names = tuple(dict.fromkeys(other.tensor for other in rows))
    available = f"Such tensors here: {', '.join(names)}." if names else "No tensor here has them: leave it out."
    raise Refusal(
        "schedule/no-weights",
        f"entries of {access.tensor} cannot be weighted by rows of {tensor}: both must be stored as dense rows over "
        f"a compressed level, with the rows of {tensor} indexed by {met}. {available}",
        argument="weights",
        expected=f"a tensor with dense rows {met} over a compressed level",
        actual=tensor,
        candidates=names,
        replacement=names[0] if names else None,
    )


def _kinds(graph: IterationGraph, access: Access) -> tuple[str, ...]:
    return tuple(level.kind for level in graph.signature.tensors[access.tensor].format.levels[:2])


SPEC = CommandSpec(
    name="balance",
    make=Balance,
    summary="Cut a loop over rows into parts with equally many entries of a tensor; no row is shared.",
    before="for i in [0, I):\n  S(i)",
    after="for i0 in [0, 4):\n  first = search(A.pos, i0 · nnz / 4)\n  for i1 in rows from first on:\n    S(i1)",
    preconditions=(
        "the variable is the first level of the tensor, dense or sorted; its second level is compressed or slots",
        "with weights, both tensors have dense rows over a compressed level, coordinates of the first are rows of the "
        "second, and no loop runs on a GPU",
        "the loop over parts stays outside the loop over rows",
        "the new names are free",
    ),
)
