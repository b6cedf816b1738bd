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
from heddle.schedule.parser import parse_command


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

    def tried(self, *texts: str) -> str | None:
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
            why = next(one.message for one in result.diagnostics if one.severity is Severity.ERROR)
            out.append((self.commands.pop(), why))
        return out

    def fresh(self, *wanted: str) -> list[str]:
        taken = {*variables(self.graph), *self.graph.signature.tensors, *self.graph.workspaces, *RESERVED}
        names = Names(taken)
        return [names.fresh(one) for one in wanted]

    def kept(self, loop: str) -> bool:
        """Whether the results of all statements under the loop have it as an index: its iterations are independent.
        Sums inside of a statement, which die in an iteration, are no results unless there is nothing else."""
        signature = self.graph.signature
        below = [(path, one) for path, one in assignments(self.graph.statement) if loop in path]
        named = [both for both in below if both[1].target.tensor in (*signature.temporaries, signature.result.name)]
        return all({*self._cut_into(loop, path)} <= self._indexed(one) for path, one in named or below)

    def _indexed(self, one: Assign) -> set[str]:
        """The variables that say which element is assigned; a temporary of a tile has indices inside of the tile."""
        return {root for index in one.target.indices for root in roots(self.graph, index)}

    def _cut_into(self, loop: str, path: tuple[str, ...]) -> tuple[str, ...]:
        """The variables of the statement inside the loops ``path`` that were cut into ``loop``: statements that were
        taken apart inside of a tile have their own ones."""
        own = (one for one in self.graph.underived if loop in leaves(self.graph, one))
        return tuple(one for one in own if {*leaves(self.graph, one)} <= {*path}) or roots(self.graph, loop)


def fuse(writer: Writer, most: int | None) -> tuple[int, str]:
    """Puts statements under shared loops, at most so many of them around one another; None: as many as are legal. How
    often, and why not where the first pair of loops was refused."""
    made, why = 0, ""
    while True:
        for first, second, depth in siblings(writer.graph.statement, 0):
            if most is not None and depth >= most:
                continue
            refused = writer.tried(f"together({first}, {second})")
            if refused is None:
                made += 1
                break
            why = why or refused
        else:
            return made, why


def in_registers(writer: Writer, lane: str) -> list[str]:
    """The commands by which the one statement under ``lane`` is computed in registers first; none for several."""
    below = [one for path, one in assignments(writer.graph.statement) if lane in path]
    if len(below) != 1:
        return []
    own, workspace = writer.fresh(f"{lane}w", "w")
    return [
        f"precompute({to_text(below[0].expression)}, {lane}, {own}, {workspace})",
        f"parallelize({own}, CPUVector, NoRaces)",
    ]


def band(statement: Statement) -> list[str]:
    """The loops directly inside one another, outermost first."""
    found: list[str] = []
    while isinstance(statement, Forall):
        found.append(statement.variable)
        statement = statement.body
    return found


def bands(statement: Statement) -> list[list[str]]:
    """The loops directly inside one another, of all nests, outer ones first."""
    found: list[list[str]] = []
    for part in in_order(statement):
        own = band(part)
        inner = part
        while isinstance(inner, Forall):
            inner = inner.body
        if own:
            found.append(own)
            found += bands(inner)
    return found


def siblings(statement: Statement, depth: int) -> Iterator[tuple[str, str, int]]:
    """Outermost loops of two statements of one sequence, the outer sequences first; ``depth`` loops are around them."""
    match statement:
        case Forall(body=body):
            yield from siblings(body, depth + 1)
        case Assign():
            return
        case Where() | Series():
            parts = in_order(statement)
            heads = [one.variable for one in parts if isinstance(one, Forall)]
            for number, first in enumerate(heads):
                yield from ((first, second, depth) for second in heads[number + 1 :])
            for part in parts:
                if part != statement:
                    yield from siblings(part, depth)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")
