"""What may come next: every command of the registry with arguments that fit the loops.

Each candidate is tried on the graph, with all checks. A legal one therefore applies; a refused one has the reason and
the legal candidate of the same command that is closest to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from compiler.advice import Advice, UseOther
from compiler.diagnostics import CompileError, Diagnostic, Location, Part
from compiler.iteration_graph.analysis.append_order import check_append
from compiler.iteration_graph.graph.blocks import as_written
from compiler.iteration_graph.graph.nodes import IterationGraph
from compiler.iteration_graph.graph.provenance import assignments, loop_variables, variables
from compiler.iteration_graph.graph.refusal import Refusal
from compiler.iteration_graph.graph.rewrite import chain_of
from compiler.iteration_graph.transform.implicit import with_implicit_positions
from compiler.names import Names
from compiler.notation.nodes import Access, Binary, Expression, Unary
from compiler.notation.printer import to_text
from compiler.schedule.apply import about, applied, diagnosed
from compiler.schedule.command import CommandSpec, Parameter
from compiler.schedule.parser import ParsedCommand, parse_command
from compiler.schedule.registry import COMMANDS
from compiler.schedule.scopes import Scope, outermost_names, scopes

ALL_ORDERS = 4
"""So many nested loops get all their orders; of more, one loop at a time is moved."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A command's text and the loops that it names. ``why_not`` is None when it may come next; otherwise ``instead``
    is the closest command that may, where there is one."""

    text: str
    variables: tuple[str, ...]
    why_not: Diagnostic | None = None
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class LegalCommand:
    """Legal candidates first; of those that are refused for one and the same reason only the first."""

    spec: CommandSpec
    candidates: tuple[Candidate, ...]


def legal(
    graph: IterationGraph, schedule: tuple[str, ...] = (), units: Sequence[str] | None = None
) -> tuple[LegalCommand, ...]:
    """Every command with what may come next. ``schedule`` is what made ``graph``: the repairs that refusals offer start
    from it. ``units``: the parallel units that the target has (None: all)."""
    assembles = _obstacle(graph) is None
    return tuple(LegalCommand(spec, _candidates(graph, spec, schedule, units, assembles)) for spec in COMMANDS.values())


def _candidates(
    graph: IterationGraph, spec: CommandSpec, schedule: tuple[str, ...], units: Sequence[str] | None, assembles: bool
) -> tuple[Candidate, ...]:
    of_parts = any(parameter.kind == "parts" for parameter in spec.parameters)
    known = (Scope("", graph, str, lambda name: (name,)),) if of_parts else scopes(graph)
    found = [_in_scope(graph, spec, scope, schedule, units, assembles) for scope in known]
    return tuple(sorted((one for some in found for one in some), key=lambda one: one.why_not is not None))


def _in_scope(
    graph: IterationGraph,
    spec: CommandSpec,
    scope: Scope,
    schedule: tuple[str, ...],
    units: Sequence[str] | None,
    assembles: bool,
) -> list[Candidate]:
    def text(arguments: tuple[str, ...]) -> str:
        return f"{scope.selector}{spec.name}({', '.join(arguments)})"

    def candidate(
        arguments: tuple[str, ...], why_not: Diagnostic | None = None, instead: str | None = None
    ) -> Candidate:
        return Candidate(text(arguments), _named(graph, scope, arguments), why_not, instead)

    allowed: list[tuple[str, ...]] = []
    refused: dict[str, tuple[tuple[str, ...], Diagnostic]] = {}
    for arguments in _arguments(scope, spec, units):
        reason = _reason(graph, (*schedule, text(arguments)), assembles)
        if reason is None:
            allowed.append(arguments)
        else:
            message, diagnostic = reason
            refused.setdefault(message, (arguments, diagnostic))
    found = [candidate(arguments) for arguments in allowed]
    for arguments, diagnostic in refused.values():
        close = max(allowed, key=lambda other: _nearness(spec, diagnostic.advice, arguments, other), default=None)
        found.append(candidate(arguments, diagnostic, text(close) if close is not None else None))
    return found


def _reason(graph: IterationGraph, schedule: tuple[str, ...], assembles: bool) -> tuple[str, Diagnostic] | None:
    """Why the last command of ``schedule`` cannot come next, without its text and with it. It must not make a sparse
    result that can be assembled (``assembles``) one that cannot, and it must change something."""
    try:
        parsed = parse_command(schedule[-1], len(schedule) - 1)
    except CompileError as error:
        return error.diagnostics[0].message, error.diagnostics[0]
    try:
        changed = applied(graph, parsed)
    except Refusal as refusal:
        return refusal.message, diagnosed(refusal, parsed, schedule)
    if assembles and (obstacle := _obstacle(changed)) is not None:
        return obstacle.message, _cannot_be_assembled(obstacle, parsed)
    if len(changed.remarks) > len(graph.remarks):
        return changed.remarks[-1].refusal.message, about(changed.remarks[-1], parsed, schedule)
    return None


def _cannot_be_assembled(refusal: Refusal, parsed: ParsedCommand) -> Diagnostic:
    return Diagnostic(
        refusal.code,
        f"`{parsed.text}`: {refusal.message}",
        Location(Part.SCHEDULE, 0, len(parsed.text), command=parsed.number),
        expected=refusal.expected,
        found=refusal.found,
        advice=refusal.advice,
    )


def _obstacle(graph: IterationGraph) -> Refusal | None:
    try:
        check_append(with_implicit_positions(graph))
    except Refusal as refusal:
        return refusal
    return None


def _named(graph: IterationGraph, scope: Scope, arguments: tuple[str, ...]) -> tuple[str, ...]:
    present = loop_variables(graph.statement)
    meant = (loop for argument in arguments for loop in scope.loops(argument))
    return tuple(dict.fromkeys(loop for loop in meant if loop in present))


def _nearness(
    spec: CommandSpec, advice: tuple[Advice, ...], arguments: tuple[str, ...], others: tuple[str, ...]
) -> tuple[int, bool]:
    """How many arguments are the same; the first ones say what the command is about and weigh most. Among equally near
    ones, what the refusal itself advises."""
    pairs = zip(arguments, others, strict=False)
    same = sum((len(arguments) - number) * (a == b) for number, (a, b) in enumerate(pairs))
    named = {UseOther(parameter.name, value) for parameter, value in zip(spec.parameters, others, strict=False)}
    return same, not named.isdisjoint(advice)


def _arguments(scope: Scope, spec: CommandSpec, units: Sequence[str] | None) -> Iterator[tuple[str, ...]]:
    """Texts of arguments for a command, sensible ones first."""
    graph = scope.graph
    parameters = [parameter for parameter in spec.parameters if not parameter.optional]
    if [parameter.kind for parameter in parameters] == ["variables"]:
        yield from (tuple(map(scope.shown, order)) for order in _orders(graph))
        return
    given = [p for p in parameters if not p.kind.startswith("new-")]
    of_parts = any(parameter.kind == "parts" for parameter in parameters)
    choices = [
        outermost_names(graph) if of_parts and one.kind == "variable" else _values(graph, one, units) for one in given
    ]
    for values in product(*(list(map(scope.shown, some)) for some in choices)):
        named = dict(zip((p.name for p in given), values, strict=True))
        kinds = {p.name: p.kind for p in given}
        listed = [value for name, value in named.items() if kinds[name].startswith("variable")]
        if len(set(listed)) != len(listed):
            continue
        taken = {*variables(graph), *graph.signature.tensors, *graph.workspaces}
        names = Names({*taken, *map(scope.shown, taken)})
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
            return loop_variables(graph.statement)
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
            right = [assign.expression for _, assign in assignments(graph.statement)]
            return list(dict.fromkeys(to_text(as_written(part, graph)) for one in right for part in _parts(one)))
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
    chains = (tuple(chain_of(graph.statement, variable)) for variable in loop_variables(graph.statement))
    for chain in dict.fromkeys(chains):
        if len(chain) <= ALL_ORDERS:
            yield from (order for order in permutations(chain) if order != chain)
            continue
        moved: dict[tuple[str, ...], None] = {}
        for variable in chain:
            rest = tuple(other for other in chain if other != variable)
            moved |= dict.fromkeys((*rest[:at], variable, *rest[at:]) for at in range(len(chain)))
        yield from (order for order in moved if order != chain)
