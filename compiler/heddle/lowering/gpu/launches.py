"""Loops on GPU units become launches: the form of loop IR that the threads of a GPU execute
(docs/sources.toml T27, T28, T48).

The lowering of loops treats a GPU unit as any parallel loop. Here the function is divided between the host, which
launches, fills and allocates, and the threads. Scalars that outlive a launch move to memory; what each block adds to
one of them is stored as a part, and a second launch adds up the parts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from heddle.loop_ir import build
from heddle.loop_ir.analysis.launch_shape import GPU_KINDS
from heddle.loop_ir.nodes import (
    Allocate,
    AllocateResult,
    Array,
    ArrayRole,
    Assign,
    Block,
    Comment,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    GroupScope,
    Load,
    LoopKind,
    Reduction,
    Require,
    Scan,
    Search,
    Single,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.replace import replace_scalars
from heddle.loop_ir.walk import all_statements, declared_names
from heddle.lowering.environment.values.compute import typed_constant
from heddle.lowering.gpu.barriers import with_barriers
from heddle.lowering.gpu.known_cases import with_known_cases
from heddle.lowering.gpu.row_tables import has_table, with_row_tables
from heddle.lowering.gpu.thread_private_memory import ThreadPrivateMemory
from heddle.lowering.gpu.uniform_code import Uniform, neutral_of
from heddle.names import Names
from heddle.origin import Origin, Role


def with_launches(function: Function, required: bool = False) -> Function:
    """``function`` as launches, where any of its loops runs on a GPU unit, or where it must run on a GPU.

    Raises
    ------
    Refusal
        ``schedule/gpu-workspace`` for a workspace of a block, warp or thread without a constant size.
    """
    if not required and not runs_on_gpu(function):
        return function
    reserved = {parameter.name for parameter in function.parameters}
    reserved |= {name for statement in all_statements(function) for name in declared_names(statement)}
    names = Names(reserved)
    memory = ThreadPrivateMemory(names, len(function.requirements) + 1)
    host = _Host(names, memory)
    for statement in function.body.statements:
        host.take(statement)
    body, requirements = Block(tuple(host.statements)), (*function.requirements, *memory.claims.values())
    if body == function.body and requirements == function.requirements:
        return function  # loops without sums or workspaces are launches as they are
    return replace(function, body=body, requirements=requirements)


def runs_on_gpu(function: Function) -> bool:
    """Whether any of its loops runs on a GPU unit."""
    return any(isinstance(statement, For) and statement.kind in GPU_KINDS for statement in all_statements(function))


@dataclass(slots=True)
class _Host:
    """The host's statements so far. ``cells`` are the scalars that live in memory, as arrays of one element; ``memory``
    is that of single threads."""

    names: Names
    memory: ThreadPrivateMemory
    statements: list[Stmt] = field(default_factory=list)
    cells: dict[str, Array] = field(default_factory=dict)

    def take(self, statement: Stmt) -> None:
        match statement:
            case Block(statements=inner):
                for child in inner:
                    self.take(child)
            case Declare(name=name, dtype=dtype, value=value, mutable=True, origin=origin):
                cell = Array(self.names.fresh(f"{name}_cell"), dtype, ArrayRole.WORKSPACE)
                self.cells[name] = cell
                self.statements.append(Allocate(cell, build.index(1), origin))
                self._fill(Fill(cell, build.index(1), value, origin))
            case Allocate(array=array, size=size, zero=zero, origin=origin):
                self.statements.append(replace(statement, zero=False))
                if zero:
                    self.statements.append(Fill(array, size, typed_constant(0, array.dtype), origin))
            case Fill():
                self._fill(statement)
            case Comment() | Require() | Search() | Declare() | AllocateResult() | Scan():
                self.statements.append(statement)
            case For(kind=LoopKind.GPU_BLOCK) if has_table(statement):
                for step in with_row_tables(statement, self.names):
                    self.take(step)
            case For(kind=LoopKind.GPU_BLOCK):
                self._launch(statement)
            case _:
                self._once(statement)

    def _fill(self, fill: Fill) -> None:
        """The host fills with what it knows; a value in memory is for a thread to store."""
        if isinstance(fill.value, Const):
            self.statements.append(fill)
            return
        self._once(Store(fill.array, build.index(0), fill.value, fill.origin))

    def _once(self, statement: Stmt) -> None:
        """One thread executes what stands outside all loops."""
        origin = statement.origin if not isinstance(statement, Block) else Origin(Role.COMPUTE)
        body = Block((Single(GroupScope.BLOCK, Block((self._with_cells(statement, frozenset()),)), origin),))
        name = self.names.fresh("once")
        self.statements.append(For(name, build.index(0), build.index(1), body, origin, LoopKind.GPU_BLOCK))

    def _launch(self, loop: For) -> None:
        private = frozenset(reduction.name for reduction in loop.reductions)
        reduced = [(reduction, self.cells[reduction.name]) for reduction in loop.reductions]
        body = self._with_cells(loop.body, private)
        inside: list[Stmt] = list(body.statements) if isinstance(body, Block) else [body]
        parts: list[Array] = []
        for reduction, cell in reduced:
            start = neutral_of(reduction.operator, cell.dtype)
            origin = Origin(Role.REDUCTION, loop.variable, command=loop.origin.command)
            inside.insert(0, Declare(reduction.name, cell.dtype, start, origin, mutable=True))
            part = Array(self.names.fresh(f"{reduction.name}_parts"), cell.dtype, ArrayRole.WORKSPACE)
            number = build.sub(Var(loop.variable), loop.lower)
            inside.append(Store(part, number, Var(reduction.name, cell.dtype), origin))
            self.statements.append(Allocate(part, _count(loop), origin))
            parts.append(part)
        code = Uniform(self.names)
        uniform = with_barriers(code.block(inside, GroupScope.BLOCK), frozenset(code.shifted))
        launch, prepared = self.memory.taken(with_known_cases(replace(loop, body=uniform, reductions=(), merge=None)))
        for statement in prepared:
            self.take(statement)
        self.statements.append(launch)
        for (reduction, cell), part in zip(reduced, parts, strict=True):
            self._add_up(reduction, part, cell, loop)

    def _add_up(self, reduction: Reduction, part: Array, cell: Array, loop: For) -> None:
        """One block adds up the parts of all blocks into the scalar's place in memory."""
        origin = Origin(Role.REDUCTION, loop.variable, command=loop.origin.command)
        total = Var(self.names.fresh(f"{reduction.name}_total"), cell.dtype)
        number = Var(self.names.fresh(f"{loop.variable}_part"))
        add = Assign(total.name, Load(part, number), origin, reduction.operator)
        reductions = (Reduction(total.name, reduction.operator),)
        threads = For(
            number.name, build.index(0), _count(loop), add, origin, LoopKind.GPU_THREAD, reductions=reductions
        )
        inside: list[Stmt] = [
            Declare(total.name, cell.dtype, neutral_of(reduction.operator, cell.dtype), origin, mutable=True),
            threads,
            Store(cell, build.index(0), total, origin, reduction.operator),
        ]
        body = Uniform(self.names).block(inside, GroupScope.BLOCK)
        name = self.names.fresh("once")
        self.statements.append(For(name, build.index(0), build.index(1), body, origin, LoopKind.GPU_BLOCK))

    def _with_cells(self, statement: Stmt, private: frozenset[str]) -> Stmt:
        """Scalars of the host are loaded from and stored to memory, but for those that the launch has for itself."""
        moved = {name: cell for name, cell in self.cells.items() if name not in private}
        values: dict[str, Expr] = {name: Load(cell, build.index(0)) for name, cell in moved.items()}

        def store(inner: Stmt) -> Stmt:
            if not isinstance(inner, Assign) or inner.name not in moved:
                return inner
            return Store(moved[inner.name], build.index(0), inner.value, inner.origin, inner.reduce)

        return replace_scalars(statement, values, store)


def _count(loop: For) -> Expr:
    """The number of blocks."""
    return build.maximum(build.sub(loop.upper, loop.lower), build.index(0))
