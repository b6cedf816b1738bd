"""The coordinate tree of a packed tensor, asked from its level kinds: which positions a parent has, and what coordinate
stands at each. The kinds answer in loop IR, which is evaluated here; a new kind therefore needs nothing here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.level import LevelStorage, Range
from heddle.loop_ir import build
from heddle.loop_ir.interpreter.evaluate import Evaluator, Machine, Scalar, Symbols
from heddle.loop_ir.interpreter.memory import Storage
from heddle.loop_ir.interpreter.site import Site
from heddle.loop_ir.nodes import INDEX, Array, ArrayRole, Block, Expr, Var
from heddle.loop_ir.printing.expression_text import expression_text
from heddle.runtime.tensors.tensor import Tensor

_POSITION, _LOWER, _UPPER = Var("position"), Var("p"), Var("upper")


@dataclass(frozen=True, slots=True)
class Node:
    """``position`` at its level; ``parent`` is a position of the level above, 0 under the root."""

    position: int
    parent: int
    coordinate: int


@dataclass(slots=True)
class Tree:
    """``levels[k]`` are the nodes of level k in storage order, ``positions[k]`` counts all positions of that level.

    ``whole``: no node was left out.
    """

    positions: list[int]
    levels: list[list[Node]] = field(default_factory=list)
    whole: bool = True


@dataclass(frozen=True, slots=True)
class LevelReader:
    """``children(lower, upper)`` are the positions under a range of parents; ``coordinate(position, parent)``;
    ``stored(position, parent)``: whether a position holds an entry, not padding."""

    children: Callable[[int, int], tuple[int, int]]
    start: str
    """The formula of the first of them, below the parent ``p``."""
    coordinate: Callable[[int, int], int]
    stored: Callable[[int, int], int]


def coordinate_tree(tensor: Tensor, max_leaves: int, max_nodes: int) -> Tree:
    """The tree down to its first ``max_leaves`` leaves, with at most ``max_nodes`` nodes of all levels."""
    readers = level_readers(tensor)
    positions: list[int] = []
    for reader in readers:
        positions.append(reader.children(0, positions[-1] if positions else 1)[1])
    tree = Tree(positions, [[] for _ in readers])
    budget = max_nodes
    for depth, node in _walk(readers, 0, 0):
        is_leaf = depth + 1 == len(readers)
        if budget == 0 or (is_leaf and len(tree.levels[depth]) == max_leaves):
            tree.whole = False
            break
        tree.levels[depth].append(node)
        budget -= 1
    return tree


def level_readers(tensor: Tensor) -> list[LevelReader]:
    """One for each level, outermost first."""
    return [_reader(tensor, number) for number in range(1, len(tensor.format.levels) + 1)]


def _walk(readers: list[LevelReader], depth: int, parent: int) -> Iterator[tuple[int, Node]]:
    """All nodes below ``parent``, each before its children."""
    if depth == len(readers):
        return
    reader = readers[depth]
    lower, upper = reader.children(parent, parent + 1)
    for position in range(lower, upper):
        if not reader.stored(position, parent):
            continue
        yield depth, Node(position, parent, reader.coordinate(position, parent))
        yield from _walk(readers, depth + 1, position)


def _reader(tensor: Tensor, number: int) -> LevelReader:
    """Level ``number`` (1-based) with its arrays bound, each formula compiled once."""
    level = tensor.format.levels[number - 1]
    kind = LEVEL_KINDS[level.kind]
    raw_arrays = {role: array for (role, level), array in tensor.arrays().items() if level == number}
    arrays = {
        role: Array(f"{role}", array.dtype.name, ArrayRole(role), "tensor", number)
        for role, array in raw_arrays.items()
    }
    size = tensor.format.level_sizes(tensor.shape)[number - 1]
    storage = LevelStorage(
        "tensor",
        number,
        kind.name,
        build.index(size),
        arrays.get("pos"),
        arrays.get("crd"),
        extra=tuple(arrays[role] for role in kind.arrays_of(level) if role not in ("pos", "crd")),
        block=tensor.format.levels[number - 2].size if number > 1 else None,
    )
    children = kind.children(storage, Range(_LOWER, _UPPER))
    machine = Machine(step_limit=0)
    slots = {variable.name: Scalar(machine.new_slot(), INDEX, 0) for variable in (_POSITION, _LOWER, _UPPER)}
    symbols: Symbols = {
        **slots,
        **{array.name: Storage(array, 0, False, _cells(raw_arrays[role])) for role, array in arrays.items()},
    }
    evaluator = Evaluator(machine, symbols, Site(Block(()), 0, 0, (), machine.scalars))

    def compile_expression(expression: Expr) -> Callable[[int, int, int], int]:
        closure = evaluator.compile(expression)

        def value(position: int, lower: int, upper: int) -> int:
            machine.scalars[:] = (position, lower, upper)
            return int(closure())

        return value

    first, last = compile_expression(children.lower), compile_expression(children.upper)
    there = kind.coordinate(storage, _POSITION, (), _LOWER)
    coordinate = compile_expression(there)
    stored = compile_expression(
        build.both(*(held.condition for held in kind.stored_conditions(storage, _POSITION, there)))
    )
    return LevelReader(
        lambda lower, upper: (first(0, lower, upper), last(0, lower, upper)),
        expression_text(children.lower),
        lambda position, parent: coordinate(position, parent, parent + 1),
        lambda position, parent: stored(position, parent, parent + 1),
    )


def _cells(array: NDArray[Any]) -> list[Any]:
    """What the formulas read, as numbers of Python: so few that no list is made of millions."""
    return cast("list[Any]", np.ascontiguousarray(array).data)
