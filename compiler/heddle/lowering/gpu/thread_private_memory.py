"""Workspaces of single GPU threads that are too large for registers: every thread has a part of an array in the GPU's
memory (docs/sources.toml T31). The host allocates it in front of the first launch that uses it.

A workspace that starts with zeros is filled with them once: whoever uses one leaves it so (marks are taken back).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir import build
from heddle.loop_ir.analysis.launch_shape import GPU_KINDS
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    Block,
    Declare,
    Expr,
    Fill,
    For,
    Insert,
    Load,
    MemorySpace,
    Require,
    Search,
    Sort,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands
from heddle.loop_ir.walk import declared_names, statements, subexpressions
from heddle.names import Names

MAX_ELEMENTS = 2**27
"""Of one workspace for all threads of a launch together: 1 GiB of float64."""


@dataclass(slots=True)
class ThreadPrivateMemory:
    """The arrays of all launches of a function, by the workspace and the number of their elements. ``claims``, numbered
    from ``first_code`` on, say that none is beyond all measure."""

    names: Names
    first_code: int
    arrays: dict[tuple[Array, Expr], Array] = field(default_factory=dict)
    claims: dict[Expr, Require] = field(default_factory=dict)

    def taken(self, loop: For) -> tuple[For, list[Stmt]]:
        """The loop over blocks ``loop`` with parts of arrays in the place of its threads' large workspaces, and what
        the host does for the arrays that no launch before it had.

        Raises
        ------
        Refusal
            ``schedule/gpu-workspace`` where a thread alone knows the size of one, or searches it.
        """
        blocks = build.maximum(build.sub(loop.upper, loop.lower), build.index(0))
        inside = {name for statement in statements(loop) for name in declared_names(statement)}
        moved = _Moved(self, frozenset(inside))
        body = moved.inside(loop.body, build.sub(Var(loop.variable), loop.lower), blocks)
        return replace(loop, body=body), moved.prepared

    def claim(self, workspace: Allocate, elements: Expr) -> list[Require]:
        """The claim for an array of so many elements, where it is a new one."""
        if elements in self.claims:
            return []
        name = workspace.array.tensor or workspace.array.name
        text = (
            f"the workspaces {name} of all threads of the GPU would need more than {MAX_ELEMENTS:,} elements in all. "
            f"Use fewer threads, each for several rows."
        )
        small = build.compare("<=", elements, build.index(MAX_ELEMENTS))
        claim = self.claims[elements] = Require(small, self.first_code + len(self.claims), text, workspace.origin)
        return [claim]


@dataclass(slots=True)
class _Moved:
    """One launch, in which the scalars ``declared`` are; ``prepared`` is for the host to do in front of it."""

    memory: ThreadPrivateMemory
    declared: frozenset[str]
    prepared: list[Stmt] = field(default_factory=list)

    def inside(self, statement: Stmt, thread: Expr, threads: Expr) -> Stmt:
        """``thread`` is the number of the thread that runs ``statement``, among ``threads`` of the launch."""
        match statement:
            case Block(statements=inner):
                return self._block(inner, thread, threads)
            case For(kind=kind, variable=variable, upper=count) if kind in GPU_KINDS:
                number = build.add(build.mul(thread, count), Var(variable))
                return map_children(statement, lambda child: self.inside(child, number, build.mul(threads, count)))
            case _:
                return map_children(statement, lambda child: self.inside(child, thread, threads))

    def _block(self, inner: Sequence[Stmt], thread: Expr, threads: Expr) -> Block:
        before: list[Stmt] = []
        for number, statement in enumerate(inner):
            if not isinstance(statement, Allocate) or statement.space is not MemorySpace.GLOBAL:
                before.append(self.inside(statement, thread, threads))
                continue
            whole = self._array(statement, threads)
            base = Var(self.memory.names.fresh(f"{statement.array.name}_base"))
            before.append(Declare(base.name, INDEX, build.mul(thread, statement.size), statement.origin))
            rest = Block(tuple(inner[number + 1 :]))
            placed = self.inside(rebase(rest, statement.array, whole, base, self.memory.names), thread, threads)
            assert isinstance(placed, Block)
            return Block((*before, *placed.statements))
        return Block(tuple(before))

    def _array(self, workspace: Allocate, threads: Expr) -> Array:
        """The array that has the workspaces of all threads."""
        if any(isinstance(p, Var) and p.name in self.declared for p in subexpressions(workspace.size)):
            name = workspace.array.tensor or workspace.array.name
            raise Refusal(
                "schedule/gpu-workspace",
                f"the workspace {name} belongs to a thread of the GPU, and only the thread knows its size, which "
                "differs from one iteration to the next. Split its loop by a constant before precompute.",
                expected="a size that is known before the launch",
                actual=name,
            )
        elements = build.mul(threads, workspace.size)
        key = (workspace.array, elements)
        arrays = self.memory.arrays
        if key not in arrays:
            name = self.memory.names.fresh(f"{workspace.array.name}_of_threads")
            whole = arrays[key] = replace(workspace.array, name=name)
            self.prepared += [
                *self.memory.claim(workspace, elements),
                replace(workspace, array=whole, size=elements),
            ]
        return arrays[key]


def rebase(statement: Stmt, array: Array, whole: Array, base: Var, names: Names) -> Stmt:
    """``statement`` with ``array`` as the part of ``whole`` that starts at ``base``."""

    def move(expression: Expr) -> Expr:
        rewritten = map_operands(expression, move)
        if isinstance(rewritten, Load) and rewritten.array == array:
            return replace(rewritten, array=whole, index=build.add(base, rewritten.index))
        return rewritten

    rewritten = map_children(statement, lambda child: rebase(child, array, whole, base, names))
    rewritten = map_expressions(rewritten, move)
    match rewritten:
        case Store(array=private, index=index) if private == array:
            return replace(rewritten, array=whole, index=build.add(base, index))
        case Sort(array=private, lower=lower, upper=upper) if private == array:
            return replace(rewritten, array=whole, lower=build.add(base, lower), upper=build.add(base, upper))
        case Fill(array=private, size=size, value=value, origin=origin) if private == array:
            place = Var(names.fresh("p"))
            put = Store(whole, build.add(base, place), value, origin)
            return For(place.name, build.index(0), size, Block((put,)), origin)
        case Insert(keys=private, lower=lower) if private == array:
            return replace(rewritten, keys=whole, lower=build.add(base, lower))
        case Search(array=private) if private == array:
            raise Refusal(
                "schedule/gpu-workspace",
                f"the workspace {array.tensor or array.name} of a thread of the GPU is searched, which its memory does "
                f"not allow. Visit it from end to end, or use the target c.",
                expected="a workspace that is visited from end to end",
                actual="a tile of it",
            )
        case _:
            return rewritten
