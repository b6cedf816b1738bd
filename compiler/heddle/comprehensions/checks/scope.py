"""What names stand for, statement by statement: sizes, tensors, and the latest version of each tensor
(docs/sources.toml C2, C8, C9)."""

from __future__ import annotations

from dataclasses import dataclass, field

from heddle.comprehensions.checks.calls import Expanded
from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.checks.typing import settle_type, type_of
from heddle.comprehensions.language.nodes import Node, Statement
from heddle.diagnostics import Severity
from heddle.notation.nodes import Span


@dataclass(slots=True)
class Scope:
    """``versions`` has the latest version of each tensor, ``bases`` the tensor of each version, ``initial`` those that
    the caller passes, ``first`` the type of each tensor's first statement."""

    expanded: Expanded
    problems: Problems
    sizes: dict[str, None] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    bases: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    orders: dict[str, int] = field(default_factory=dict)
    initial: dict[str, str] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)

    def is_variable(self, name: str) -> bool:
        return name not in self.sizes and name not in self.types and name not in self.versions

    def returns(self, name: str) -> bool:
        return any(result.name == name for result in self.expanded.definition.returns)

    def assigns(self, name: str) -> bool:
        return any(statement.target == name for statement in self.expanded.statements)

    def spell(self, node: Node) -> str:
        return self.problems.text[node.span.start : node.span.end]


def version_of(scope: Scope, name: str, span: Span, statement: Statement) -> str | None:
    """What ``name`` is when the statement reads it: of a result without an assignment so far what is passed."""
    if name in scope.versions:
        return scope.versions[name]
    returned = next((result for result in scope.expanded.definition.returns if result.name == name), None)
    if returned is None:
        scope.problems.add(
            "tc/read-before",
            f"{name} is read here, but no earlier statement assigns it, and it is not an input",
            span,
            expected=f"an earlier statement that assigns {name}, or {name} among the results or inputs",
            actual="neither",
            hint="write +=! to begin with what is neutral"
            if statement.target == name and statement.operator != "="
            else f"write the statement that assigns {name} in front, or make it an input",
        )
        return None
    version = f"{name}_0"
    while version in scope.types:
        version += "_"
    scope.initial[version] = name
    scope.versions[name], scope.bases[version] = version, name
    first = (
        returned.type.dtype if returned.type is not None else settle_type(type_of(statement.expression, scope.types))
    )
    scope.first[name] = scope.types[version] = first
    scope.orders[version] = len(statement.indices)
    begin = ""
    if statement.operator != "=" and not statement.fresh:
        begin = f" To begin with what is neutral, write {statement.operator}!"
    scope.problems.note(
        "tc/in-out",
        f"{name} is read before it is assigned, so the caller passes what it holds before: kernel(…, {version}=…)."
        f"{begin}",
        span,
        Severity.NOTE,
    )
    return version


def order_conflict(scope: Scope, name: str, actual: int, known: int, span: Span) -> None:
    here = ["no index", "1 index"][actual] if actual < 2 else f"{actual} indices"
    scope.problems.add(
        "tc/order-conflict",
        f"{name} has {dimensions_in_words(known)}, but {here} here",
        span,
        expected=dimensions_in_words(known),
        actual=str(actual),
        hint=f"write {name} with as many indices as it has dimensions",
    )


def dimensions_in_words(order: int) -> str:
    return "no dimensions" if order == 0 else "1 dimension" if order == 1 else f"{order} dimensions"
