"""Walks over loop IR. The order of :func:`statements` also numbers them, for the printers and for traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heddle.loop_ir.nodes import (
    Allocate,
    AllocateMap,
    AllocateResult,
    Assign,
    Barrier,
    Binary,
    Block,
    Break,
    Broadcast,
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
    Function,
    Gather,
    Grow,
    If,
    Insert,
    Keep,
    LaneRange,
    Lanes,
    LaneSum,
    Load,
    MapSize,
    OpenTable,
    Prefetch,
    RegistersHold,
    Require,
    Scan,
    Scatter,
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
    VectorLoad,
    VectorMasks,
    VectorStore,
    While,
)

NESTING = (For, While, Single, Lanes, If)
"""The statements, beside blocks, that have statements inside."""


def children(statement: Stmt) -> tuple[Stmt, ...]:
    """The statements directly inside ``statement``, in the order of the text."""
    match statement:
        case Block(statements=inner):
            return inner
        case For(body=body) | While(body=body) | Single(body=body) | Lanes(body=body):
            return (body,)
        case If(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case _:
            return ()


def statements(statement: Stmt) -> Iterator[Stmt]:
    """``statement`` and all statements inside it, in the order of the text; blocks themselves are left out."""
    pending = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, Block):
            pending += node.statements[::-1]
            continue
        yield node
        if isinstance(node, NESTING):
            pending += children(node)[::-1]


def all_statements(function: Function) -> Sequence[Stmt]:
    """The :func:`statements` of ``function``, found once: most passes only look whether there is one for them."""
    cached: Sequence[Stmt] | None = function.memo.get("statements")
    if cached is None:
        cached = function.memo["statements"] = tuple(statements(function.body))
    return cached


EXPRESSIONS: dict[type[object], tuple[str, ...]] = {
    Declare: ("value",),
    Assign: ("value",),
    Store: ("index", "value"),
    For: ("lower", "upper"),
    While: ("condition",),
    If: ("condition",),
    Require: ("condition",),
    Search: ("lower", "upper", "value"),
    Fill: ("size", "value"),
    Allocate: ("size",),
    AllocateResult: ("size",),
    Scan: ("size",),
    Grow: ("needed",),
    Prefetch: ("index",),
    Sort: ("lower", "upper"),
    Slot: ("key",),
    VectorStore: ("index", "value"),
    Scatter: ("indices", "value"),
    **dict.fromkeys((AllocateMap, SortMap, ClearMap, Block, Break, Continue, Comment), ()),
    OpenTable: ("most",),
    Insert: ("lower", "room", "key"),
    **dict.fromkeys((Barrier, Single, Combine, CombineRuns, Lanes), ()),
}
"""The fields of each statement that hold expressions."""


VECTOR_OPERANDS: dict[type[object], tuple[str, ...]] = {
    Broadcast: ("value",),
    LaneRange: ("lower", "upper"),
    LaneSum: ("operand",),
    VectorLoad: ("index", "mask"),
    Gather: ("indices", "mask"),
    Keep: ("value", "mask"),
    VectorMasks: (),
    RegistersHold: (),
}
"""The fields of each expression with vectors that hold its operands; a mask may be None."""


def expressions(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions of ``statement`` itself and of workspaces that it owns, not those of statements inside it."""
    operands = tuple(getattr(statement, name) for name in EXPRESSIONS[type(statement)])
    if isinstance(statement, For):
        return (*operands, *(expression for workspace in statement.private for expression in expressions(workspace)))
    return operands


def operands(expression: Expr) -> tuple[Expr, ...]:
    match expression:
        case Var() | Const() | MapSize() | VectorMasks() | RegistersHold():
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
        case Broadcast() | LaneRange() | LaneSum() | VectorLoad() | Gather() | Keep():
            operands = (getattr(expression, name) for name in VECTOR_OPERANDS[type(expression)])
            return tuple(operand for operand in operands if operand is not None)
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def written_arrays(statement: Stmt) -> tuple[str, ...]:
    """The arrays whose elements ``statement`` itself may change."""
    match statement:
        case (
            Store(array=array)
            | VectorStore(array=array)
            | Scatter(array=array)
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
        case OpenTable(keys=keys, values=values):
            return (keys.name,) if values is None else (keys.name, values.name)
        case Insert(keys=keys):
            return (keys.name,)
        case For(private=private):
            return tuple(name for workspace in private for name in written_arrays(workspace))
        case _:
            return ()


def loaded_arrays(statement: Stmt) -> tuple[str, ...]:
    """The arrays whose elements the expressions of ``statement`` itself read."""
    parts = (part for expression in expressions(statement) for part in subexpressions(expression))
    return tuple(part.array.name for part in parts if isinstance(part, Load | VectorLoad | Gather))


def subexpressions(expression: Expr) -> Iterator[Expr]:
    """``expression`` and everything inside it."""
    pending = [expression]
    while pending:
        node = pending.pop()
        yield node
        inside = operands(node)
        if inside:
            pending += inside[::-1]


def all_names(function: Function) -> set[str]:
    """The names of a function's parameters, and all that its statements bring into scope."""
    names = {parameter.name for parameter in function.parameters}
    return names.union(*(declared_names(statement) for statement in all_statements(function)))


def declared_names(statement: Stmt) -> tuple[str, ...]:
    """The names that ``statement`` brings into scope: scalars, workspaces, a loop's variable and private workspaces."""
    match statement:
        case Declare(name=name) | Search(name=name) | Slot(name=name, new=None) | Insert(name=name):
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
        case OpenTable(keys=keys, values=values, room=room):
            return (keys.name, room) if values is None else (keys.name, values.name, room)
        case _:
            return ()
