"""``together(i, i2)``: two statements under one loop (docs/sources.toml C9, C12).

Before: ``∀i P ; ∀i2 C``. After: ``∀i (P ; C)``, with ``i`` in place of ``i2``. What ``P`` computes and nobody else
reads needs no memory for ``i`` any more.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.analysis.dependences import Forbidding, forbidding
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Statement
from heddle.iteration_graph.graph.sequence import computed_by, read_by
from heddle.iteration_graph.transform.shared_loops import Siblings, find_siblings, fuse
from heddle.notation.printer import to_text
from heddle.schedule.checks import require_loop, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument
from heddle.schedule.fusion_checks import require_dense, require_statements, require_uncut, require_whole, spell
from heddle.schedule.loop_names import checked_access, describe_loops, nearest_loops
from heddle.schedule.primitives.inline import Inline

FORBIDDEN = "schedule/together-dependence"


@dataclass(frozen=True, slots=True)
class Together:
    first: str = argument("variable", "the outermost loop of the statement that runs first")
    second: str = argument("variable", "the outermost loop of a later statement, over the same range")

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_statements(graph)
        for variable, name in ((self.first, "first"), (self.second, "second")):
            require_uncut(graph, variable, name)
            require_loop(graph, variable, name)
            require_whole(graph, variable, name, "together")
            require_untagged(graph, variable, name)
        siblings = find_siblings(graph.statement, self.first, self.second)
        if siblings is None or self.first == self.second:
            raise self._no_siblings(graph)
        self._check_gathers(graph, siblings)
        for place, name in ((siblings.first, "first"), (siblings.second, "second")):
            reason = "under one loop an iteration would read what it has just computed"
            require_dense(graph, computed_by(siblings.statements[place]), name, reason)
        if siblings.first > siblings.second:
            raise Refusal(
                "schedule/together-order",
                f"{self._loop(siblings, siblings.second)} runs in front of {self._loop(siblings, siblings.first)}: "
                "name the loop of the earlier statement first.",
                argument="first",
                expected=self.second,
                actual=self.first,
                instead=(f"together({self.second}, {self.first})",),
            )
        self._check_extents(graph)
        order = self._order(graph, siblings)
        first, second = siblings.statements[siblings.first], siblings.statements[siblings.second]
        self._check_dependences(graph, first)
        self._check_numbers(graph, first, second)
        return fuse(graph, siblings, order)

    def _loop(self, siblings: Siblings, place: int) -> str:
        """``i2 (of y)``"""
        statement = siblings.statements[place]
        assert isinstance(statement, Forall)
        return f"{statement.variable} (of {' and '.join(computed_by(statement))})"

    def _check_gathers(self, graph: IterationGraph, siblings: Siblings) -> None:
        """The checks of gathers end before anything is read."""
        for place, loop, other in (
            (siblings.first, self.first, self.second),
            (siblings.second, self.second, self.first),
        ):
            (tensor, *_) = computed_by(siblings.statements[place])
            access = checked_access(graph, tensor)
            if access is None:
                continue
            close = [name for name in nearest_loops(graph, loop) if name not in (loop, other)]
            raise Refusal(
                "schedule/together-check",
                f"{loop} is the loop of {tensor}, which counts the indices of {access} that lie outside: it ends "
                f"before anything is read, and shares no loop. Available: {describe_loops(graph)}."
                + (f" Did you mean {close[0]}?" if close else ""),
                argument="first" if loop == self.first else "second",
                expected="the loops of two statements of the program",
                actual=loop,
                replacement=close[0] if close else None,
            )

    def _no_siblings(self, graph: IterationGraph) -> Refusal:
        if self.first == self.second:
            return Refusal(
                "schedule/together-siblings",
                f"{self.first} is named twice. Name the outermost loops of two statements, the earlier one first. "
                f"Available: {describe_loops(graph)}.",
                argument="second",
                expected=f"the outermost loop of a statement beside that of {self.first}",
                actual=self.second,
            )
        return Refusal(
            "schedule/together-siblings",
            f"{self.first} and {self.second} are not loops of two statements of one sequence: each must be the "
            "outermost loop of its statement, inside the same loops. Reorder them to the outside, or put the loops "
            f"around them together first. Available: {describe_loops(graph)}.",
            argument="second",
            expected=f"the outermost loop of a statement beside that of {self.first}",
            actual=self.second,
        )

    def _check_extents(self, graph: IterationGraph) -> None:
        first, second = (graph.copies.get(name, name) for name in (self.first, self.second))
        if first == second:
            return
        extents = {} if graph.signature.program is None else graph.signature.program.extents
        extent, other = extents.get(first), extents.get(second)
        if extent is not None and other is not None:
            if extent == other:
                return
            ranges = f"{self.first} over [0, {to_text(extent)}) and {self.second} over [0, {to_text(other)})"
        else:
            ranges = f"nothing says that {self.first} and {self.second} have one size"
        raise Refusal(
            "schedule/together-extents",
            f"one loop has one range, but {ranges}.",
            argument="second",
            expected=f"a loop over the range of {self.first}",
            actual=self.second,
        )

    def _order(self, graph: IterationGraph, siblings: Siblings) -> list[int]:
        """The places of the other statements around the two: behind them what needs the first, the rest in front."""
        before = [*range(siblings.first)]
        waiting, needed = [], set(computed_by(siblings.statements[siblings.first]))
        for place in range(siblings.first + 1, siblings.second):
            if read_by(graph, siblings.statements[place]) & needed:
                waiting.append(place)
                needed |= set(computed_by(siblings.statements[place]))
            else:
                before.append(place)
        last = siblings.statements[siblings.second]
        computed = {name for place in waiting for name in computed_by(siblings.statements[place])}
        ends = siblings.second == len(siblings.statements) - 1
        if waiting and (computed & read_by(graph, last) or ends):
            names = ", ".join(name for place in waiting for name in computed_by(siblings.statements[place]))
            head = siblings.statements[waiting[0]]
            loop = head.variable if isinstance(head, Forall) else None
            raise Refusal(
                "schedule/together-between",
                f"{names} lies between them: it reads what {self.first} computes, and comes before {self.second}. "
                + (f"Put {loop} together with one of them first." if loop else "It has no loop to share."),
                argument="second",
                expected=f"the loop behind {self.first}",
                actual=self.second,
                candidates=(loop,) if loop else (),
            )
        behind = range(siblings.second + 1, len(siblings.statements))
        return [*before, siblings.first, *waiting, *behind]

    def _check_numbers(self, graph: IterationGraph, first: Statement, second: Statement) -> None:
        """Under one loop, each iteration begins anew what its statements compute: what has no index would be lost."""
        names = [name for statement in (first, second) for name in computed_by(statement) if name in graph.workspaces]
        numbers = [name for name in names if not graph.workspaces[name].variables]
        if numbers:
            raise Refusal(
                "schedule/together-number",
                f"{numbers[0]} is one number that all iterations combine into, but under one loop each iteration "
                "begins anew what its statements compute. Leave the loops apart.",
                argument="first" if numbers[0] in computed_by(first) else "second",
                expected="statements that compute tensors with an index",
                actual=numbers[0],
            )

    def _check_dependences(self, graph: IterationGraph, first: Statement) -> None:
        """Each element must be read in the iteration that computes it."""
        for dependence in forbidding(graph, self.first, self.second, computed_by(first)):
            raise self._forbidden(graph, dependence)

    def _forbidden(self, graph: IterationGraph, dependence: Forbidding) -> Refusal:
        flow, distance = dependence.flow, dependence.distance
        tensor = flow.write.tensor
        reading = f"{self.second} reads {spell(graph, flow.read)}"
        if distance is None:
            how = "adds" if flow.writer.operator == "+=" else "reduces"
            why = f"{reading}, which is complete only behind the last iteration of {self.first}, that {how} into it"
        elif distance.upper is not None and distance.upper < 0 and distance.lower == distance.upper:
            why = f"{reading}, which {self.first} computes {_steps(-distance.upper)} later"
        elif distance.lower is not None and distance.lower > 0 and distance.lower == distance.upper:
            why = (
                f"{reading}, which {self.first} computes {_steps(distance.lower)} earlier: the iterations could "
                f"no longer "
                "run in any order"
            )
        else:
            why = f"{reading}: which iteration of {self.first} computes that is not always the same one"
        advice: tuple[str, ...] = ()
        if not flow.write.indices:  # written where it is read, a reduction would run again in each iteration
            why = f"{why}. Leave the loops apart."
        else:
            advice = self._inline(graph, tensor)
            why = f"{why} ({spell(graph, flow.write)} → {spell(graph, flow.read)}: distance {dependence.text}). "
            why += f"Use inline({tensor}), or leave the loops apart." if advice else "Leave the loops apart."
        return Refusal(
            FORBIDDEN,
            why,
            argument="second",
            expected="distance 0 of all dependences",
            actual=self.second,
            instead=advice,
        )

    def _inline(self, graph: IterationGraph, tensor: str) -> tuple[str, ...]:
        try:
            Inline(tensor).apply(graph, 0)
        except Refusal:
            return ()
        return (f"inline({tensor})",)


def _steps(count: int) -> str:
    return "one iteration" if count == 1 else f"{count} iterations"


SPEC = CommandSpec(
    name="together",
    make=Together,
    summary="Run two statements under one loop; what only the second one reads needs no memory for that loop any more.",
    before="for i in [0, I):\n  t(i) = f(i)\nfor i2 in [0, I):\n  y(i2) = g(t(i2))",
    after="for i in [0, I):\n  t = f(i)\n  y(i) = g(t)",
    preconditions=(
        "both are outermost loops of statements in one sequence, over the same range, not cut and not tagged",
        "what lies between the statements does not need the first one and is not needed by the second",
        "each element that the second statement reads of the first is computed in the same iteration: distance 0",
    ),
)
