"""Expressions with their names resolved: reads are of versions, functions are known, indices are integers."""

from __future__ import annotations

from dataclasses import replace

from heddle.comprehensions.checks.names import unknown_function
from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.checks.scope import Scope, dimensions_in_words, order_conflict, version_of
from heddle.comprehensions.checks.typing import settle_type, type_of
from heddle.comprehensions.language.builtins import builtin
from heddle.comprehensions.language.nodes import (
    Apply,
    Extent,
    In,
    Name,
    Node,
    Number,
    Statement,
    children,
    walk,
    with_children,
)
from heddle.comprehensions.language.scalars import is_float, word


def resolve(node: Node, statement: Statement, scope: Scope) -> Node:
    """``node``, an expression of ``statement``, with versions in the place of tensors."""
    match node:
        case Name(name=name, span=span):
            if name in scope.versions or (name == statement.target and not statement.indices) or scope.returns(name):
                version = version_of(scope, name, span, statement)
                if version is not None and scope.orders.get(version, 0):
                    order_conflict(scope, name, 0, scope.orders[version], span)
                return Name(version or name, span)
            return node
        case Extent():
            return _extent(node, scope)
        case Apply(name=name, arguments=arguments):
            inner = tuple(resolve(argument, statement, scope) for argument in arguments)
            known = builtin(name)
            assigned = scope.returns(name) or scope.assigns(name)
            if name in scope.versions or name == statement.target or (assigned and known is None):
                return _access(replace(node, arguments=inner), statement, scope)
            if known is None:
                unknown_function(node, tuple(scope.versions), scope.problems)
            elif len(arguments) != known.arity:
                scope.problems.add(
                    "tc/arguments",
                    f"{name} takes {known.arity} argument{'s' * (known.arity > 1)}, found {len(arguments)}",
                    node.span,
                    expected=str(known.arity),
                    actual=str(len(arguments)),
                    hint=f"write {name}({', '.join('xyz'[: known.arity])})",
                )
            return replace(node, arguments=inner)
        case _:
            return with_children(node, [resolve(child, statement, scope) for child in children(node)])


def _extent(node: Extent, scope: Scope) -> Extent:
    version = scope.versions.get(node.tensor)
    if version is not None and node.dimension < scope.orders[version]:
        return replace(node, tensor=version)
    scope.problems.add(
        "tc/size",
        f"there is no {node.tensor}.{node.dimension}: "
        + (
            f"{node.tensor} is not a tensor"
            if version is None
            else f"{node.tensor} has {dimensions_in_words(scope.orders[version])}"
        ),
        node.span,
        expected="a dimension of a tensor, counted from 0",
        actual=f"{node.tensor}.{node.dimension}",
        hint="T.0 is the size of the first dimension of T",
    )
    return node


def _access(node: Apply, statement: Statement, scope: Scope) -> Node:
    base = statement.target
    indices = tuple(index.name for index in statement.indices)
    if (
        node.name == base
        and tuple(argument.name if isinstance(argument, Name) else "" for argument in node.arguments) != indices
    ):
        scope.problems.add(
            "tc/in-place",
            f"{base} is assigned here and read at other indices: each element would depend on whether others "
            f"are written already",
            node.span,
            expected=f"{base}({','.join(indices)}), or another tensor",
            actual=scope.spell(node),
            hint=f"give the result another name, or write {base}2({','.join(indices)}) = "
            f"{base}({','.join(indices)}) before it and read {base}2",
        )
    version = version_of(scope, node.name, node.name_span, statement)
    if version is None:
        return node
    known = scope.orders.setdefault(version, len(node.arguments))
    if known != len(node.arguments):
        order_conflict(scope, node.name, len(node.arguments), known, node.span)
    for argument in node.arguments:
        typed = settle_type(type_of(argument, scope.types))
        if is_float(typed):
            written = next((part for part in walk(argument) if is_written_float(part)), None)
            scope.problems.add(
                "tc/index-type",
                f"an index of {node.name} is not an integer",
                (written or argument).span,
                expected="an integer",
                actual=word(typed) if written is None else scope.spell(written),
                hint="write int(…) where it should be rounded",
            )
    return replace(node, name=version)


def check_bound(clause: In, scope: Scope) -> None:
    """The bounds of a range have sizes, numbers and integer parameters alone."""
    for bound in (clause.lower, clause.upper):
        for part in walk(bound):
            foreign = isinstance(part, Name) and part.name not in scope.sizes
            if isinstance(part, Name) and foreign and scope.types.get(part.name, "").startswith(("int", "uint")):
                foreign = scope.bases.get(part.name) != part.name or scope.orders.get(part.name) != 0
            if foreign or (isinstance(part, Apply) and builtin(part.name) is None) or is_written_float(part):
                bad_bound(clause, part, scope.problems)


def bad_bound(clause: In, part: Node, problems: Problems) -> None:
    """The range has ``part`` in it, which is known too late, or is no whole number."""
    problems.add(
        "tc/where-bound",
        f"the range of {clause.variable} must be known before the loops start: sizes, numbers and "
        f"integer parameters alone can stand in it",
        part.span,
        expected="sizes, numbers and integer parameters",
        actual=problems.text[part.span.start : part.span.end],
        hint="make it an integer parameter: a field on the page, an entry of sizes in Python",
    )


def is_written_float(node: Node) -> bool:
    return isinstance(node, Number) and isinstance(node.value, float)
