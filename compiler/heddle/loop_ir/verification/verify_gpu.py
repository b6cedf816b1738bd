"""The rules for GPU launches: what may be on the host, in uniform code, and in the code of single threads."""

from __future__ import annotations

from enum import Enum

from heddle.loop_ir.analysis.launch_shape import GPU_KINDS, MAX_SHARED_BYTES, MAX_THREADS, launch_shape, shared_bytes
from heddle.loop_ir.nodes import (
    Allocate,
    AllocateResult,
    Assign,
    Barrier,
    Block,
    Break,
    Combine,
    CombineRuns,
    Comment,
    Const,
    Continue,
    Declare,
    Fill,
    For,
    Function,
    GroupScope,
    If,
    Insert,
    LoopKind,
    MemorySpace,
    Require,
    Scan,
    Search,
    Single,
    Sort,
    Stmt,
    Store,
    While,
)
from heddle.loop_ir.verification.rule_error import RuleError
from heddle.loop_ir.walk import all_statements, children, statements


class _Place(Enum):
    """Where a statement stands; the values are for messages."""

    HOST = "outside every launch"
    BLOCK = "in uniform code of a block"
    WARP = "in uniform code of a warp"
    THREAD = "in a loop over threads"
    SINGLE = "in the code of one thread"


_UNIFORM = {_Place.BLOCK: GroupScope.BLOCK, _Place.WARP: GroupScope.WARP}
_COLLECTIVE = (Barrier, Combine, CombineRuns)


def check_launches(function: Function) -> None:
    """Checks a function that launches blocks; other functions have no GPU statements.

    Raises
    ------
    RuleError
        the rule that a statement breaks.
    """
    group_statements = [s for s in all_statements(function) if isinstance(s, Single | Barrier | Combine | CombineRuns)]
    if any(isinstance(s, For) and s.kind in GPU_KINDS for s in all_statements(function)):
        _check(function.body, _Place.HOST)
    elif group_statements:
        raise RuleError(f"a {type(group_statements[0]).__name__} without a launch")


def _check(statement: Stmt, place: _Place) -> None:
    """Checks ``statement`` at ``place`` and what is inside it."""
    inside = place
    match statement:
        case Block() | Comment():
            pass
        case For(kind=kind) if kind in GPU_KINDS:
            inside = _unit_loop(statement, place)
        case Require() | Search():
            pass
        case Declare(mutable=mutable):
            _rule(place is not _Place.HOST or not mutable, statement, place)
        case Allocate(size=size, space=space):
            right = {
                _Place.HOST: MemorySpace.GLOBAL,
                _Place.BLOCK: MemorySpace.SHARED,
                _Place.WARP: MemorySpace.SHARED,
                _Place.THREAD: MemorySpace.REGISTER,
            }
            _rule(space is right.get(place), statement, place)
            _rule(space is MemorySpace.GLOBAL or isinstance(size, Const), statement, place, "without a constant size")
        case AllocateResult() | Scan():
            _rule(place is _Place.HOST, statement, place)
        case Sort():
            _rule(place is _Place.THREAD, statement, place)
        case Fill():
            _rule(place not in _UNIFORM, statement, place)
        case Store():
            _rule(place in (_Place.THREAD, _Place.SINGLE), statement, place)
        case Single(scope=scope):
            _rule(_UNIFORM.get(place) is scope, statement, place)
            inside = _Place.SINGLE
        case Barrier(scope=scope) | Combine(scope=scope):
            _rule(_UNIFORM.get(place) is scope, statement, place)
        case CombineRuns():
            _rule(place is _Place.WARP, statement, place)
        case Insert():
            _rule(place is _Place.THREAD, statement, place)
        case For() | While():
            _rule(place is not _Place.HOST, statement, place)
            if any(isinstance(s, _COLLECTIVE) for s in statements(statement)) and _leaves(statement):
                raise RuleError("a break or continue leads past a barrier or a combination")
        case If() | Assign() | Break() | Continue():
            _rule(place is not _Place.HOST, statement, place)
        case _:
            raise RuleError(f"{type(statement).__name__} in a function that launches blocks")
    for child in children(statement):
        _check(child, inside)
    if isinstance(statement, For) and statement.kind is LoopKind.GPU_BLOCK:
        _check_shape(statement)


def _check_shape(loop: For) -> None:
    """The loops inside are known to be right."""
    shape = launch_shape(loop)
    if shape.threads > MAX_THREADS:
        raise RuleError(f"a block of {shape.threads} threads; at most {MAX_THREADS} are possible")
    if shared_bytes(loop) > MAX_SHARED_BYTES:
        raise RuleError(f"a block with {shared_bytes(loop)} bytes of shared memory")


def _unit_loop(loop: For, place: _Place) -> _Place:
    if loop.reductions or loop.private:
        raise RuleError(f"a loop on {loop.kind.value} of a launch has reductions or private workspaces")
    if loop.kind is LoopKind.GPU_BLOCK:
        _rule(place is _Place.HOST, loop, place)
        return _Place.BLOCK
    constant = loop.lower == Const(0) and isinstance(loop.upper, Const)
    _rule(constant, loop, place, "without a constant trip count from 0")
    if loop.kind is LoopKind.GPU_WARP:
        _rule(place is _Place.BLOCK, loop, place)
        return _Place.WARP
    _rule(place in _UNIFORM, loop, place)
    return _Place.THREAD


def _leaves(loop: For | While) -> bool:
    """Whether a break or continue of ``loop`` itself is inside it."""

    def contains(statement: Stmt) -> bool:
        if isinstance(statement, Break | Continue):
            return True
        serial = isinstance(statement, While) or (isinstance(statement, For) and statement.kind is LoopKind.SERIAL)
        return not serial and any(contains(child) for child in children(statement))

    return contains(loop.body)


def _rule(holds: bool, statement: Stmt, place: _Place, how: str = "") -> None:
    if not holds:
        kind = f" on {statement.kind.value}" if isinstance(statement, For) else ""
        scope = f" of the {statement.scope.value}" if isinstance(statement, Barrier | Combine | Single) else ""
        raise RuleError(f"a {type(statement).__name__}{kind}{scope} {how + ' ' if how else ''}{place.value}")
