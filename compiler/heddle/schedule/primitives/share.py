"""``share(i0, A[*])``: one outermost loop for the statements of several parts.

Before: ``∀i0_a S; ∀i0_b T``. After: ``∀i0 (S; T)``: a worker that has a range of rows has it in all parts, and adds
what they hold in the order of the parts.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Series
from heddle.iteration_graph.graph.provenance import is_position, relation_above, variables
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.relations.share import ShareRelation
from heddle.iteration_graph.transform.implicit import with_implicit_positions
from heddle.names import Names
from heddle.schedule.command import CommandSpec, argument
from heddle.schedule.parts.for_parts import name_in_part
from heddle.schedule.parts.part_statements import PartStatement, join, part_statements, stored_coordinate
from heddle.schedule.parts.selection import Selection


@dataclass(frozen=True, slots=True)
class Share:
    variable: str = argument("variable", "the outermost loop of each part, by its name in the program of one part")
    parts: Selection = argument("parts", "the parts whose loop becomes one")  # noqa: RUF009

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        graph = with_implicit_positions(graph)
        statements = part_statements(graph, self.parts, "share")
        for statement in statements:
            self._check_outermost(graph, statement)
        for statement in statements:
            self._check_range(graph, statement)
        first = statements[0]
        kind = _provenance(graph, first.loop.variable, first)
        for statement in statements[1:]:
            other = _provenance(graph, statement.loop.variable, statement)
            if other != kind:
                raise Refusal(
                    "schedule/unlike-ranges",
                    f"{first.loop.variable} of {first.part.name} runs over {kind}, but {statement.loop.variable} of "
                    f"{statement.part.name} over {other}. One loop has one range: divide all parts alike, with "
                    f"{self.parts.tensor}[*]: before the command.",
                    argument="parts",
                    expected=kind,
                    actual=other,
                )
        reserved = {*variables(graph), *graph.signature.tensors, *graph.workspaces}
        shared = Names(reserved).fresh(self.variable)
        relation = ShareRelation(number, tuple(statement.loop.variable for statement in statements), shared)
        return graph.with_relation(relation, join(graph, statements, lambda bodies: Forall(shared, Series(bodies))))

    def _check_outermost(self, graph: IterationGraph, statement: PartStatement) -> None:
        wanted = name_in_part(graph, statement.part, self.variable)
        actual = statement.loop.variable
        if wanted != actual:
            raise Refusal(
                "schedule/not-outermost",
                f"the outermost loop of {statement.part.name} is {actual}, not {wanted}. Name the loop that all "
                f"parts have "
                "outermost, or reorder them first.",
                argument="variable",
                expected=f"the outermost loop of {statement.part.name}",
                actual=self.variable,
            )

    def _check_range(self, graph: IterationGraph, statement: PartStatement) -> None:
        """The loop must run over a range, not over what a level stores."""
        variable = statement.loop.variable
        if stored_coordinate(graph, variable) is None and not is_position(graph, variable):
            return
        tile = f"{self.parts.text}: split({self.variable}, {self.variable}0, {self.variable}1, 256)"
        raise Refusal(
            "schedule/stored-range",
            f"{variable} visits what {statement.part.name} stores, which differs from part to part. Share a "
            f"loop over ranges "
            f"of coordinates: write {tile} and share({self.variable}0, {self.parts.text}).",
            argument="variable",
            expected="a loop over ranges of coordinates",
            actual=self.variable,
            instead=() if is_position(graph, variable) else (tile, f"share({self.variable}0, {self.parts.text})"),
        )


def _provenance(graph: IterationGraph, variable: str, statement: PartStatement) -> str:
    """What a loop runs over, in the names of the program of one part."""
    above = relation_above(graph, variable)
    if above is None:
        names = {variable: name for name, variable in statement.part.variables.items()}
        return f"the range of {names.get(variable, variable)}"
    parents = " and ".join(_provenance(graph, parent, statement) for parent in above.parents)
    suffix = f"_{statement.part.name}"
    if above.block is not None:
        cut, inside = above.block.cut, variable == above.block.inner
        if cut.parts is not None:
            pieces = f"{cut.parts} parts with equally many entries" if cut.even else f"{cut.parts} equal parts"
            return f"{'places in ' if inside else ''}{pieces} of {parents}"
        return f"{'places in ' if inside else ''}blocks of {cut.size} of {parents}"
    short = {name: name.removesuffix(suffix) for name in (*above.parents, *above.children)}
    return f"{short[variable]} of {above.rename(short).text()}, {parents}"


SPEC = CommandSpec(
    name="share",
    make=Share,
    summary="Give the parts of a tensor one outermost loop: a worker owns its rows in all of them, without atomics.",
    before="for i0 in [0, n):   # of part ell4\n  S(i0)\nfor i0 in [0, n):   # of part csr\n  T(i0)",
    after="for i0 in [0, n):\n  S(i0)\n  T(i0)",
    preconditions=(
        "the tensor is a sum of parts, and the loop is the outermost one of each selected part",
        "the loops run over the same range of coordinates: of a dimension, or of tiles of one size",
        "none of the loops is tagged",
    ),
)
