"""Which way the warps of a block go: whether all take the same one, and whether the block acts as a whole."""

from __future__ import annotations

from heddle.loop_ir.analysis.launch_shape import launch_shape, trip_count
from heddle.loop_ir.nodes import (
    Allocate,
    Assign,
    Barrier,
    Block,
    Break,
    Combine,
    CombineRuns,
    Continue,
    Declare,
    Expr,
    For,
    GroupScope,
    If,
    Insert,
    Load,
    LoopKind,
    MemorySpace,
    Search,
    Single,
    Stmt,
    Var,
    While,
)
from heddle.loop_ir.walk import children, expressions, statements, subexpressions, written_arrays


def meets(statement: Stmt) -> bool:
    """Whether there is a collective in ``statement``."""
    return any(isinstance(inner, Barrier | Combine | CombineRuns) for inner in statements(statement))


def parts_threads(statement: Stmt) -> bool:
    """Whether the threads that came to ``statement`` together go different ways in it."""
    return isinstance(statement, Single) or (isinstance(statement, For) and statement.kind is LoopKind.GPU_THREAD)


def waits_in_cases(launch: For) -> bool:
    """Whether threads of a block wait for one another in a loop of one of the cases that the number of a block chooses
    among."""
    body = launch.body.statements if isinstance(launch.body, Block) else (launch.body,)
    cases = [statement for statement in body if isinstance(statement, If) and statement.otherwise is not None]
    return any(
        Var(launch.variable) in subexpressions(case.condition)
        and any(_is_serial(loop) and _waits(loop) for loop in statements(case))
        for case in cases
    )


def _is_serial(statement: Stmt) -> bool:
    return isinstance(statement, While) or (isinstance(statement, For) and statement.kind is LoopKind.SERIAL)


def _waits(statement: Stmt) -> bool:
    return any(
        isinstance(statement, Barrier) and statement.scope is GroupScope.BLOCK for statement in statements(statement)
    )


def shares_block(launch: For) -> bool:
    """Whether the threads of a whole block wait for one another or share memory."""
    return _shares_block(launch.body)


def _shares_block(statement: Stmt) -> bool:
    match statement:
        case Barrier(scope=scope) | Combine(scope=scope) if scope is GroupScope.BLOCK:
            return True
        case Allocate(space=MemorySpace.SHARED):
            return True
        case For(kind=LoopKind.GPU_WARP, body=body):
            # Shared memory in here is each warp's own.
            return any(
                isinstance(inner, Barrier | Combine) and inner.scope is GroupScope.BLOCK for inner in statements(body)
            )
        case _:
            return any(_shares_block(child) for child in children(statement))


def warps_agree(launch: For) -> bool:
    """Whether all warps of a block come to each collective of a warp, and to each branch at which threads diverge,
    equally often: nothing that decides about it depends on the number of a warp or thread, or was loaded by one. Errs
    on the side of no."""
    return _agree(launch.body, _differing(launch), launch_shape(launch).warps, False, False)


def _agree(statement: Stmt, differing: set[str], warps: int, divided: bool, meeting: bool) -> bool:
    """``divided``: warps go different ways around here; ``meeting``: a loop or branch around has a collective."""
    if divided and (isinstance(statement, Barrier | Combine | CombineRuns) or (meeting and parts_threads(statement))):
        return False
    match statement:
        case If() | While() | For(kind=LoopKind.SERIAL):
            meeting = meeting or meets(statement)
            divided = divided or any(_depends(expression, differing) for expression in expressions(statement))
            divided = divided or (not isinstance(statement, If) and _leaves(statement))
        case For(kind=LoopKind.GPU_WARP):
            divided = divided or trip_count(statement) != warps
        case _:
            pass
    return all(_agree(child, differing, warps, divided, meeting) for child in children(statement))


def _leaves(loop: Stmt) -> bool:
    """Whether a jump may end the loop or an iteration early."""
    return any(isinstance(inner, Break | Continue) for inner in statements(loop))


def _differing(launch: For) -> set[str]:
    """Scalars that may differ between the threads of a block, and the arrays that they write."""
    differing = {name for statement in statements(launch.body) for name in written_arrays(statement)}
    grown = True
    while grown:
        before = len(differing)
        _collect(launch.body, differing, False)
        grown = len(differing) > before
    return differing


def _collect(statement: Stmt, differing: set[str], inside: bool) -> None:
    match statement:
        case For(kind=LoopKind.GPU_WARP | LoopKind.GPU_THREAD, variable=variable):
            differing.add(variable)
            inside = True
        case Declare(name=name) | Assign(name=name) | Search(name=name) | Insert(name=name):
            if inside or any(_depends(expression, differing) for expression in expressions(statement)):
                differing.add(name)
        case For(variable=variable):
            if any(_depends(expression, differing) for expression in expressions(statement)):
                differing.add(variable)
        case If() | While():
            inside = inside or any(_depends(expression, differing) for expression in expressions(statement))
        case CombineRuns(head=head):
            differing.add(head)
        case _:
            pass
    for child in children(statement):
        _collect(child, differing, inside)


def _depends(expression: Expr, differing: set[str]) -> bool:
    """Whether ``expression`` may differ; what is loaded may, when its index does or another thread wrote it."""
    return any(
        (isinstance(part, Var) and part.name in differing) or (isinstance(part, Load) and part.array.name in differing)
        for part in subexpressions(expression)
    )
