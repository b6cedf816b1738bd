"""``inline(t)``: a temporary's definition where it is read (docs/sources.toml C9).

Before: ``∀i t(i) = e ; ∀j y(j) = f(t(j))``. After: ``∀j y(j) = f(e[j/i])``, without memory for ``t``. A sum in ``t`` is
added up in front of each read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.diagnostics import nearest
from heddle.iteration_graph.graph.nodes import Assign, IterationGraph, Remark
from heddle.iteration_graph.graph.provenance import all_assignments, assignments, loop_variables
from heddle.iteration_graph.transform.inlining import Place, inline, is_index, place_of
from heddle.notation.nodes import Access, accesses, coordinate_variables
from heddle.notation.printer import to_text
from heddle.schedule.checks import require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument
from heddle.schedule.fusion_checks import require_dense, require_statements, require_whole, spell

MOST_READS = 400
"""Of one statement, counted as often as they are written: what is beyond fills pages of text."""


@dataclass(frozen=True, slots=True)
class Inline:
    temporary: str = argument("temporary", "a tensor that one statement computes and later ones read")

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_statements(graph)
        self._check_temporary(graph)
        place = place_of(graph, self.temporary)
        reads = [
            (path, assign, access)
            for path, assign in all_assignments(graph)
            for access in dict.fromkeys(accesses(assign.expression))
            if access.tensor == self.temporary
        ]
        if place is None or any(path[: len(place.around)] != place.around for path, _, _ in reads):
            raise Refusal(
                "schedule/inline-shared",
                f"{self.temporary} shares its loops with other temporaries, which its definition would take along. Put "
                "inline in front of together.",
                argument="temporary",
                expected="a temporary with loops of its own",
                actual=self.temporary,
            )
        for variable in loop_variables(place.definition):
            require_whole(graph, variable, "temporary", "inline")
            require_untagged(graph, variable, "temporary")
        adds = self._adds(graph, place)
        program = graph.signature.program
        lazy = () if program is None else program.lazy
        guarded = next((access for _, _, access in reads if set(access.indices) & set(lazy)), None)
        if adds and guarded is not None:
            raise Refusal(
                "schedule/inline-guarded",
                f"{spell(graph, guarded)} is read only where a condition holds, and the sum in {self.temporary} "
                "would be added up in front of that, at coordinates that need not exist.",
                argument="temporary",
                expected="a temporary without a sum, or reads without a condition",
                actual=self.temporary,
            )
        inlined_graph = inline(graph, self.temporary, place)
        self._check_size(inlined_graph)
        again = self._find_repeated(graph, reads) if adds else ""
        return (
            inlined_graph
            if not again
            else replace(inlined_graph, remarks=(*inlined_graph.remarks, Remark(number, self._warning(again))))
        )

    def _check_size(self, inlined_graph: IterationGraph) -> None:
        """A definition that is written where it is read comes once for each read: chains of such double each time."""
        for _, assign in assignments(inlined_graph.statement):
            reads = len(accesses(assign.expression))
            if reads > MOST_READS:
                raise Refusal(
                    "schedule/inline-size",
                    f"with the definition of {self.temporary} in the place of its reads, {assign.target.tensor} would "
                    f"be computed of {reads} elements that are read one by one; the limit is {MOST_READS}. Leave "
                    f"{self.temporary} in memory, where each of its values is computed once.",
                    argument="temporary",
                    expected=f"a statement that reads at most {MOST_READS} elements",
                    actual=f"{reads} elements",
                )

    def _check_temporary(self, graph: IterationGraph) -> None:
        name, program = self.temporary, graph.signature.program
        require_dense(graph, (name,), "temporary", "inline would compute its values again wherever they are read")
        exported = () if program is None else program.exported
        checks = {} if program is None else program.checks
        may = [temporary for temporary in graph.signature.temporaries if temporary in graph.workspaces]
        may = [temporary for temporary in may if temporary not in exported and temporary not in checks]
        if name in may:
            if is_index(graph, name):
                raise Refusal(
                    "schedule/inline-index",
                    f"{name} holds indices by which other tensors are read; a coordinate is read from memory.",
                    argument="temporary",
                    expected="a temporary that is read as a value",
                    actual=name,
                )
            return
        if name in exported or name == graph.signature.result.name:
            why = f"{name} is a result: the caller gets its values, so that they must be stored"
        elif name in checks:
            why = f"{name} is what is checked before an index is used"
        elif name in graph.signature.tensors:
            why = f"{name} is an operand, which no statement computes"
        elif name in graph.signature.temporaries:
            why = f"{name} is inlined already"
        else:
            close = nearest(name, may)
            why = f"there is no temporary {name}" + (f". Did you mean {close[0]}?" if close else "")
        raise Refusal(
            "schedule/inline-temporary",
            f"{why}. Temporaries: {', '.join(may) or 'none'}." if not why.endswith("?") else why,
            argument="temporary",
            expected="a tensor that one statement computes and only later ones read",
            actual=name,
            candidates=tuple(may),
            replacement=may[0] if len(may) == 1 else None,
        )

    def _adds(self, graph: IterationGraph, place: Place) -> bool:
        """Whether the definition has loops that its reads do not bring with them."""
        write = next(a.target for _, a in assignments(place.definition) if a.target.tensor == self.temporary)
        return bool(set(loop_variables(place.definition)) - set(write.indices))

    def _find_repeated(self, graph: IterationGraph, reads: list[tuple[tuple[str, ...], Assign, Access]]) -> str:
        """How many times an element is computed: the ranges of the loops around its reads that do not choose it."""
        program = graph.signature.program
        factors: list[str] = []
        for path, _, access in reads:
            rest = list(path)
            for index in access.indices:
                choosing = [v for v in coordinate_variables(index, program) if v in rest]
                if choosing:
                    rest.remove(choosing[0])
            if rest:
                factors.append("·".join(self._extent(graph, variable) for variable in rest))
        more = len(reads) - len(factors)
        if not factors:
            return "" if len(reads) < 2 else str(len(reads))
        return " + ".join([*factors, str(more)] if more else factors)

    def _extent(self, graph: IterationGraph, variable: str) -> str:
        program = graph.signature.program
        if program is None or variable not in program.extents:
            return f"|{variable}|"
        text = to_text(program.extents[variable])
        return text if text.isidentifier() or text.isdigit() else f"({text})"

    def _warning(self, again: str) -> Refusal:
        return Refusal(
            "schedule/inline-again",
            f"each element of {self.temporary} is a sum, which is now added up {again} times instead of once.",
            argument="temporary",
            expected="reads that come to each element once",
            actual=self.temporary,
        )


SPEC = CommandSpec(
    name="inline",
    make=Inline,
    summary="Put the definition of a temporary where it is read, so that it needs neither loops nor memory of its own.",
    before="for i in [0, I):\n  t(i) = f(i)\nfor i2 in [0, I):\n  y(i2) = g(t(i2))",
    after="for i2 in [0, I):\n  y(i2) = g(f(i2))",
    preconditions=(
        "the temporary is no result and no index of another tensor",
        "its loops were neither cut nor tagged nor put together with those of another temporary",
        "a sum in it is not read under a condition that its coordinates need",
    ),
)
