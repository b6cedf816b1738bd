"""Walks over loop IR. The order of :func:`statements` also numbers them, for the printers and for traces."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.loop_ir.nodes import (
    Allocate,
    AllocateMap,
    AllocateResult,
    Assign,
    Barrier,
    Binary,
    Block,
    Break,
    Call,
    Cast,
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
    Grow,
    If,
    Load,
    MapSize,
    Prefetch,
    Require,
    Scan,
    Search,
    Select,
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


def children(statement: Stmt) -> tuple[Stmt, ...]:
    """The statements directly inside ``statement``, in the order of the text."""
    match statement:
        case Block(statements=inner):
            return inner
        case For(body=body) | While(body=body) | Single(body=body):
            return (body,)
        case If(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case _:
            return ()


def statements(statement: Stmt) -> Iterator[Stmt]:
    """``statement`` and all statements inside it, in the order of the text; blocks themselves are left out."""
    if not isinstance(statement, Block):
        yield statement
    for child in children(statement):
        yield from statements(child)


def expressions(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions of ``statement`` itself, not those of statements inside it."""
    match statement:
        case Declare(value=value) | Assign(value=value):
            return (value,)
        case Store(index=index, value=value):
            return (index, value)
        case For(lower=lower, upper=upper, private=private):
            return (lower, upper, *(expression for workspace in private for expression in expressions(workspace)))
        case While(condition=condition) | If(condition=condition) | Require(condition=condition):
            return (condition,)
        case Search(lower=lower, upper=upper, value=value):
            return (lower, upper, value)
        case Fill(size=size, value=value):
            return (size, value)
        case Allocate(size=size) | AllocateResult(size=size) | Scan(size=size):
            return (size,)
        case Grow(needed=needed):
            return (needed,)
        case Prefetch(index=index):
            return (index,)
        case Sort(lower=lower, upper=upper):
            return (lower, upper)
        case Slot(key=key):
            return (key,)
        case AllocateMap() | SortMap() | ClearMap() | Block() | Break() | Continue() | Comment():
            return ()
        case Barrier() | Single() | Combine() | CombineRuns():
            return ()
        case _:
            raise TypeError(f"unexpected node {statement!r}")


def operands(expression: Expr) -> tuple[Expr, ...]:
    match expression:
        case Var() | Const() | MapSize():
            return ()
        case Binary(left=left, right=right):
            return (left, right)
        case Unary(operand=operand) | Cast(operand=operand):
            return (operand,)
        case Load(index=index):
            return (index,)
        case Select(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Call(arguments=arguments):
            return arguments
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def written_arrays(statement: Stmt) -> tuple[str, ...]:
    """The arrays whose elements ``statement`` itself may change."""
    match statement:
        case (
            Store(array=array)
            | Fill(array=array)
            | Allocate(array=array)
            | AllocateResult(array=array)
            | Grow(array=array)
            | Scan(array=array)
            | Sort(array=array)
        ):
            return (array.name,)
        case AllocateMap(map=table) | Slot(map=table) | SortMap(map=table) | ClearMap(map=table):
            return (table.keys.name, table.vals.name)
        case For(private=private):
            return tuple(name for workspace in private for name in written_arrays(workspace))
        case _:
            return ()


def subexpressions(expression: Expr) -> Iterator[Expr]:
    """``expression`` and everything inside it."""
    yield expression
    for operand in operands(expression):
        yield from subexpressions(operand)


def declared_names(statement: Stmt) -> tuple[str, ...]:
    """The names that ``statement`` brings into scope: scalars, workspaces, a loop's variable and private workspaces."""
    match statement:
        case Declare(name=name) | Search(name=name) | Slot(name=name, new=None):
            return (name,)
        case CombineRuns(head=head):
            return (head,)
        case Slot(name=name, new=str() as new):
            return (name, new)
        case For(variable=variable, private=private):
            return (variable, *(name for workspace in private for name in declared_names(workspace)))
        case Allocate(array=array) | AllocateResult(array=array):
            return (array.name,)
        case AllocateMap(map=table):
            return (table.name, table.keys.name, table.vals.name)
        case _:
            return ()
