"""Calls of other definitions: their statements in the place of the call, under names of their own (C1).

Sizes of a called definition become sizes of the tensors that are passed; those that must agree are conditions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from heddle.comprehensions.checks.concat import ALONG, CONCAT, joined
from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.language.limits import MAX_CALLS, MAX_STATEMENTS
from heddle.comprehensions.language.nodes import (
    Apply,
    Clause,
    Definition,
    Exists,
    Extent,
    In,
    Invoke,
    Let,
    Name,
    Node,
    Number,
    Source,
    Statement,
    children,
    with_children,
)
from heddle.diagnostics import nearest
from heddle.names import Names
from heddle.notation.nodes import Span


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two sizes that a call holds to be equal."""

    left: Node
    right: Node
    span: Span
    text: str


@dataclass(slots=True)
class Expanded:
    """The statements of a program without calls."""

    definition: Definition
    statements: list[Statement] = field(default_factory=list)
    agreements: list[Agreement] = field(default_factory=list)
    calls: int = 0


def expand(source: Source, problems: Problems) -> Expanded:
    """The last definition with the statements of all that it calls."""
    main = source.definitions[-1]
    known: dict[str, Definition] = {}
    for definition in source.definitions:
        if definition.name in known:
            problems.add(
                "tc/name-conflict",
                f"{definition.name} is defined twice",
                definition.span,
                expected="one definition of each name",
                found=f"{definition.name} again",
                hint="rename one of the two",
            )
        known[definition.name] = definition
    names = Names(
        {
            *(parameter.name for parameter in main.parameters),
            *(one.name for one in main.returns),
            *(target for statement in main.statements for target in _targets(statement)),
            *(size.name for p in main.parameters for size in p.type.dimensions if isinstance(size, Name)),
        }
    )
    made = Expanded(main)
    _statements(main, {}, {}, (main.name,), known, names, made, problems)
    if len(made.statements) > MAX_STATEMENTS:
        problems.add(
            "tc/too-many-statements",
            f"the program has {len(made.statements)} statements, the limit is {MAX_STATEMENTS}",
            made.statements[MAX_STATEMENTS].span,
            expected=f"at most {MAX_STATEMENTS} statements",
            found=str(len(made.statements)),
        )
    return made


def _usage(called: Definition) -> str:
    results = ", ".join(one.name for one in called.returns)
    given = ", ".join(parameter.name for parameter in called.parameters)
    return f"({results}) = {called.name}({given})"


def _targets(statement: Statement | Invoke) -> list[str]:
    if isinstance(statement, Invoke):
        return [target.name for target in statement.targets]
    return [statement.target]


def _as_call(statement: Statement | Invoke, known: dict[str, Definition]) -> Invoke | None:
    """``O = f(a)`` is a call where ``f`` is a definition."""
    if isinstance(statement, Invoke):
        return statement
    called = statement.expression
    if not isinstance(called, Apply) or statement.indices or statement.operator != "=":
        return None
    if called.name not in (*known, CONCAT) or not all(isinstance(one, Name) for one in called.arguments):
        return None
    arguments = tuple(one for one in called.arguments if isinstance(one, Name))
    return Invoke(
        (Name(statement.target, statement.target_span),), called.name, arguments, statement.span, called.name_span
    )


def _statements(
    definition: Definition,
    tensors: dict[str, str],
    sizes: dict[str, Node],
    stack: tuple[str, ...],
    known: dict[str, Definition],
    names: Names,
    made: Expanded,
    problems: Problems,
) -> None:
    for statement in definition.statements:
        call = _as_call(statement, known)
        if call is not None:
            _call(call, tensors, stack, known, names, made, problems)
        elif isinstance(statement, Statement):
            made.statements.append(_renamed(statement, tensors, sizes) if tensors or sizes else statement)


def _call(
    call: Invoke,
    tensors: dict[str, str],
    stack: tuple[str, ...],
    known: dict[str, Definition],
    names: Names,
    made: Expanded,
    problems: Problems,
) -> None:
    # Definitions that call one another twice each make calls without end of a few lines.
    made.calls += 1
    if made.calls > MAX_CALLS:
        if made.calls == MAX_CALLS + 1:
            problems.add(
                "tc/too-many-calls",
                f"the program makes more than {MAX_CALLS} calls, those inside of what it calls included",
                call.span,
                expected=f"at most {MAX_CALLS} calls",
                found="more",
            )
        return
    called = known.get(call.function)
    if called is None and call.function == CONCAT:
        _concat(call, tensors, names, made, problems)
        return
    if called is None:
        problems.add(
            "tc/call",
            f"nothing is defined as {call.function}",
            call.function_span,
            expected="one of " + ", ".join(known) if known else "a definition",
            found=call.function,
            candidates=nearest(call.function, tuple(known)),
            hint=f"write def {call.function}(…) -> (…) {{ … }} into the same text",
        )
        return
    if call.function in stack:
        problems.add(
            "tc/call",
            f"{call.function} calls itself, and there is nothing that would end it",
            call.function_span,
            expected="calls without a circle",
            found=" → ".join((*stack, call.function)),
            hint="write the statements of each step instead of the call",
        )
        return
    for what, wanted, given in (
        ("result", len(called.returns), len(call.targets)),
        ("argument", len(called.parameters), len(call.arguments)),
    ):
        if wanted != given:
            plural = "" if wanted == 1 else "s"
            problems.add(
                "tc/call",
                f"{call.function} has {wanted} {what}{plural}, but {given} stand here",
                call.span,
                expected=f"{wanted} {what}{plural}",
                found=str(given),
                hint=f"write {_usage(called)}",
            )
            return
    inner = {p.name: tensors.get(a.name, a.name) for p, a in zip(called.parameters, call.arguments, strict=True)}
    inner |= {r.name: tensors.get(t.name, t.name) for r, t in zip(called.returns, call.targets, strict=True)}
    for statement in called.statements:
        for target in _targets(statement):
            if target not in inner:
                inner[target] = names.fresh(f"{call.function}_{target}" if not call.function[0].isdigit() else target)
    sizes: dict[str, Node] = {}
    for parameter in called.parameters:
        for dimension, size in enumerate(parameter.type.dimensions):
            actual = Extent(inner[parameter.name], dimension, call.span)
            if isinstance(size, Number):
                made.agreements.append(Agreement(size, actual, call.span, f"{call.function} takes"))
            elif size.name in sizes:
                made.agreements.append(
                    Agreement(sizes[size.name], actual, call.span, f"{size.name} of {call.function}")
                )
            else:
                sizes[size.name] = actual
    _statements(called, inner, sizes, (*stack, call.function), known, names, made, problems)


def _concat(call: Invoke, tensors: dict[str, str], names: Names, made: Expanded, problems: Problems) -> None:
    parts = tuple(tensors.get(part.name, part.name) for part in call.arguments)
    target = tensors.get(call.targets[0].name, call.targets[0].name)
    orders = {one.name: len(one.type.dimensions) for one in made.definition.parameters}
    orders |= {one.target: len(one.indices) for one in made.statements}
    statement = joined(call, parts, target, orders, names.fresh, problems)
    if statement is None:
        return
    made.statements.append(statement)
    for dimension in range(len(statement.indices)):
        if dimension != ALONG:
            first = Extent(parts[0], dimension, call.span)
            for part in parts[1:]:
                other = Extent(part, dimension, call.span)
                made.agreements.append(Agreement(first, other, call.span, f"dimension {dimension} in {CONCAT}"))


def _renamed(statement: Statement, tensors: dict[str, str], sizes: dict[str, Node]) -> Statement:
    def node(one: Node) -> Node:
        match one:
            case Name(name=name) if name in sizes:
                return sizes[name]
            case Name(name=name, span=span):
                return Name(tensors.get(name, name), span)
            case Extent(tensor=tensor, dimension=dimension, span=span):
                return Extent(tensors.get(tensor, tensor), dimension, span)
            case Apply(name=name):
                inner = tuple(node(part) for part in one.arguments)
                return replace(one, name=tensors.get(name, name), arguments=inner)
            case _:
                return with_children(one, [node(part) for part in children(one)])

    def clause(one: Clause) -> Clause:
        match one:
            case In(lower=lower, upper=upper):
                return replace(one, lower=node(lower), upper=node(upper))
            case Exists(access=access):
                renamed = node(access)
                assert isinstance(renamed, Apply)
                return replace(one, access=renamed)
            case Let(expression=expression):
                return replace(one, expression=node(expression))
            case _:
                raise TypeError(f"unexpected clause {one!r}")

    return replace(
        statement,
        target=tensors.get(statement.target, statement.target),
        expression=node(statement.expression),
        where=tuple(clause(one) for one in statement.where),
    )
