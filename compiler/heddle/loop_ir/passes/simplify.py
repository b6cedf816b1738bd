"""Simplification of loop IR: folded expressions, no dead branches, loops and declarations. Origins stay with their
statements.

One pass upwards folds every expression and drops what can never run; one pass backwards drops the immutable scalars
that nothing reads any more. Both are linear in the size of the function.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from heddle.loop_ir.nodes import (
    INDEX,
    Assign,
    Binary,
    Block,
    Break,
    Combine,
    CombineRuns,
    Const,
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    If,
    Require,
    Single,
    Stmt,
    Unary,
    Var,
    While,
)
from heddle.loop_ir.passes.fold import fold
from heddle.loop_ir.rebuild import map_children, map_expressions
from heddle.loop_ir.walk import declared_names, expressions, statements, subexpressions

_EMPTY = Block(())


def simplify(function: Function) -> Function:
    """A function that computes the same with the same checks, and reads better."""
    folded = _body(function.body)
    live = _without_unused(folded, _uses(folded))
    # Dropping declarations may leave loops and branches empty.
    body = live if live is folded else _body(live)
    requirements = function.requirements
    if requirements:
        live_codes = {statement.code for statement in statements(body) if isinstance(statement, Require)}
        requirements = tuple(requirement for requirement in requirements if requirement.code in live_codes)
    assert isinstance(body, Block)
    if body is function.body and requirements == function.requirements:
        return function
    return replace(function, body=body, requirements=requirements)


def _body(body: Stmt) -> Stmt:
    """The simplified statements of a body; ``body`` itself when there is nothing to do."""
    old = body.statements if isinstance(body, Block) else (body,)
    new: list[Stmt] = []
    for number, statement in enumerate(old, start=1):
        simple = _statement(statement)
        last = number == len(old)  # nothing after it could mean another scalar of the same name
        if isinstance(simple, Block) and (last or not any(declared_names(child) for child in simple.statements)):
            new.extend(simple.statements)
        else:
            new.append(simple)
        if new and isinstance(new[-1], Break | Continue):
            break  # nothing after a jump is ever reached
    return body if len(new) == len(old) and all(map(_same, new, old)) else Block(tuple(new))


def _statement(statement: Stmt) -> Stmt:
    if isinstance(statement, Block):
        return _body(statement)
    expressions = map_expressions(map_children(statement, _body), fold)
    match expressions:
        case If():
            return _branch(expressions)
        case For(lower=lower, upper=upper, body=body) if _never_runs(lower, upper) or body == _EMPTY:
            return _EMPTY
        case While(condition=condition) if condition == Const(False, "bool"):
            return _EMPTY
        case Require(condition=condition) if condition == Const(True, "bool"):
            return _EMPTY
        case Fill(size=Const(value=0)) | Single(body=Block(statements=())):
            return _EMPTY
        case _:
            return expressions


def _branch(branch: If) -> Stmt:
    condition, then, otherwise = branch.condition, branch.then, branch.otherwise
    if otherwise == _EMPTY:
        otherwise = None
    if isinstance(condition, Const):
        return then if condition.value else otherwise or _EMPTY
    if then == _EMPTY:
        if otherwise is None:
            return _EMPTY
        case = None if branch.case is None else replace(branch.case, when=not branch.case.when)
        return If(fold(Unary("!", condition, "bool")), otherwise, branch.origin, case=case)
    return branch if otherwise is branch.otherwise else replace(branch, otherwise=otherwise)


def _never_runs(lower: Expr, upper: Expr) -> bool:
    """Whether ``[lower, upper)`` is empty for certain."""
    match fold(Binary("-", upper, lower, INDEX)):
        case Const(value=int() as trips):
            return trips <= 0
        case _:
            return False


def _uses(body: Stmt) -> Counter[str]:
    """How often each scalar is read, assigned or reduced, by name: scopes that share a name are counted together."""
    uses: list[str] = []
    for statement in statements(body):
        for expression in expressions(statement):
            uses += _names(expression)
        match statement:
            case Assign(name=name):
                uses.append(name)
            case For(reductions=reductions):
                uses += [reduction.name for reduction in reductions]
            case Combine(name=name):
                uses.append(name)
            case CombineRuns(name=name, key=key):
                uses += (name, key)
            case _:
                pass
    return Counter(uses)


def _names(expression: Expr) -> list[str]:
    return [part.name for part in subexpressions(expression) if isinstance(part, Var)]


def _without_unused(body: Stmt, uses: Counter[str]) -> Stmt:
    """Drops unused declarations, last statement first, so that what only they used goes too."""
    old = body.statements if isinstance(body, Block) else (body,)
    new: list[Stmt] = []
    for statement in reversed(old):
        match statement:
            case Declare(name=name, value=value) if not uses[name]:
                uses.subtract(_names(value))
                continue
            case If(then=then, otherwise=otherwise):
                # The text of `otherwise` comes later.
                last = None if otherwise is None else _without_unused(otherwise, uses)
                first = _without_unused(then, uses)
                same = first is then and last is otherwise
                new.append(statement if same else replace(statement, then=first, otherwise=last))
            case _:
                new.append(map_children(statement, lambda child: _without_unused(child, uses)))
    new.reverse()
    return body if len(new) == len(old) and all(map(_same, new, old)) else Block(tuple(new))


def _same(new: Stmt, old: Stmt) -> bool:
    return new is old
