"""What happens on the running example, in words: the iterations that meet, the entries that are out of order.

It comes from a run of the checked interpreter, or from how the operands of one are stored, never from what the refusal
says.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from heddle.advice import KeepApart, StoreInOrder, WantedOrder
from heddle.diagnostics import CompileError, Diagnostic, Part
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import loops
from heddle.pipeline import lower_again
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.schedule.primitives.parallelize import Parallelize
from heddle.schedule.syntax.parser import parse_command
from heddle.targets import DEFAULT_TARGET

if TYPE_CHECKING:
    from heddle.explorer.views.trace.trace import ExampleRun
    from heddle.explorer.views.trace.trace_schema import TraceStepView, TraceTensorView

MOST_NAMED = 8
"""Numbers that are listed before the rest is left out."""


def evidence(diagnostic: Diagnostic, result: CompileResult, prefix: CompileResult | None = None) -> tuple[str, ...]:
    """Sentences that show the mistake; none where the program cannot be run on small data, or runs well there.
    ``prefix`` is the compile of the commands before the one at fault, which need not be compiled again then."""
    runs = _Runs(result.plan, prefix or result)
    location = diagnostic.location
    if location is None or location.part is not Part.SCHEDULE or location.command is None:
        return ()
    sentences: list[str | None] = []
    for advice in diagnostic.advice:
        match advice:
            case KeepApart():
                sentences.append(_meeting(advice, location.command, runs))
            case StoreInOrder(orders=orders):
                sentences += [_out_of_order(wanted, location.command, runs) for wanted in orders]
            case _:
                pass
    return tuple(sentence for sentence in sentences if sentence is not None)


@dataclass(frozen=True, slots=True)
class _Runs:
    """Runs of ``plan`` with other schedules, of which ``earlier`` is a compile: sentences about several operands come
    from one."""

    plan: Plan
    earlier: CompileResult
    known: dict[tuple[str, ...], tuple[IterationGraph, ExampleRun] | None] = field(default_factory=dict)

    def of(self, schedule: tuple[str, ...]) -> tuple[IterationGraph, ExampleRun] | None:
        """The loops with this schedule, and a run of them on the running example; None where that cannot be."""
        if schedule not in self.known:
            self.known[schedule] = self._run(schedule)
        return self.known[schedule]

    def operands_of(self, schedule: tuple[str, ...]) -> list[TraceTensorView]:
        """How such a run finds its operands stored; none where it cannot be."""
        result = self._compile(schedule)
        if result is None:
            return []
        from heddle.explorer.views.trace.trace import example_operands

        try:
            return example_operands(result)
        except CompileError:
            return []

    def _run(self, schedule: tuple[str, ...]) -> tuple[IterationGraph, ExampleRun] | None:
        result = self._compile(schedule)
        if result is None or result.graph is None:
            return None
        from heddle.explorer.views.trace.trace import example_run  # a plan that compiles needs no interpreter

        try:
            return result.graph, example_run(result)
        except CompileError:
            return None

    def _compile(self, schedule: tuple[str, ...]) -> CompileResult | None:
        plan = replace(self.plan, schedule=schedule, target=DEFAULT_TARGET)
        result = self.earlier if self.earlier.plan == plan else lower_again(plan, self.earlier)
        return result if result.ok else None


def _meeting(advice: KeepApart, command: int, runs: _Runs) -> str | None:
    """The iterations that add into one element, in a run of the same loops one after the other."""
    commands = enumerate(runs.plan.schedule[: command + 1])
    run = runs.of(tuple(text for number, text in commands if not _runs_in_parallel(text, number)))
    if run is None:
        return None
    graph, trace = run
    outside = _find_outer_loops(graph, advice.variable)
    meetings = _meetings(advice, outside, trace.steps)
    most = max(meetings.items(), key=lambda item: len(item[1]), default=None)
    if most is None or len(most[1]) < 2:
        return None
    (around, element), iterations = most
    place = ", ".join(f"{name} = {value}" for name, value in zip(outside, around, strict=True))
    text = f"{advice.tensor}({', '.join(map(str, element))})" if element else advice.tensor
    both = "both" if len(iterations) == 2 else "all"
    begin = f"On the running example, at {place}:" if place else "On the running example:"
    return f"{begin} {advice.variable} = {_list(iterations)} {both} add into {text}."


def _runs_in_parallel(text: str, number: int) -> bool:
    try:
        return isinstance(parse_command(text, number).command, Parallelize)
    except CompileError:
        return False


def _find_outer_loops(graph: IterationGraph, variable: str) -> tuple[str, ...]:
    """The loops around the loop."""
    path = next((path for path in loops(graph.statement) if variable in path), (variable,))
    return path[: path.index(variable)]


Meetings = dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]]
"""By the iteration of the loops outside and by the element: the iterations of the loop that add into it."""


def _meetings(advice: KeepApart, outside: tuple[str, ...], steps: list[TraceStepView]) -> Meetings:
    values: dict[str, int] = {}
    meetings: Meetings = {}
    for step in steps:
        values |= {name: value for name, value in step["changed"].items() if isinstance(value, int)}
        if step["visit"] is None:
            continue
        known = values | step["visit"]
        if known.keys() >= {advice.variable, *outside, *advice.indices}:
            key = tuple(known[name] for name in outside), tuple(known[name] for name in advice.indices)
            iterations = meetings.setdefault(key, [])
            if known[advice.variable] not in iterations:
                iterations.append(known[advice.variable])
    return meetings


def _out_of_order(wanted: WantedOrder, command: int, runs: _Runs) -> str | None:
    """A coordinate of the loop that would come first, whose entries are spread over the memory."""
    operands = runs.operands_of(runs.plan.schedule[:command])
    stored = next((view for view in operands if view["tensor"] == wanted.tensor), None)
    if stored is None:
        return None
    dimension = wanted.order[0]
    column = [coordinates[dimension] for coordinates in stored["coordinates"]]
    if column == sorted(column):
        return None
    spread = max(dict.fromkeys(column), key=column.count)
    places = [place for place, coordinate in enumerate(column) if coordinate == spread]
    if len(places) < 2:
        return None
    name = wanted.original[dimension]
    return (
        f"On the running example, {wanted.tensor} stores its entries with {name} = {_list(column)}: those with "
        f"{name} = {spread} are at positions {_list(places)}."
    )


def _list(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:MOST_NAMED])) + (", …" if len(numbers) > MOST_NAMED else "")
