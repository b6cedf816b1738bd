"""What all places in the loops of one kernel share: names, arrays, dimensions and how the result is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from heddle.formats.levels.level import LevelStorage
from heddle.iteration_graph.analysis.padding import Padding
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.loop_ir.nodes import Allocate, AllocateMap, Array, Expr, Map, Require, Stmt
from heddle.lowering.environment.loop_sums import Unsegmented
from heddle.lowering.environment.output import Output
from heddle.names import Names
from heddle.notation.nodes import Access, Expression


@dataclass(frozen=True, slots=True)
class WorkspaceArrays:
    """``values`` by coordinate; where the coordinates are listed, ``listed`` holds the first ``count`` of them in the
    order in which they were written, and ``marked`` says of each coordinate whether it is there; or ``places`` say
    where the result has it. Coordinates of several dimensions are the keys of ``map``."""

    values: Array
    marked: Array
    places: Array
    listed: Array
    count: str
    map: Map


@dataclass(frozen=True, slots=True)
class Place:
    """Where the values of a target are: ``first`` behind, as many as ``owner`` has positions at its last ``level``."""

    owner: Access
    level: int
    first: Expr


@dataclass(slots=True)
class KernelContext:
    """State of one lowering. ``output`` is how the result is made."""

    graph: IterationGraph
    names: Names
    storages: dict[tuple[str, int], LevelStorage]
    values: dict[str, Array]
    dimensions: dict[str, Expr]
    output: Output
    read: Callable[[Any, Expression], Expr]
    """The value of an expression at a place in the loops, for coordinates that are computed of some."""
    workspaces: dict[str, WorkspaceArrays] = field(default_factory=dict)
    allocations: list[Allocate | AllocateMap] = field(default_factory=list)
    """Workspaces that live as long as the kernel runs."""
    preparation: list[Stmt] = field(default_factory=list)
    """What is computed of operands in front of all loops."""
    products: dict[tuple[Access, Access], Array] = field(default_factory=dict)
    """The sums of ``row_products``, by the operands."""
    places: dict[Access, Place] = field(default_factory=dict)
    """Of the targets of a result that has a value for each position of operands, and no positions of its own."""
    requirements: list[Require] = field(default_factory=list)
    checked: list[Require] = field(default_factory=list)
    """Claims of values that the kernel computes itself, which stand behind that."""
    wide: frozenset[str] = frozenset()
    """The tensors whose index arrays have 64 bits."""
    sizes: dict[str, Expr] = field(default_factory=dict)
    """The sizes that a program names."""
    partly_written: set[str] = field(default_factory=set)
    """The result and workspaces, where stores leave elements out: these need a first value."""

    unsegmented: dict[str, Unsegmented] = field(default_factory=dict)
    """Why a loop over positions does not sum its rows in registers, for whoever explains the kernel."""
    padding: Padding = Padding.MULTIPLIED
    kept: frozenset[str] = frozenset()
    """Workspaces whose memory no ``where`` makes: statements inside of shared loops compute them."""

    @property
    def result(self) -> str:
        return self.graph.signature.result.name
