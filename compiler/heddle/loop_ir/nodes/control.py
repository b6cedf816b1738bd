"""Statements of loop IR that hold others: blocks, loops and choices; and the union of all statements."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heddle.loop_ir.nodes.expressions import Expr
from heddle.loop_ir.nodes.gpu import Barrier, Combine, CombineRuns, GroupScope, Insert, OpenTable
from heddle.loop_ir.nodes.memory import (
    Allocate,
    AllocateMap,
    AllocateResult,
    ClearMap,
    Grow,
    Scan,
    Slot,
    Sort,
    SortMap,
)
from heddle.loop_ir.nodes.merges import Case, Merge
from heddle.loop_ir.nodes.simple import Assign, Comment, Declare, Fill, Prefetch, Require, Search, Store
from heddle.loop_ir.nodes.vectors import Scatter, VectorStore
from heddle.origin import Origin


class LoopKind(StrEnum):
    """How the iterations of a loop run; each value is a parallel unit of the schedule language."""

    SERIAL = "NotParallel"
    CPU_THREAD = "CPUThread"
    CPU_VECTOR = "CPUVector"
    GPU_BLOCK = "GPUBlock"
    GPU_WARP = "GPUWarp"
    GPU_THREAD = "GPUThread"


@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Reduction:
    """A scalar declared outside a parallel loop that its iterations combine with ``operator``: OpenMP ``reduction``."""

    name: str
    operator: str


@dataclass(frozen=True, slots=True)
class For:
    """``for variable in [lower, upper)``: each value, in serial loops every ``step``-th one. The variable is fresh and
    immutable in the body.

    ``private`` workspaces belong to each worker of a loop over CPU threads: set up once per worker before its
    first iteration; what one iteration leaves in them, the worker's next iteration finds, which comes after it.
    ``in_scalar_order``: a compiler gains nothing by vectors of iterations here."""

    variable: str
    lower: Expr
    upper: Expr
    body: Stmt
    origin: Origin
    kind: LoopKind = LoopKind.SERIAL
    unroll: int | None = None
    reductions: tuple[Reduction, ...] = ()
    private: tuple[Allocate | AllocateMap, ...] = ()
    merge: Merge | None = None
    step: int = 1
    in_scalar_order: bool = False


@dataclass(frozen=True, slots=True)
class While:
    condition: Expr
    body: Stmt
    origin: Origin
    merge: Merge | None = None


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: Stmt
    origin: Origin
    otherwise: Stmt | None = None
    case: Case | None = None


@dataclass(frozen=True, slots=True)
class Break:
    """Ends the innermost serial loop; only for guards that are monotone in its variable."""

    origin: Origin


@dataclass(frozen=True, slots=True)
class Continue:
    """Skips to the next iteration of the innermost loop."""

    origin: Origin


@dataclass(frozen=True, slots=True)
class Single:
    """The first thread of the group alone executes ``body``; the others pass by without waiting."""

    scope: GroupScope
    body: Stmt
    origin: Origin


@dataclass(frozen=True, slots=True)
class Lanes:
    """``body`` for the lanes 0 to ``count - 1`` at once; vectors inside have ``count`` lanes.

    ``variable`` is the loop variable that the lanes stand for. The body is straight-line code: declarations and sums of
    vectors, loads, stores, and index scalars with the value that they have in the first lane. No lane may touch what
    another one writes.
    """

    variable: str
    count: int
    body: Stmt
    origin: Origin


Stmt = (
    Block
    | Declare
    | Assign
    | Store
    | For
    | While
    | If
    | Break
    | Continue
    | Search
    | Fill
    | Allocate
    | AllocateResult
    | Grow
    | Scan
    | Sort
    | AllocateMap
    | Slot
    | SortMap
    | ClearMap
    | Barrier
    | Single
    | Combine
    | CombineRuns
    | OpenTable
    | Insert
    | Lanes
    | VectorStore
    | Scatter
    | Prefetch
    | Require
    | Comment
)
