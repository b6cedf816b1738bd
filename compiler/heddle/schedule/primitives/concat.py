"""``concat(t, A[*])``: the outermost loops of several parts one after the other, as one loop (horizontal fusion).

Before: ``∀a S; ∀b T``. After: ``∀t`` over both ranges, with ``S`` in its first iterations and ``T`` behind them: one
parallel region, or one launch of a GPU, for all parts.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.gpu_units import GPU_UNITS
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Series
from heddle.iteration_graph.graph.provenance import loop_variables, variables
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.relations.concat import ConcatRelation
from heddle.iteration_graph.transform.implicit import with_implicit_positions
from heddle.names import Names
from heddle.schedule.checks import require_new
from heddle.schedule.command import CommandSpec, argument
from heddle.schedule.parts.part_statements import PartStatement, join, part_statements, stored_coordinate
from heddle.schedule.parts.selection import Selection
from heddle.schedule.primitives.pos import Pos


@dataclass(frozen=True, slots=True)
class Concat:
    whole: str = argument("new-variable", "the loop over all ranges", suggestions=("t",))
    parts: Selection = argument("parts", "the parts whose outermost loops become one")  # noqa: RUF009

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_new(graph, {"whole": self.whole})
        graph = with_implicit_positions(graph)
        for statement in part_statements(graph, self.parts, "concat"):
            graph = _over_positions(graph, statement, number)
        statements = part_statements(graph, self.parts, "concat")
        self._check_units(graph, statements)
        cases = tuple(statement.loop.variable for statement in statements)
        relation = ConcatRelation(number, cases, self.whole)
        return graph.with_relation(
            relation, join(graph, statements, lambda bodies: Forall(self.whole, Series(bodies, cases)))
        )

    def _check_units(self, graph: IterationGraph, members: list[PartStatement]) -> None:
        """The bodies run on the units of one machine."""
        of_gpu: dict[bool, tuple[PartStatement, str]] = {}
        for member in members:
            for variable in loop_variables(member.loop):
                if variable in graph.parallel:
                    unit = graph.parallel[variable].unit
                    of_gpu.setdefault(unit in GPU_UNITS, (member, unit.value))
        if len(of_gpu) > 1:
            (gpu, gpu_unit), (cpu, cpu_unit) = of_gpu[True], of_gpu[False]
            raise Refusal(
                "schedule/unlike-units",
                f"{cpu.part.name} runs on {cpu_unit}, but {gpu.part.name} on {gpu_unit}: one loop over both would run "
                "on a CPU and on a GPU. Use units of one of them in all parts.",
                argument="parts",
                expected=f"{cpu_unit}, or {gpu_unit}, in all parts",
                actual=f"{cpu_unit} and {gpu_unit}",
            )


def _over_positions(graph: IterationGraph, statement: PartStatement, number: int) -> IterationGraph:
    """The loop over coordinates that a level of the part stores as the loop over their positions, which can be
    counted."""
    variable = statement.loop.variable
    stored = stored_coordinate(graph, variable)
    if stored is None:
        return graph
    if stored != variable:
        raise Refusal(
            "schedule/uncounted-loop",
            f"{variable} of {statement.part.name} visits the coordinates {stored} that the part stores, whose "
            f"number is not "
            "known before it. Use pos on the part first, or concat before this command.",
            argument="parts",
            expected="a loop over a range or over positions",
            actual=variable,
        )
    reserved = {*variables(graph), *graph.signature.tensors, *graph.workspaces}
    return Pos(variable, Names(reserved).fresh(f"{variable}_pos"), statement.part.operand).apply(graph, number)


SPEC = CommandSpec(
    name="concat",
    make=Concat,
    summary="Run the outermost loops of the parts of a tensor as one: one parallel region or one launch for all parts.",
    before="for a in [0, m):   # of part ell4\n  S(a)\nfor b in [0, n):   # of part csr\n  T(b)",
    after="for t in [0, m + n):\n  if t < m: S(t)\n  else: T(t − m)",
    preconditions=(
        "the tensor is a sum of parts, and none of the outermost loops of the selected parts is tagged",
        "inside, all parts run on units of a CPU, or all on units of a GPU",
        "where the loop is parallel without atomics, the tests put each row into one part",
    ),
)
