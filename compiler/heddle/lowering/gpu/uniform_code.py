"""The code of a launch: what all threads of a block or warp execute alike, and what each does for itself.

In uniform code one thread writes for all, and the sums of a parallel loop are combined where its threads have come
together. Loops over warps and threads get constant trip counts; where a loop has more iterations than there are
threads, or a number that is known at run time only, each thread takes several of them in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from heddle.diagnostics import InternalError
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir import build
from heddle.loop_ir.analysis.launch_shape import MAX_THREADS, WARP_SIZE
from heddle.loop_ir.dtypes import reduction_identity
from heddle.loop_ir.nodes import (
    Allocate,
    Assign,
    Block,
    Break,
    Combine,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    GroupScope,
    If,
    LoopKind,
    MemorySpace,
    Single,
    Stmt,
    Store,
    Var,
    While,
)
from heddle.loop_ir.replace import replace_scalars
from heddle.loop_ir.walk import expressions, statements, subexpressions
from heddle.lowering.environment.values.compute import typed_constant
from heddle.names import Names
from heddle.origin import Origin

THREADS, WARPS = 256, 8
"""Of a block, for loops whose number of iterations is known at run time only."""
MAX_REGISTERS = 1024
"""Elements of a thread's own array."""


def neutral_of(operator: str, dtype: str) -> Const:
    """What a reduction (``+ * min max && ||``) starts with."""
    return typed_constant(reduction_identity(operator, dtype), dtype)


@dataclass(slots=True)
class Uniform:
    """``reducing`` are the scalars of which each thread has a part here, to be combined further out. ``shifted`` are
    the variables of loops over units that do not start at a constant."""

    names: Names
    reducing: set[str] = field(default_factory=set)
    shifted: set[str] = field(default_factory=set)

    def block(self, body: Sequence[Stmt], scope: GroupScope) -> Block:
        """Uniform code of ``scope``."""
        code: list[Stmt] = []
        declared: dict[str, Declare] = {}
        neutral: set[str] = set()
        for statement in without_jumps(body):
            sums = {
                reduction.name: reduction.operator
                for loop in statements(statement)
                if isinstance(loop, For)
                for reduction in loop.reductions
                if reduction.name in declared
            }
            if isinstance(statement, Declare) and statement.mutable:
                declared[statement.name] = statement
                neutral.add(statement.name)
            self.reducing |= set(sums)
            new = self._statement(statement, scope)
            self.reducing -= set(sums)
            for name, operator in sums.items():
                _no_reads(statement, name)
                start = neutral_of(operator, declared[name].dtype)
                if name not in neutral or declared[name].value != start:
                    new = self._part(code, new, name, operator, start, scope)
                    continue
                new = [*new, Combine(name, operator, scope, declared[name].origin)]
            for written in statements(statement):
                if isinstance(written, Assign):
                    neutral.discard(written.name)
            _append(code, new)
        return Block(tuple(code))

    def _part(
        self, code: list[Stmt], new: list[Stmt], name: str, operator: str, start: Const, scope: GroupScope
    ) -> list[Stmt]:
        """A scalar that has a value already: each thread sums into a new one, whose combination is added."""
        part = Var(self.names.fresh(f"{name}_part"), start.dtype)

        def rename(inner: Stmt) -> Stmt:
            return replace(inner, name=part.name) if isinstance(inner, Assign) and inner.name == name else inner

        changed = [replace_scalars(statement, {}, rename) for statement in new]
        origin = _origin(new[0])
        code.append(Declare(part.name, part.dtype, start, origin, mutable=True))
        return [*changed, Combine(part.name, operator, scope, origin), Assign(name, part, origin, operator)]

    def _statement(self, statement: Stmt, scope: GroupScope) -> list[Stmt]:
        def body(inner: Stmt) -> Block:
            return self.block(_list_statements(inner), scope)

        match statement:
            case Block():
                return [body(statement)]
            case Assign(name=name) if name in self.reducing:
                return [Single(scope, Block((statement,)), statement.origin)]
            case Store():
                return [Single(scope, Block((statement,)), statement.origin)]
            case Fill(array=array, size=size, value=value, origin=origin):
                position = Var(self.names.fresh("p"))
                put = Store(array, position, value, origin)
                loop = For(position.name, build.index(0), size, put, origin, LoopKind.GPU_THREAD)
                return self._unit(loop, scope, lambda inner: inner)
            case Allocate():
                return [_make_shared(statement)]
            case If(then=then, otherwise=otherwise):
                return [replace(statement, then=body(then), otherwise=None if otherwise is None else body(otherwise))]
            case For(kind=LoopKind.SERIAL, body=inner) | While(body=inner):
                return [replace(statement, body=body(inner))]
            case For(kind=LoopKind.GPU_WARP):
                return self._unit(statement, scope, self._in_warp)
            case For(kind=LoopKind.GPU_THREAD):
                return self._unit(statement, scope, in_thread)
            case _:
                return [statement]

    def _in_warp(self, body: Stmt) -> Block:
        return self.block(_list_statements(body), GroupScope.WARP)

    def _unit(self, loop: For, scope: GroupScope, inside: Callable[[Stmt], Stmt]) -> list[Stmt]:
        """A loop over warps or threads with a constant number of iterations from 0 on."""
        body, origin = inside(loop.body), loop.origin
        trips = build.constant(build.sub(loop.upper, loop.lower))
        if loop.kind is LoopKind.GPU_WARP:
            most, usual = MAX_THREADS // WARP_SIZE, WARPS
        elif scope is GroupScope.WARP:
            most, usual = WARP_SIZE, WARP_SIZE
        else:
            most, usual = MAX_THREADS, THREADS
        if trips is not None and trips <= 0:
            return []
        if build.constant(loop.lower) is None:
            self.shifted.add(loop.variable)
        if trips is not None and trips <= most:
            if loop.lower == build.index(0):
                return [replace(loop, body=body, reductions=(), merge=None)]
            index = Var(self.names.fresh(f"{loop.variable}_index"))
            start: Stmt = Declare(loop.variable, "int64", build.add(loop.lower, index), origin)
            return [_loop(index.name, build.index(trips), Block((start, body)), loop)]
        index, turn = Var(self.names.fresh(f"{loop.variable}_index")), Var(self.names.fresh(f"{loop.variable}_turn"))
        each = build.index(usual)
        value = build.add(build.add(loop.lower, build.mul(turn, each)), index)
        inner = If(build.compare("<", Var(loop.variable), loop.upper), body, origin)
        block = Block((Declare(loop.variable, "int64", value, origin), inner))
        turns = build.ceil_divide(build.sub(loop.upper, loop.lower), each)
        serial = For(turn.name, build.index(0), turns, block, origin)
        return [_loop(index.name, each, Block((serial,)), loop)]


def in_thread(body: Stmt) -> Stmt:
    """The code of one thread: its workspaces are its own."""

    def with_private_memory(statement: Stmt) -> Stmt:
        return _thread_private(statement) if isinstance(statement, Allocate) else statement

    return replace_scalars(body, {}, with_private_memory)


def without_jumps(body: Sequence[Stmt]) -> list[Stmt]:
    """A guard that ends a loop becomes one that runs the rest: no thread may miss where the others meet."""
    for number, statement in enumerate(body):
        match statement:
            case If(condition=condition, then=Block(statements=(Break(),)), otherwise=None):
                rest = Block(tuple(without_jumps(body[number + 1 :])))
                return [*body[:number], If(build.negate(condition), rest, statement.origin)]
            case _:
                pass
    return list(body)


def _loop(index: str, count: Expr, body: Block, loop: For) -> For:
    return For(index, build.index(0), count, body, loop.origin, loop.kind)


def _make_shared(allocate: Allocate) -> Allocate:
    if build.constant(allocate.size) is None:
        name = allocate.array.tensor or allocate.array.name
        raise Refusal(
            "schedule/gpu-workspace",
            f"the workspace {name} belongs to a block or warp of the GPU and needs a constant size, but its size is "
            "known only at run time. Split its loop by a constant before precompute, or bound the loop.",
            expected="a constant size",
            actual=name,
        )
    return replace(allocate, space=MemorySpace.SHARED, zero=False)


def _thread_private(allocate: Allocate) -> Allocate:
    """In registers where it fits; else in global memory, of which each thread gets a part
    (``thread_private_memory.py``)."""
    size = build.constant(allocate.size)
    fits = size is not None and size <= MAX_REGISTERS and not allocate.zero
    return replace(allocate, space=MemorySpace.REGISTER) if fits else allocate


def _append(code: list[Stmt], new: list[Stmt]) -> None:
    """What one thread does twice in a row it does at once."""
    for statement in new:
        last = code[-1] if code else None
        if isinstance(statement, Single) and isinstance(last, Single) and last.scope is statement.scope:
            both = [*_list_statements(last.body), *_list_statements(statement.body)]
            code[-1] = replace(last, body=Block(tuple(both)))
        else:
            code.append(statement)


def _list_statements(body: Stmt) -> tuple[Stmt, ...]:
    return body.statements if isinstance(body, Block) else (body,)


def _origin(statement: Stmt) -> Origin:
    while isinstance(statement, Block):
        statement = statement.statements[0]
    return statement.origin


def _no_reads(statement: Stmt, name: str) -> None:
    for inner in statements(statement):
        for expression in expressions(inner):
            if any(isinstance(part, Var) and part.name == name for part in subexpressions(expression)):
                raise InternalError(f"{name} is read before its threads have met at a barrier")
