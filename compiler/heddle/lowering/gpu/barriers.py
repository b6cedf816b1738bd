"""Barriers in the code of a launch: between what some threads write into shared memory and others read or overwrite,
and between what they write into the memory of all and others of the block read, as where statements share a loop."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.loop_ir.nodes import (
    Allocate,
    Barrier,
    Block,
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
    Store,
    While,
)
from heddle.loop_ir.walk import expressions, statements, subexpressions, written_arrays
from heddle.lowering.gpu.iteration_places import find_revisited
from heddle.lowering.gpu.scattered import find_scattered
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class _Touched:
    """The shared arrays that threads have read and written since they last met; ``loaded`` and ``stored`` are arrays in
    the memory of all, which several statements may write: by atomics, or each thread at places of its own. What is
    only ``updated``, by atomics and insertions into hash tables, needs no order among these."""

    read: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    loaded: frozenset[str] = frozenset()
    stored: frozenset[str] = frozenset()
    updated: frozenset[str] = frozenset()

    @property
    def accessed(self) -> frozenset[str]:
        """By anything but an atomic update."""
        return self.read | self.written | self.loaded | self.stored

    def conflicts(self, later: _Touched) -> bool:
        shared = self.written & (later.read | later.written) or self.read & later.written
        atomic = self.updated & later.accessed or self.accessed & later.updated
        return bool(shared or self.stored & later.loaded or self.loaded & later.stored or atomic)

    def and_(self, other: _Touched) -> _Touched:
        return _Touched(
            self.read | other.read,
            self.written | other.written,
            self.loaded | other.loaded,
            self.stored | other.stored,
            self.updated | other.updated,
        )


_NOTHING = _Touched()


def with_barriers(body: Block, shifted: frozenset[str]) -> Block:
    """Uniform code of a block with the barriers that its shared arrays need, and results whose places change hands
    between its threads; those of warps are found inside. ``shifted`` is as in :func:`scattered`."""
    local_arrays = frozenset(inner.array.name for inner in statements(body) if isinstance(inner, Allocate))
    return _Arrays(GroupScope.BLOCK, _find_shared(body, GroupScope.BLOCK), shifted, local_arrays).block(body, _NOTHING)[
        0
    ]


def _find_shared(body: Stmt, scope: GroupScope) -> frozenset[str]:
    """The shared arrays that ``body`` allocates for its block, or for its warp."""
    shared_arrays: set[str] = set()
    for statement in _of_scope(body, scope):
        if isinstance(statement, Allocate) and statement.space is MemorySpace.SHARED:
            shared_arrays.add(statement.array.name)
    return frozenset(shared_arrays)


def _of_scope(statement: Stmt, scope: GroupScope) -> list[Stmt]:
    match statement:
        case Block(statements=inner):
            return [nested for child in inner for nested in _of_scope(child, scope)]
        case For(kind=LoopKind.GPU_WARP):
            return []
        case For(body=body) | While(body=body) | Single(body=body):
            return _of_scope(body, scope)
        case If(then=then, otherwise=otherwise):
            return _of_scope(then, scope) + (_of_scope(otherwise, scope) if otherwise is not None else [])
        case _:
            return [statement]


@dataclass(frozen=True, slots=True)
class _Arrays:
    scope: GroupScope
    names: frozenset[str]
    shifted: frozenset[str]
    launch_arrays: frozenset[str]
    """The arrays that the launch allocates: shared, or each thread's own."""

    def block(self, body: Stmt, before: _Touched) -> tuple[Block, _Touched]:
        """The statements with barriers, and what is still unordered behind them."""
        statements: list[Stmt] = []
        for statement in body.statements if isinstance(body, Block) else (body,):
            if self._uniform(statement):
                new, before = self._inside(statement, before, statements)
            else:
                touched = self._find_touched(statement)
                if before.conflicts(touched):
                    statements.append(self._barrier(statement))
                    before = _NOTHING
                new, before = self._warps(statement), before.and_(touched)
            statements.append(new)
        return Block(tuple(statements)), before

    def _uniform(self, statement: Stmt) -> bool:
        unit = isinstance(statement, For) and statement.kind is not LoopKind.SERIAL
        return isinstance(statement, Block | For | While | If) and not unit

    def _inside(self, statement: Stmt, before: _Touched, emitted: list[Stmt]) -> tuple[Stmt, _Touched]:
        match statement:
            case Block():
                return self.block(statement, before)
            case If(then=then, otherwise=otherwise):
                first, after = self.block(then, before)
                last, other = (None, before) if otherwise is None else self.block(otherwise, before)
                return replace(statement, then=first, otherwise=last), after.and_(other)
            case For(body=body) | While(body=body):
                whole = self._find_touched(statement)
                if before.conflicts(whole):
                    emitted.append(self._barrier(statement))
                    before = _NOTHING
                inner, after = self.block(body, before)
                following = self._find_repeated(statement, whole) if isinstance(statement, For) else whole
                if after.conflicts(following):  # the next iteration would come too early
                    inner, after = Block((*inner.statements, self._barrier(statement))), _NOTHING
                return replace(statement, body=inner), after.and_(before)
            case _:
                raise TypeError(f"unexpected statement {statement!r}")

    def _warps(self, statement: Stmt) -> Stmt:
        """Inside a loop over warps, the arrays of each warp."""
        if not isinstance(statement, For) or statement.kind is not LoopKind.GPU_WARP:
            return statement
        of_warp = _Arrays(
            GroupScope.WARP, _find_shared(statement.body, GroupScope.WARP), self.shifted, self.launch_arrays
        )
        return replace(statement, body=of_warp.block(statement.body, _NOTHING)[0])

    def _find_touched(self, statement: Stmt) -> _Touched:
        read: set[str] = set()
        written: set[str] = set()
        updated: set[str] = set()
        for inner in statements(statement):
            atomic = isinstance(inner, Store) and inner.atomic and inner.array.name in self.names
            if atomic or isinstance(inner, Insert):
                updated |= set(written_arrays(inner))
            elif not isinstance(inner, Allocate):
                written |= set(written_arrays(inner))
            if isinstance(inner, Search):
                read.add(inner.array.name)
            for expression in expressions(inner):
                read |= {part.array.name for part in subexpressions(expression) if isinstance(part, Load)}
        changing = find_scattered(statement, self.shifted)
        return _Touched(
            frozenset(read) & self.names,
            (frozenset(written) & self.names) | changing,
            frozenset(read) - self.launch_arrays,
            frozenset(written) - self.launch_arrays,
            frozenset(updated),
        )

    def _find_repeated(self, loop: For, whole: _Touched) -> _Touched:
        """Of what ``loop`` touches: what its next iteration may touch once more."""
        again = self.names | find_revisited(loop)
        return _Touched(
            whole.read & again, whole.written & again, whole.loaded & again, whole.stored & again, whole.updated
        )

    def _barrier(self, statement: Stmt) -> Barrier:
        while isinstance(statement, Block):
            statement = statement.statements[0]
        return Barrier(self.scope, Origin(Role.REDUCTION, statement.origin.variable, command=statement.origin.command))
