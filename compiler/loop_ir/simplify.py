"""Simplification of loop IR: folded expressions, no dead branches, loops and declarations. Origins stay with their
statements.

One pass upwards folds every expression and drops what can never run; one pass backwards drops the immutable scalars
that nothing reads any more. Both are linear in the size of the function.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from compiler.loop_ir.fold import fold
from compiler.loop_ir.nodes import (
    INDEX,
    Allocate,
    AllocateMap,
    AllocateResult,
    Assign,
    Barrier,
    Binary,
    Block,
    Break,
    ClearMap,
    Combine,
    CombineRuns,
    Comment,
    Const,
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    Grow,
    If,
    Prefetch,
    Require,
    Scan,
    Search,
    Single,
    Slot,
    Sort,
    SortMap,
    Stmt,
    Store,
    Unary,
    Var,
    While,
)
from compiler.loop_ir.walk import declared_names, expressions, statements, subexpressions

_EMPTY = Block(())


def simplify(function: Function) -> Function:
    """A function that computes the same with the same checks, and reads better."""
    folded = _body(function.body)
    live = _without_unused(folded, _uses(folded))
    # Dropping declarations may leave loops and branches empty.
    body = live if live is folded else _body(live)
    kept = {statement.code for statement in statements(body) if isinstance(statement, Require)}
    requirements = tuple(requirement for requirement in function.requirements if requirement.code in kept)
    assert isinstance(body, Block)
    if body is function.body and requirements == function.requirements:
        return function
    return replace(function, body=body, requirements=requirements)


def _body(body: Stmt) -> Stmt:
    """The simplified statements of a body; ``body`` itself when there is nothing to do."""
    old = body.statements if isinstance(body, Block) else (body,)
    new: list[Stmt] = []
    for statement in old:
        simple = _statement(statement)
        if isinstance(simple, Block) and not any(declared_names(child) for child in simple.statements):
            new.extend(simple.statements)
        else:
            new.append(simple)
        if new and isinstance(new[-1], Break | Continue):
            break  # nothing after a jump is ever reached
    return body if len(new) == len(old) and all(map(_same, new, old)) else Block(tuple(new))


def _statement(statement: Stmt) -> Stmt:
    match statement:
        case Block():
            return _body(statement)
        case If(condition=condition, then=then, otherwise=otherwise):
            return _branch(statement, fold(condition), _body(then), None if otherwise is None else _body(otherwise))
        case For(lower=lower, upper=upper, body=body, private=private):
            bounds, inner = (fold(lower), fold(upper)), _body(body)
            if _never_runs(*bounds) or (inner == _EMPTY):
                return _EMPTY
            owned = tuple(_workspace(workspace) for workspace in private)
            if bounds[0] is lower and bounds[1] is upper and inner is body and all(map(_same, owned, private)):
                return statement
            return replace(statement, lower=bounds[0], upper=bounds[1], body=inner, private=owned)
        case While(condition=condition, body=body):
            test, inner = fold(condition), _body(body)
            if test == Const(False, "bool"):
                return _EMPTY
            return statement if test is condition and inner is body else replace(statement, condition=test, body=inner)
        case Require(condition=condition):
            test = fold(condition)
            if test == Const(True, "bool"):
                return _EMPTY
            return statement if test is condition else replace(statement, condition=test)
        case Declare(value=value) | Assign(value=value):
            new = fold(value)
            return statement if new is value else replace(statement, value=new)
        case Store(index=index, value=value):
            position, new = fold(index), fold(value)
            return statement if position is index and new is value else replace(statement, index=position, value=new)
        case Search(lower=lower, upper=upper, value=value):
            parts = fold(lower), fold(upper), fold(value)
            if parts[0] is lower and parts[1] is upper and parts[2] is value:
                return statement
            return replace(statement, lower=parts[0], upper=parts[1], value=parts[2])
        case Fill(size=size, value=value):
            count, new = fold(size), fold(value)
            if isinstance(count, Const) and count.value == 0:
                return _EMPTY
            return statement if count is size and new is value else replace(statement, size=count, value=new)
        case Allocate(size=size) | AllocateResult(size=size) | Scan(size=size):
            count = fold(size)
            return statement if count is size else replace(statement, size=count)
        case Prefetch(index=index):
            position = fold(index)
            return statement if position is index else replace(statement, index=position)
        case Grow(needed=needed):
            count = fold(needed)
            return statement if count is needed else replace(statement, needed=count)
        case Sort(lower=lower, upper=upper):
            ends = fold(lower), fold(upper)
            if ends[0] is lower and ends[1] is upper:
                return statement
            return replace(statement, lower=ends[0], upper=ends[1])
        case Slot(key=key):
            new = fold(key)
            return statement if new is key else replace(statement, key=new)
        case Single(body=body):
            inner = _body(body)
            if inner == _EMPTY:
                return _EMPTY
            return statement if inner is body else replace(statement, body=inner)
        case AllocateMap() | SortMap() | ClearMap() | Break() | Continue() | Comment():
            return statement
        case Barrier() | Combine() | CombineRuns():
            return statement
        case _:
            raise TypeError(f"unexpected node {statement!r}")


def _workspace(workspace: Allocate | AllocateMap) -> Allocate | AllocateMap:
    simple = _statement(workspace)
    assert isinstance(simple, Allocate | AllocateMap)
    return simple


def _branch(branch: If, condition: Expr, then: Stmt, otherwise: Stmt | None) -> Stmt:
    if otherwise == _EMPTY:
        otherwise = None
    if isinstance(condition, Const):
        return then if condition.value else otherwise or _EMPTY
    if then == _EMPTY:
        if otherwise is None:
            return _EMPTY
        case = None if branch.case is None else replace(branch.case, when=not branch.case.when)
        return If(fold(Unary("!", condition, "bool")), otherwise, branch.origin, case=case)
    if condition is branch.condition and then is branch.then and otherwise is branch.otherwise:
        return branch
    return replace(branch, condition=condition, then=then, otherwise=otherwise)


def _never_runs(lower: Expr, upper: Expr) -> bool:
    """Whether ``[lower, upper)`` is empty for certain."""
    match fold(Binary("-", upper, lower, INDEX)):
        case Const(value=int() as trips):
            return trips <= 0
        case _:
            return False


def _uses(body: Stmt) -> Counter[str]:
    """How often each scalar is read, assigned or reduced, by name: scopes that share a name are counted together."""
    uses: Counter[str] = Counter()
    for statement in statements(body):
        for expression in expressions(statement):
            uses.update(_names(expression))
        match statement:
            case Assign(name=name):
                uses[name] += 1
            case For(reductions=reductions):
                uses.update(reduction.name for reduction in reductions)
            case Combine(name=name):
                uses[name] += 1
            case CombineRuns(name=name, key=key):
                uses.update((name, key))
            case _:
                pass
    return uses


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
            case Block():
                new.append(_without_unused(statement, uses))
            case For(body=inner) | While(body=inner) | Single(body=inner):
                live = _without_unused(inner, uses)
                new.append(statement if live is inner else replace(statement, body=live))
            case If(then=then, otherwise=otherwise):
                # The text of `otherwise` comes later.
                last = None if otherwise is None else _without_unused(otherwise, uses)
                first = _without_unused(then, uses)
                same = first is then and last is otherwise
                new.append(statement if same else replace(statement, then=first, otherwise=last))
            case _:
                new.append(statement)
    new.reverse()
    return body if len(new) == len(old) and all(map(_same, new, old)) else Block(tuple(new))


def _same(new: Stmt, old: Stmt) -> bool:
    return new is old
