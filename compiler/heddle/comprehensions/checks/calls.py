"""Calls of other definitions: their statements in the place of the call, under names of their own (C1).

Sizes of a called definition become sizes of the tensors that are passed; those that must agree are conditions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from heddle.comprehensions.checks.concat import ALONG, CONCAT, join
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
                actual=f"{definition.name} again",
                hint="rename one of the two",
            )
        known[definition.name] = definition
    names = Names(
        {
            *(parameter.name for parameter in main.parameters),
            *(result.name for result in main.returns),
            *(target for statement in main.statements for target in _targets(statement)),
            *(size.name for p in main.parameters for size in p.type.dimensions if isinstance(size, Name)),
        }
    )
    expanded = Expanded(main)
    _statements(main, {}, {}, (main.name,), known, names, expanded, problems)
    if len(expanded.statements) > MAX_STATEMENTS:
        problems.add(
            "tc/too-many-statements",
            f"the program has {len(expanded.statements)} statements, the limit is {MAX_STATEMENTS}",
            expanded.statements[MAX_STATEMENTS].span,
            expected=f"at most {MAX_STATEMENTS} statements",
            actual=str(len(expanded.statements)),
        )
    return expanded


def _usage(called: Definition) -> str:
    results = ", ".join(result.name for result in called.returns)
    arguments = ", ".join(parameter.name for parameter in called.parameters)
    return f"({results}) = {called.name}({arguments})"


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
    if called.name not in (*known, CONCAT) or not all(isinstance(argument, Name) for argument in called.arguments):
        return None
    arguments = tuple(argument for argument in called.arguments if isinstance(argument, Name))
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
    expanded: Expanded,
    problems: Problems,
) -> None:
    for statement in definition.statements:
        call = _as_call(statement, known)
        if call is not None:
            _call(call, tensors, stack, known, names, expanded, problems)
        elif isinstance(statement, Statement):
            expanded.statements.append(_rename(statement, tensors, sizes) if tensors or sizes else statement)


def _call(
    call: Invoke,
    tensors: dict[str, str],
    stack: tuple[str, ...],
    known: dict[str, Definition],
    names: Names,
    expanded: Expanded,
    problems: Problems,
) -> None:
    # Definitions that call one another twice each make calls without end of a few lines.
    expanded.calls += 1
    if expanded.calls > MAX_CALLS:
        if expanded.calls == MAX_CALLS + 1:
            problems.add(
                "tc/too-many-calls",
                f"the program makes more than {MAX_CALLS} calls, those inside of what it calls included",
                call.span,
                expected=f"at most {MAX_CALLS} calls",
                actual="more",
            )
        return
    called = known.get(call.function)
    if called is None and call.function == CONCAT:
        _concat(call, tensors, names, expanded, problems)
        return
    if called is None:
        problems.add(
            "tc/call",
            f"nothing is defined as {call.function}",
            call.function_span,
            expected="one of " + ", ".join(known) if known else "a definition",
            actual=call.function,
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
            actual=" → ".join((*stack, call.function)),
            hint="write the statements of each step instead of the call",
        )
        return
    for what, wanted, count in (
        ("result", len(called.returns), len(call.targets)),
        ("argument", len(called.parameters), len(call.arguments)),
    ):
        if wanted != count:
            plural = "" if wanted == 1 else "s"
            problems.add(
                "tc/call",
                f"{call.function} has {wanted} {what}{plural}, but {count} stand here",
                call.span,
                expected=f"{wanted} {what}{plural}",
                actual=str(count),
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
                expanded.agreements.append(Agreement(size, actual, call.span, f"{call.function} takes"))
            elif size.name in sizes:
                expanded.agreements.append(
                    Agreement(sizes[size.name], actual, call.span, f"{size.name} of {call.function}")
                )
            else:
                sizes[size.name] = actual
    _statements(called, inner, sizes, (*stack, call.function), known, names, expanded, problems)


def _concat(call: Invoke, tensors: dict[str, str], names: Names, expanded: Expanded, problems: Problems) -> None:
    parts = tuple(tensors.get(part.name, part.name) for part in call.arguments)
    target = tensors.get(call.targets[0].name, call.targets[0].name)
    orders = {parameter.name: len(parameter.type.dimensions) for parameter in expanded.definition.parameters}
    orders |= {statement.target: len(statement.indices) for statement in expanded.statements}
    statement = join(call, parts, target, orders, names.fresh, problems)
    if statement is None:
        return
    expanded.statements.append(statement)
    for dimension in range(len(statement.indices)):
        if dimension != ALONG:
            first = Extent(parts[0], dimension, call.span)
            for part in parts[1:]:
                other = Extent(part, dimension, call.span)
                expanded.agreements.append(Agreement(first, other, call.span, f"dimension {dimension} in {CONCAT}"))


def _rename(statement: Statement, tensors: dict[str, str], sizes: dict[str, Node]) -> Statement:
    def node(expression: Node) -> Node:
        match expression:
            case Name(name=name) if name in sizes:
                return sizes[name]
            case Name(name=name, span=span):
                return Name(tensors.get(name, name), span)
            case Extent(tensor=tensor, dimension=dimension, span=span):
                return Extent(tensors.get(tensor, tensor), dimension, span)
            case Apply(name=name):
                inner = tuple(node(part) for part in expression.arguments)
                return replace(expression, name=tensors.get(name, name), arguments=inner)
            case _:
                return with_children(expression, [node(part) for part in children(expression)])

    def clause(clause: Clause) -> Clause:
        match clause:
            case In(lower=lower, upper=upper):
                return replace(clause, lower=node(lower), upper=node(upper))
            case Exists(access=access):
                renamed = node(access)
                assert isinstance(renamed, Apply)
                return replace(clause, access=renamed)
            case Let(expression=expression):
                return replace(clause, expression=node(expression))
            case _:
                raise TypeError(f"unexpected clause {clause!r}")

    return replace(
        statement,
        target=tensors.get(statement.target, statement.target),
        expression=node(statement.expression),
        where=tuple(clause(condition) for condition in statement.where),
    )
