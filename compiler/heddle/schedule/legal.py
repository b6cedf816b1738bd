"""What may come next: every command of the registry with arguments that fit the loops.

Each candidate is tried on the graph, with all checks. A legal one applies, and what it makes can be lowered; a refused
one has the reason and the legal candidate of the same command that is closest to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from heddle.advice import Advice, UseOther
from heddle.diagnostics import CompileError, Diagnostic, Location, Part, Severity
from heddle.iteration_graph.checks.gpu_schedule import check_gpu
from heddle.iteration_graph.graph.blocks import as_written
from heddle.iteration_graph.graph.gpu_units import uses_gpu
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import all_assignments, all_loops, variables
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.rewrite import chain_of
from heddle.names import Names
from heddle.notation.nodes import Access, Binary, Expression, Unary
from heddle.notation.printer import to_text
from heddle.schedule.apply import apply_command, diagnose, make_warning
from heddle.schedule.automatic_workspace import add_automatic_workspace, find_obstacle
from heddle.schedule.command import CommandSpec, Parameter
from heddle.schedule.registry import COMMANDS
from heddle.schedule.scopes import Scope, outermost_names, scopes
from heddle.schedule.syntax.parser import ParsedCommand, parse_command

__all__ = ["Candidate", "LegalCommand", "LegalCommands"]

ALL_ORDERS = 4
"""So many nested loops get all their orders; of more, one loop at a time is moved."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A command that may come next, or may not.

    Attributes
    ----------
    text
        the command.
    variables
        the loops that it names.
    why_not
        the diagnostic with which a compile refuses it; None where the schedule compiles with it.
    remark
        the warning of a compile that takes it although it changes nothing; None for all others.
    instead
        the closest command that may come next and changes something, where this one does not.
    """

    text: str
    variables: tuple[str, ...]
    why_not: Diagnostic | None = None
    remark: Diagnostic | None = None
    instead: str | None = None

    @property
    def reason(self) -> Diagnostic | None:
        """Why nobody should take it: it is refused, or changes nothing."""
        return self.why_not or self.remark


@dataclass(frozen=True, slots=True)
class LegalCommand:
    """Legal candidates first; of those that are refused, or change nothing, for the same reason only the first.
    ``spec`` is the command's row of the registry; None for a step of a language that has steps of its own."""

    name: str
    candidates: tuple[Candidate, ...]
    spec: CommandSpec | None = None

    def __repr__(self) -> str:
        """The command, how many candidates may come next, and the first of them."""
        offered = [candidate.text for candidate in self.candidates if candidate.reason is None]
        others = len(self.candidates) - len(offered)
        first = f"{len(offered)} may come next, first {offered[0]}" if offered else "none may come next"
        rest = f"; {others} would be refused or change nothing" if others else ""
        return f"<LegalCommand {self.name}: {first}{rest}>"


class LegalCommands(tuple[LegalCommand, ...]):
    """What ``hd.legal`` lists: a tuple, which shows its commands in two lines."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Their names, those with a candidate that may come next apart."""
        if not self:
            return "<LegalCommands: none>"
        offered = {
            command.name for command in self if any(candidate.reason is None for candidate in command.candidates)
        }
        may = ", ".join(command.name for command in self if command.name in offered) or "none"
        may_not = ", ".join(command.name for command in self if command.name not in offered) or "none"
        return f"<LegalCommands\n may come next: {may}\n may not: {may_not}>"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the loops say of a command: ``graph`` is what it makes of them, ``reason`` its refusal, or the warning that
    it changes nothing, with the bare message, the text of the command left out."""

    schedule: tuple[str, ...]
    graph: IterationGraph | None = None
    reason: tuple[str, Diagnostic] | None = None

    @property
    def refused(self) -> bool:
        return self.reason is not None and self.reason[1].severity is Severity.ERROR


Confirm = Callable[[Verdict], tuple[str, Diagnostic] | None]
"""The verdict of a compile, which knows more than the loops: why the command should not come next, or None."""


def legal(
    graph: IterationGraph,
    schedule: tuple[str, ...] | None = None,
    units: Sequence[str] | None = None,
    confirm: Confirm = lambda verdict: verdict.reason,
    only: str | None = None,
) -> tuple[LegalCommand, ...]:
    """Every command of the registry with what may come next.

    Parameters
    ----------
    graph
        the loops, behind the commands of a schedule or in front of the first one.
    schedule
        what made ``graph``, from which the repairs that refusals offer start; None: what ``graph`` says.
    units
        the parallel units that the target has; None: all.
    confirm
        the last word on each candidate.
    only
        the command that is asked for; None: every one.
    """
    search = _Search(
        add_automatic_workspace(graph),
        all_loops(graph),
        graph.commands if schedule is None else schedule,
        units,
        confirm,
    )
    asked = [spec for spec in COMMANDS.values() if only in (None, spec.name)]
    return tuple(LegalCommand(spec.name, search.candidates(spec), spec) for spec in asked)


@dataclass(frozen=True, slots=True)
class _Search:
    """``graph`` is what the next command finds, ``named`` are the loops that a person sees."""

    graph: IterationGraph
    named: Sequence[str]
    schedule: tuple[str, ...]
    units: Sequence[str] | None
    confirm: Confirm

    def candidates(self, spec: CommandSpec) -> tuple[Candidate, ...]:
        listed: dict[str, Candidate] = {}
        for scope in self._scopes(spec):
            for candidate in self._in_scope(spec, scope):
                listed.setdefault(candidate.text, candidate)
        return tuple(sorted(listed.values(), key=lambda candidate: candidate.reason is not None))

    def _scopes(self, spec: CommandSpec) -> tuple[Scope, ...]:
        """The loops that the next command finds. Those without an automatic workspace are there, too: a command may
        make that needless."""
        graph = self.graph
        if any(parameter.kind == "parts" for parameter in spec.parameters):
            return (_whole(graph),)
        return (*scopes(graph), *(() if graph.bare is None else (_whole(graph.bare),)))

    def _in_scope(self, spec: CommandSpec, scope: Scope) -> list[Candidate]:
        def text(arguments: tuple[str, ...]) -> str:
            return f"{scope.selector}{spec.name}({', '.join(arguments)})"

        def candidate(
            arguments: tuple[str, ...], reason: Diagnostic | None = None, instead: str | None = None
        ) -> Candidate:
            remarked = reason is not None and reason.severity is not Severity.ERROR
            why_not, remark = (None, reason) if remarked else (reason, None)
            return Candidate(text(arguments), _name(self.named, scope, arguments), why_not, remark, instead)

        allowed: list[tuple[str, ...]] = []
        refused: dict[str, tuple[tuple[str, ...], Diagnostic]] = {}
        verdicts: dict[tuple[str, ...], tuple[str, Diagnostic] | None] = {}
        for arguments in _arguments(scope, spec, self.units):
            alike = self._without_sizes(spec, arguments)
            if alike in verdicts:
                reason = verdicts[alike]
            else:
                reason = self.confirm(self._verdict((*self.schedule, text(arguments))))
                if reason is None or not _names_size(reason[0], spec, arguments):
                    verdicts[alike] = reason
            if reason is None:
                allowed.append(arguments)
            else:
                message, diagnostic = reason
                refused.setdefault(message, (arguments, diagnostic))
        candidates = [candidate(arguments) for arguments in allowed]
        names = tuple(parameter.name for parameter in spec.parameters)
        for arguments, diagnostic in refused.values():
            close = _find_closest(names, diagnostic.advice, arguments, allowed)
            candidates.append(candidate(arguments, diagnostic, text(close) if close is not None else None))
        return candidates

    def _without_sizes(self, spec: CommandSpec, arguments: tuple[str, ...]) -> tuple[str, ...]:
        """What the verdict depends on: on a CPU sizes within the range of a command decide nothing, but that a bound
        may be 0. The memory of a GPU has room for some of them only."""
        if uses_gpu(self.graph):
            return arguments
        sizes = _sizes(spec)
        return tuple(
            "size" if number in sizes and argument != "0" else argument for number, argument in enumerate(arguments)
        )

    def _verdict(self, schedule: tuple[str, ...]) -> Verdict:
        """Whether the last command of ``schedule`` applies, changes something, and leaves loops that can be lowered:
        whose sparse result can be assembled, and that have a place on a GPU where they use one."""
        try:
            parsed = parse_command(schedule[-1], len(schedule) - 1)
        except CompileError as error:
            return Verdict(schedule, None, (error.diagnostics[0].message, error.diagnostics[0]))
        try:
            changed = apply_command(self.graph, parsed)
        except Refusal as refusal:
            return Verdict(schedule, None, (refusal.message, diagnose(refusal, parsed, schedule)))
        obstacle = find_obstacle(changed)
        if obstacle is not None:
            return Verdict(schedule, changed, (obstacle.message, _cannot_be_lowered(obstacle, parsed)))
        try:
            check_gpu(changed, False)
        except Refusal as refusal:
            return Verdict(schedule, changed, (refusal.message, _cannot_be_lowered(refusal, parsed)))
        if len(changed.remarks) > len(self.graph.remarks):
            remark = changed.remarks[-1]
            return Verdict(schedule, changed, (remark.refusal.message, make_warning(remark, parsed, schedule)))
        return Verdict(schedule, changed)


def _sizes(spec: CommandSpec) -> list[int]:
    """Which of the arguments that candidates have are integers."""
    required = (parameter for parameter in spec.parameters if not parameter.optional)
    return [number for number, parameter in enumerate(required) if parameter.kind == "integer"]


def _names_size(message: str, spec: CommandSpec, arguments: tuple[str, ...]) -> bool:
    """Whether a refusal says something else of another size."""
    return any(arguments[number] in message for number in _sizes(spec))


def _whole(graph: IterationGraph) -> Scope:
    return Scope("", graph, str, lambda name: (name,))


def _cannot_be_lowered(refusal: Refusal, parsed: ParsedCommand) -> Diagnostic:
    return Diagnostic(
        refusal.code,
        f"`{parsed.text}`: {refusal.message}",
        Location(Part.SCHEDULE, 0, len(parsed.text), command=parsed.number),
        expected=refusal.expected,
        actual=refusal.actual,
        advice=refusal.advice,
    )


def _name(present: Sequence[str], scope: Scope, arguments: tuple[str, ...]) -> tuple[str, ...]:
    meant = (loop for argument in arguments for loop in scope.loops(argument))
    return tuple(dict.fromkeys(loop for loop in meant if loop in present))


def _find_closest(
    names: tuple[str, ...], advice: tuple[Advice, ...], arguments: tuple[str, ...], allowed: Sequence[tuple[str, ...]]
) -> tuple[str, ...] | None:
    """Which of the ``allowed`` has most arguments in common; the first ones say what the command is about and weigh
    most. Among equally near ones, what the refusal itself advises."""
    advised = {(use.argument, use.value) for use in advice if isinstance(use, UseOther)}
    closest, most = None, (-1, False)
    for others in allowed:
        same, weight = 0, len(arguments)
        for argument, other in zip(arguments, others, strict=False):
            if argument == other:
                same += weight
            weight -= 1
        near = same, bool(advised) and not advised.isdisjoint(zip(names, others, strict=False))
        if near > most:
            closest, most = others, near
    return closest


def _arguments(scope: Scope, spec: CommandSpec, units: Sequence[str] | None) -> Iterator[tuple[str, ...]]:
    """Texts of arguments for a command, sensible ones first."""
    graph = scope.graph
    parameters = [parameter for parameter in spec.parameters if not parameter.optional]
    if [parameter.kind for parameter in parameters] == ["variables"]:
        yield from (tuple(map(scope.shown, order)) for order in _orders(graph))
        return
    inputs = [p for p in parameters if not p.kind.startswith("new-")]
    of_parts = any(parameter.kind == "parts" for parameter in parameters)
    choices = [
        outermost_names(graph) if of_parts and parameter.kind == "variable" else _values(graph, parameter, units)
        for parameter in inputs
    ]
    for values in product(*(list(map(scope.shown, some)) for some in choices)):
        named = dict(zip((p.name for p in inputs), values, strict=True))
        kinds = {p.name: p.kind for p in inputs}
        listed = [value for name, value in named.items() if kinds[name].startswith("variable")]
        if len(set(listed)) != len(listed):
            continue
        reserved = {*variables(graph), *graph.signature.tensors, *graph.workspaces}
        names = Names({*reserved, *map(scope.shown, reserved)})
        yield tuple(
            named[p.name] if p.name in named else names.fresh(_wish(p, listed[0] if listed else "w"))
            for p in parameters
        )


def _wish(parameter: Parameter, variable: str) -> str:
    template = str(parameter.suggestions[0]) if parameter.suggestions else "{}2"
    return template.format(variable)


def _values(graph: IterationGraph, parameter: Parameter, units: Sequence[str] | None) -> list[str]:
    match parameter.kind:
        case "variable" | "variable-set":
            return list(all_loops(graph))
        case "parts":
            return [] if graph.signature.sum is None else [f"{graph.signature.sum.tensor}[*]"]
        case "integer":
            return [str(value) for value in parameter.suggestions or (1,)]
        case "enumeration" if parameter.name == "unit" and units is not None:
            return [unit for unit in parameter.choices if unit in units]
        case "enumeration":
            return list(parameter.choices)
        case "tensor":
            return [tensor.name for tensor in graph.signature.tensors.values() if tensor.order]
        case "temporary":
            return [name for name in graph.signature.temporaries if name in graph.workspaces]
        case "expression":
            right = [assign.expression for _, assign in all_assignments(graph)]
            return list(
                dict.fromkeys(to_text(as_written(part, graph)) for expression in right for part in _parts(expression))
            )
        case _:
            raise TypeError(f"no candidates for an argument of kind {parameter.kind!r}")


def _parts(expression: Expression) -> Iterator[Expression]:
    """The expression and what it is made of, without literals."""
    match expression:
        case Access():
            yield expression
        case Binary(left=left, right=right):
            yield expression
            yield from _parts(left)
            yield from _parts(right)
        case Unary(operand=operand):
            yield expression
            yield from _parts(operand)
        case _:
            return


def _orders(graph: IterationGraph) -> Iterator[tuple[str, ...]]:
    """New orders of the directly nested loops."""
    chains = (tuple(chain_of(graph.statement, variable)) for variable in all_loops(graph))
    for chain in dict.fromkeys(chains):
        if len(chain) <= ALL_ORDERS:
            yield from (order for order in permutations(chain) if order != chain)
            continue
        moved: dict[tuple[str, ...], None] = {}
        for variable in chain:
            rest = tuple(other for other in chain if other != variable)
            moved |= dict.fromkeys((*rest[:at], variable, *rest[at:]) for at in range(len(chain)))
        yield from (order for order in moved if order != chain)
