"""One statement with all names resolved: its variables, what it reads, the version and the type of what it makes."""

from __future__ import annotations

from dataclasses import replace

from heddle.comprehensions.checks.expressions import check_bound, resolve
from heddle.comprehensions.checks.lets import inline
from heddle.comprehensions.checks.names import RENAME
from heddle.comprehensions.checks.resolved import Step
from heddle.comprehensions.checks.scope import Scope, order_conflict, version_of
from heddle.comprehensions.checks.typing import Typed, Weak, promote, settle_type, type_of
from heddle.comprehensions.language.limits import MAX_STATEMENT_VARIABLES
from heddle.comprehensions.language.nodes import (
    Apply,
    Exists,
    In,
    Let,
    Name,
    Node,
    Statement,
    children,
    walk,
    with_children,
)
from heddle.comprehensions.language.scalars import is_float, is_integer, narrows, word

INTEGER_FUNCTIONS = {"fmax": "max", "fmin": "min", "fabs": "abs", "fmaxf": "max", "fminf": "min", "fabsf": "abs"}
"""By the function of floats: the one that keeps integers."""


def step_of(number: int, statement: Statement, target: str, scope: Scope) -> Step | None:
    """The statement as a step that makes the version ``target``; None where it is refused so that nothing follows."""
    base = statement.target
    indices = tuple(index.name for index in statement.indices)
    _check_repeated(statement, indices, scope)
    lets = {clause.name: clause.expression for clause in statement.where if isinstance(clause, Let)}
    expression = resolve(inline(statement.expression, lets), statement, scope)
    exists = [resolve(inline(c.access, lets), statement, scope) for c in statement.where if isinstance(c, Exists)]
    explicit = {clause.variable: clause for clause in statement.where if isinstance(clause, In)}
    for clause in explicit.values():
        check_bound(clause, scope)
    variables = _variables(statement, indices, [expression, *exists], explicit, scope)
    reduced = [variable for variable in variables if variable not in indices]
    if statement.operator == "=" and reduced:
        _no_reduction(statement, reduced, scope)
        return None
    keeps = None
    if statement.operator != "=" and not statement.fresh:
        keeps = version_of(scope, base, statement.target_span, statement)
    known = scope.orders.get(scope.versions.get(base, ""), len(indices))
    if known != len(indices):
        order_conflict(scope, base, len(indices), known, statement.target_span)
    if isinstance(expression, Apply) and expression.name in scope.types and not scope.orders.get(expression.name, 1):
        scope.problems.check()
    return Step(
        number,
        target,
        base,
        indices,
        "=" if statement.operator != "=" and statement.fresh and not reduced else statement.operator,
        keeps,
        expression,
        tuple(variables),
        statement,
        explicit,
        tuple(access for access in exists if isinstance(access, Apply)),
        _type(number, statement, expression, scope),
    )


def _check_repeated(statement: Statement, indices: tuple[str, ...], scope: Scope) -> None:
    for place, index in enumerate(statement.indices):
        if index.name in indices[:place]:
            scope.problems.add(
                "tc/repeated-index",
                f"{statement.target} has the index variable {index.name} twice on the left, which assigns its "
                f"diagonal alone",
                index.span,
                expected="different index variables on the left",
                actual=f"{index.name} again",
                hint=f"give each dimension of {statement.target} an index of its own, or make it a vector",
            )


def _variables(
    statement: Statement, indices: tuple[str, ...], nodes: list[Node], explicit: dict[str, In], scope: Scope
) -> dict[str, None]:
    """The index variables, those of the target first."""
    variables = dict.fromkeys(indices)
    for node in nodes:
        for part in walk(node):
            if isinstance(part, Name) and scope.is_variable(part.name):
                variables.setdefault(part.name)
    for name, clause in explicit.items():
        if not scope.is_variable(name):
            scope.problems.add(
                "tc/name-conflict",
                f"{name} is not an index variable",
                clause.span,
                expected="an index variable",
                actual=name,
                hint=RENAME,
            )
        elif name not in variables:
            variables.setdefault(name)
    if len(variables) > MAX_STATEMENT_VARIABLES:
        scope.problems.add(
            "tc/too-many-variables",
            f"the statement has {len(variables)} index variables, the limit is {MAX_STATEMENT_VARIABLES}",
            statement.span,
            expected=f"at most {MAX_STATEMENT_VARIABLES} index variables",
            actual=str(len(variables)),
        )
    return variables


def _type(number: int, statement: Statement, expression: Node, scope: Scope) -> str:
    """The type of the tensor, into which what the statement computes must fit."""
    base = statement.target
    typed = type_of(expression, scope.types)
    computed = settle_type(_with_later(base, number, typed, scope) if isinstance(typed, Weak) else typed)
    dtype = scope.first.setdefault(base, computed)
    if narrows(computed, dtype):
        _narrowing(statement, expression, computed, dtype, scope)
    return dtype


def _narrowing(statement: Statement, expression: Node, computed: str, dtype: str, scope: Scope) -> None:
    """Adds ``tc/narrowing``, with the function of integers where one of floats made the difference."""
    hint = f"write the cast: {word(dtype)}(…)"
    fixes = [
        scope.problems.replacement(
            f"Cast to {word(dtype)}",
            statement.expression.span,
            f"{word(dtype)}({scope.spell(statement.expression)})",
        )
    ]
    call = _of_integers(expression, scope) if is_integer(dtype) else None
    if call is not None:
        other = INTEGER_FUNCTIONS[call.name]
        hint = f"{call.name} computes floats, {other} keeps integers; or {hint}"
        fixes.insert(0, scope.problems.replacement(f"Use {other}", call.name_span, other))
    scope.problems.add(
        "tc/narrowing",
        f"the statement computes {word(computed)} values, which {statement.target} of type {word(dtype)} cannot hold "
        f"without loss",
        statement.span,
        expected=f"{word(dtype)} values",
        actual=word(computed),
        hint=hint,
        fixes=fixes,
    )


def _of_integers(expression: Node, scope: Scope) -> Apply | None:
    """The call of ``fmax`` or its like with integers, which alone makes floats of the expression."""
    for part in walk(expression):
        if isinstance(part, Apply) and part.name in INTEGER_FUNCTIONS and part.name not in scope.types:
            mended = _with_function(expression, part, INTEGER_FUNCTIONS[part.name])
            if not is_float(settle_type(type_of(mended, scope.types))):
                return part
    return None


def _with_function(node: Node, call: Apply, name: str) -> Node:
    if node is call:
        return replace(call, name=name)
    return with_children(node, [_with_function(part, call, name) for part in children(node)])


def _with_later(base: str, number: int, typed: Typed, scope: Scope) -> Typed:
    """The type of a tensor whose first statement is a written number: that of the next one."""
    for later in scope.expanded.statements[number + 1 :]:
        if later.target == base and base not in scope.first:
            typed = promote(typed, type_of(later.expression, {base: "bool", **scope.types}))
    return typed


def _no_reduction(statement: Statement, reduced: list[str], scope: Scope) -> None:
    names = " and ".join(reduced)
    scope.problems.add(
        "tc/no-reduction",
        f"{names} {'is' if len(reduced) == 1 else 'are'} only on the right: say how the values are combined",
        statement.operator_span,
        expected="+=! or another reduction",
        actual="=",
        hint="+=! adds them up, max=! takes the greatest",
        fixes=[scope.problems.replacement("Add them up with +=!", statement.operator_span, "+=!")],
    )
