"""``bound(i, ib, b, type)``: claim where the range of a loop ends (docs/sources.toml T30). Checked at run time."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import Forall, IterationGraph
from heddle.iteration_graph.graph.provenance import is_position, level_roots, position_relation, relation_above
from heddle.iteration_graph.graph.relation import Relation
from heddle.iteration_graph.graph.rewrite import replace_loop
from heddle.iteration_graph.relations.bound import BOUND_TYPES, BoundRelation
from heddle.schedule.checks import MAX_SIZE, require_loop, require_new, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class Bound:
    variable: str = argument("variable", "the loop whose range is known")
    bounded: str = argument("new-variable", "the loop over the known range", suggestions=("{}b",))
    bound: int = argument("integer", "where the range starts or ends", suggestions=(0, 32, 64))
    type: str = argument("enumeration", "which end is claimed, exactly or as a limit", BOUND_TYPES)

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        require_new(graph, {"bounded": self.bounded})
        if not 0 <= self.bound <= MAX_SIZE:
            raise Refusal(
                "schedule/bad-size",
                f"the bound must be an integer between 0 and {MAX_SIZE}, not {self.bound}.",
                argument="bound",
                expected=f"an integer between 0 and {MAX_SIZE}",
                actual=str(self.bound),
            )
        _check_single_range(graph, self.variable)
        if self.type.startswith("Min") and self.bound != 0:
            raise Refusal(
                "schedule/bound-never-holds",
                f"{self.variable} starts at 0, as every loop over coordinates does, so it can never start at "
                f"{self.bound}. Use 0, or bound where it ends with MaxExact or MaxConstraint.",
                argument="bound",
                expected="0",
                actual=str(self.bound),
                replacement="0",
            )
        if not self.type.startswith("Min") and self.bound == 0:
            raise Refusal(
                "schedule/bound-never-holds",
                f"{self.variable} would end at 0, where it starts: the kernel would refuse every operand that has an "
                f"element along {self.variable}. Claim where the range ends.",
                argument="bound",
                expected="at least 1",
                actual="0",
            )
        relation = BoundRelation(number, self.variable, self.bounded, self.bound, self.type)
        statement = replace_loop(graph.statement, self.variable, lambda loop: Forall(self.bounded, loop.body))
        return graph.with_relation(relation, statement)


def _check_single_range(graph: IterationGraph, variable: str) -> None:
    """The range of the loop is the same wherever the loop is entered, so that one number can bound it."""
    if is_position(graph, variable):
        raise Refusal(
            "schedule/bound-of-positions",
            f"{variable} runs over positions, whose range differs from one segment to the next: no single "
            f"number bounds it. Bound a coordinate variable.",
            argument="variable",
            expected="a coordinate variable",
            actual=f"{variable}, a position variable",
        )
    if any(position_relation(graph, root) is not None for root in level_roots(graph, variable)):
        raise Refusal(
            "schedule/bound-of-positions",
            f"{variable} runs over the coordinates of a range of positions, which differs from one segment to "
            f"the next: no single number bounds it. Bound a variable that does not come from positions.",
            argument="variable",
            expected="a coordinate variable that does not come from positions",
            actual=f"{variable}, by coord",
        )
    balanced = _find_balance(graph, variable)
    if balanced is not None:
        raise Refusal(
            "schedule/bound-of-balanced",
            f"{variable} runs over the rows of a part that {_maker(balanced)} made, and parts have different numbers "
            "of rows: no single number bounds it.",
            argument="variable",
            expected="a variable that does not come from the rows of a part",
            actual=f"{variable}, by {balanced.kind}",
        )


def _maker(relation: Relation) -> str:
    """The command that made the rows of a part, or the tensor whose format did."""
    block = relation.block
    return relation.text() if block is None else f"the format of {block.tensors[0]}"


def _find_balance(graph: IterationGraph, variable: str) -> Relation | None:
    """The relation among whose rows of a part ``variable`` runs; None where its range does not come from one."""
    above = relation_above(graph, variable)
    if above is not None and variable == above.uneven:
        return above
    relations = (_find_balance(graph, parent) for parent in (above.parents if above is not None else ()))
    return next((relation for relation in relations if relation is not None), None)


SPEC = CommandSpec(
    name="bound",
    make=Bound,
    summary="Claim where a loop starts or ends, so the code can use a constant. The kernel checks the claim.",
    before="for k in [0, K):\n  S(k)",
    after="require K = 32\nfor kb in [0, 32):\n  k = kb\n  S(k)",
    preconditions=(
        "the variable is a loop without a tag and runs over coordinates, not over the rows of a part of balance",
        "MinExact and MinConstraint: the bound is 0, where every loop over coordinates starts; MaxExact and "
        "MaxConstraint: it is at least 1",
        "at run time: the claim holds, or the kernel refuses",
    ),
)
