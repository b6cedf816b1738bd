"""Loop IR: loops, searches, guards, loads, stores, atomics (DESIGN §3.1, stage 3).

Scalars are typed by dtype names (``int64`` for every index scalar, ``bool`` for conditions). Array elements keep the
dtype of their storage (``pos``/``crd`` are ``int32`` or ``int64``); a load of an index array widens to ``int64``.

Expressions are in ``expression_nodes.py``, statements without others inside in ``simple_nodes.py``, those about memory
in ``memory_nodes.py``, vectors in ``vector_nodes.py``, GPU threads in ``gpu_nodes.py``, what merges say of themselves
in ``merge_nodes.py``; this module has all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from compiler.loop_ir.expression_nodes import BOOL as BOOL
from compiler.loop_ir.expression_nodes import INDEX as INDEX
from compiler.loop_ir.expression_nodes import Array as Array
from compiler.loop_ir.expression_nodes import ArrayRole as ArrayRole
from compiler.loop_ir.expression_nodes import Binary as Binary
from compiler.loop_ir.expression_nodes import Call as Call
from compiler.loop_ir.expression_nodes import Cast as Cast
from compiler.loop_ir.expression_nodes import Const as Const
from compiler.loop_ir.expression_nodes import Expr as Expr
from compiler.loop_ir.expression_nodes import Load as Load
from compiler.loop_ir.expression_nodes import Map as Map
from compiler.loop_ir.expression_nodes import MapSize as MapSize
from compiler.loop_ir.expression_nodes import Select as Select
from compiler.loop_ir.expression_nodes import Unary as Unary
from compiler.loop_ir.expression_nodes import Var as Var
from compiler.loop_ir.gpu_nodes import Barrier as Barrier
from compiler.loop_ir.gpu_nodes import Combine as Combine
from compiler.loop_ir.gpu_nodes import CombineRuns as CombineRuns
from compiler.loop_ir.gpu_nodes import GroupScope as GroupScope
from compiler.loop_ir.gpu_nodes import Single as Single
from compiler.loop_ir.memory_nodes import Allocate as Allocate
from compiler.loop_ir.memory_nodes import AllocateMap as AllocateMap
from compiler.loop_ir.memory_nodes import AllocateResult as AllocateResult
from compiler.loop_ir.memory_nodes import ClearMap as ClearMap
from compiler.loop_ir.memory_nodes import Grow as Grow
from compiler.loop_ir.memory_nodes import MemorySpace as MemorySpace
from compiler.loop_ir.memory_nodes import Scan as Scan
from compiler.loop_ir.memory_nodes import Slot as Slot
from compiler.loop_ir.memory_nodes import Sort as Sort
from compiler.loop_ir.memory_nodes import SortMap as SortMap
from compiler.loop_ir.merge_nodes import Case as Case
from compiler.loop_ir.merge_nodes import Merge as Merge
from compiler.loop_ir.merge_nodes import Walk as Walk
from compiler.loop_ir.simple_nodes import Assign as Assign
from compiler.loop_ir.simple_nodes import Comment as Comment
from compiler.loop_ir.simple_nodes import Declare as Declare
from compiler.loop_ir.simple_nodes import Fill as Fill
from compiler.loop_ir.simple_nodes import Prefetch as Prefetch
from compiler.loop_ir.simple_nodes import Require as Require
from compiler.loop_ir.simple_nodes import Search as Search
from compiler.loop_ir.simple_nodes import SearchKind as SearchKind
from compiler.loop_ir.simple_nodes import Store as Store
from compiler.loop_ir.vector_nodes import Broadcast as Broadcast
from compiler.loop_ir.vector_nodes import Gather as Gather
from compiler.loop_ir.vector_nodes import Keep as Keep
from compiler.loop_ir.vector_nodes import LaneRange as LaneRange
from compiler.loop_ir.vector_nodes import Lanes as Lanes
from compiler.loop_ir.vector_nodes import LaneSum as LaneSum
from compiler.loop_ir.vector_nodes import RegistersHold as RegistersHold
from compiler.loop_ir.vector_nodes import Scatter as Scatter
from compiler.loop_ir.vector_nodes import VectorLoad as VectorLoad
from compiler.loop_ir.vector_nodes import VectorMasks as VectorMasks
from compiler.loop_ir.vector_nodes import VectorStore as VectorStore
from compiler.origin import Origin

# ------------------------------------------------------------------------------------------------ statements


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

    ``private`` workspaces belong to each worker of a loop over CPU threads: set up once per worker in front of its
    first iteration; what one iteration leaves in them, the worker's next iteration finds, which comes behind it."""

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
    | Lanes
    | VectorStore
    | Scatter
    | Prefetch
    | Require
    | Comment
)


# ------------------------------------------------------------------------------------------------- functions


class ParameterKind(StrEnum):
    DIMENSION = "dimension"
    ARRAY = "array"
    SCALAR = "scalar"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A kernel parameter, in call order. Dimensions are ``int64`` scalars: the size of ``tensor``'s 0-based dimension
    ``dimension``. Scalars are operands of order 0, passed by value. ``output`` arrays are written by the kernel;
    the memory of those that are ``allocated`` it obtains itself, by an :class:`AllocateResult`."""

    kind: ParameterKind
    name: str
    dtype: str
    tensor: str
    array: Array | None = None
    dimension: int | None = None
    output: bool = False
    allocated: bool = False


OUT_OF_MEMORY = -1
"""The status of a kernel that could not allocate a workspace or a result."""

INDEX_OVERFLOW = -2
"""The status of a kernel whose result has more entries than its index arrays can count (:class:`Scan`)."""


@dataclass(frozen=True, slots=True)
class SharedPattern:
    """The first ``levels`` storage levels of the result are those of the operand ``tensor``, with the same arrays."""

    tensor: str
    levels: int


@dataclass(frozen=True, slots=True)
class Function:
    """A kernel: returns status 0, the ``code`` of the first :class:`Require` that failed, ``OUT_OF_MEMORY`` or
    ``INDEX_OVERFLOW``.

    ``requirements`` lists the ``Require`` statements of the body, so that callers can tell what a status means. With a
    ``pattern`` the result shares index arrays with an operand, and the kernel gets only its other arrays.
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    requirements: tuple[Require, ...] = field(default=())
    pattern: SharedPattern | None = None
