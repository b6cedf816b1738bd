"""Commands for a program at hand, one after the other: each is tried on the loops as they are by then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from heddle.diagnostics import CompileError, Severity
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import assignments, leaves, roots, variables
from heddle.iteration_graph.graph.sequence import in_order
from heddle.names import Names
from heddle.notation.printer import to_text
from heddle.notation.reserved import RESERVED
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.schedule.apply import apply
from heddle.schedule.syntax.parser import parse_command


@dataclass(slots=True)
class Writer:
    """``graph`` is that of ``plan``, whose own schedule is left out, after the ``commands``. ``sizes`` are the
    iterations of its loops without a schedule, as far as they are known, ``width`` the values of a result in a vector
    of the machine."""

    plan: Plan
    graph: IterationGraph
    commands: list[str] = field(default_factory=list)
    sizes: Mapping[str, int] = field(default_factory=dict)
    width: int = 1
    reasons: dict[str, None] = field(default_factory=dict)
    """What was done that the commands alone do not say, each once."""
    result: CompileResult | None = None
    """What the commands compile to, once they are settled."""

    def try_commands(self, *texts: str) -> str | None:
        """Takes all of these commands or none; gives the reason of a refusal."""
        graph = self.graph
        for text in texts:
            schedule = (*self.commands, text)
            try:
                graph = apply(graph, parse_command(text, len(schedule) - 1), schedule)
            except CompileError as error:
                return error.diagnostics[0].message
        self.graph = graph
        self.commands += texts
        return None

    def settle(self) -> list[tuple[str, str]]:
        """Leaves out, from the end, what does not compile; each with the reason."""
        out: list[tuple[str, str]] = []
        while self.commands:
            result = lower(replace(self.plan, schedule=tuple(self.commands)))
            if result.ok:
                self.result = result
                break
            why = next(diagnostic.message for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR)
            out.append((self.commands.pop(), why))
        return out

    def fresh(self, *wanted: str) -> list[str]:
        reserved = {*variables(self.graph), *self.graph.signature.tensors, *self.graph.workspaces, *RESERVED}
        names = Names(reserved)
        return [names.fresh(name_hint) for name_hint in wanted]

    def keeps(self, loop: str) -> bool:
        """Whether the results of all statements under the loop have it as an index: its iterations are independent.
        Sums inside of a statement, which die in an iteration, are no results unless there is nothing else."""
        signature = self.graph.signature
        below = [(path, assign) for path, assign in assignments(self.graph.statement) if loop in path]
        named = [both for both in below if both[1].target.tensor in (*signature.temporaries, signature.result.name)]
        return all({*self._cut_into(loop, path)} <= self._parse_indexed(assign) for path, assign in named or below)

    def _parse_indexed(self, assign: Assign) -> set[str]:
        """The variables that say which element is assigned; a temporary of a tile has indices inside of the tile."""
        return {root for index in assign.target.indices for root in roots(self.graph, index)}

    def _cut_into(self, loop: str, path: tuple[str, ...]) -> tuple[str, ...]:
        """The variables of the statement inside the loops ``path`` that were cut into ``loop``: statements that were
        taken apart inside of a tile have their own ones."""
        origins = (variable for variable in self.graph.underived if loop in leaves(self.graph, variable))
        return tuple(variable for variable in origins if {*leaves(self.graph, variable)} <= {*path}) or roots(
            self.graph, loop
        )


def fuse(writer: Writer, most: int | None) -> tuple[int, str]:
    """Puts statements under shared loops, at most so many of them around one another; None: as many as are legal. How
    often, and why not where the first pair of loops was refused."""
    fusions, why = 0, ""
    while True:
        for first, second, depth in siblings(writer.graph.statement, 0):
            if most is not None and depth >= most:
                continue
            refused = writer.try_commands(f"together({first}, {second})")
            if refused is None:
                fusions += 1
                break
            why = why or refused
        else:
            return fusions, why


def in_registers(writer: Writer, lane: str) -> list[str]:
    """The commands by which the one statement under ``lane`` is computed in registers first; none for several."""
    below = [assign for path, assign in assignments(writer.graph.statement) if lane in path]
    if len(below) != 1:
        return []
    lane_copy, workspace = writer.fresh(f"{lane}w", "w")
    return [
        f"precompute({to_text(below[0].expression)}, {lane}, {lane_copy}, {workspace})",
        f"parallelize({lane_copy}, CPUVector, NoRaces)",
    ]


def band(statement: Statement) -> list[str]:
    """The loops directly inside one another, outermost first."""
    loops: list[str] = []
    while isinstance(statement, Forall):
        loops.append(statement.variable)
        statement = statement.body
    return loops


def bands(statement: Statement) -> list[list[str]]:
    """The loops directly inside one another, of all nests, outer ones first."""
    nests: list[list[str]] = []
    for part in in_order(statement):
        nest = band(part)
        inner = part
        while isinstance(inner, Forall):
            inner = inner.body
        if nest:
            nests.append(nest)
            nests += bands(inner)
    return nests


def siblings(statement: Statement, depth: int) -> Iterator[tuple[str, str, int]]:
    """Outermost loops of two statements of one sequence, the outer sequences first; ``depth`` loops are around them."""
    match statement:
        case Forall(body=body):
            yield from siblings(body, depth + 1)
        case Assign():
            return
        case Where() | Series():
            parts = in_order(statement)
            heads = [part.variable for part in parts if isinstance(part, Forall)]
            for number, first in enumerate(heads):
                yield from ((first, second, depth) for second in heads[number + 1 :])
            for part in parts:
                if part != statement:
                    yield from siblings(part, depth)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")
