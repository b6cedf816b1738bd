"""Loop IR: loops, searches, guards, loads, stores, atomics (DESIGN §3.1, stage 3).

Scalars are typed by dtype names (``int64`` for every index scalar, ``bool`` for conditions). Array elements keep the
dtype of their storage (``pos``/``crd`` are ``int32`` or ``int64``); a load of an index array widens to ``int64``.

Expressions are in ``expression_nodes.py``, statements about memory in ``memory_nodes.py``, those of GPU threads in
``gpu_nodes.py``, what merges say of themselves in ``merge_nodes.py``; this module has all of them.
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


class SearchKind(StrEnum):
    """BEFORE: the largest p in [lower, upper) with array[p] <= value (``lower`` when there is none).
    AT_LEAST: the smallest p in [lower, upper) with array[p] >= value (``upper`` when there is none).
    GALLOP: the same as AT_LEAST, by doubling steps from ``lower``: fast where the answer is near."""

    BEFORE = "before"
    AT_LEAST = "at_least"
    GALLOP = "gallop"


@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Declare:
    """Declares the scalar ``name``. ``mutable`` scalars may be assigned later."""

    name: str
    dtype: str
    value: Expr
    origin: Origin
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """``name = value``, or ``name = name reduce value`` (``reduce`` is ``+ * min max && ||``)."""

    name: str
    value: Expr
    origin: Origin
    reduce: str | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """``array[index] = value`` or a reduction into it; ``atomic`` when other workers may hit the same location."""

    array: Array
    index: Expr
    value: Expr
    origin: Origin
    reduce: str | None = None
    atomic: bool = False
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reduction:
    """A scalar declared outside a parallel loop that its iterations combine with ``operator``: OpenMP ``reduction``."""

    name: str
    operator: str


@dataclass(frozen=True, slots=True)
class For:
    """``for variable in [lower, upper)``, one step at a time. The variable is fresh and immutable in the body.

    ``private`` workspaces belong to each worker of a loop over CPU threads: set up once per worker in front of its
    first iteration; what one iteration leaves in them, the worker's next iteration finds."""

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
class Search:
    """Declares the mutable index scalar ``name`` as the result of a binary search in ``array``."""

    name: str
    kind: SearchKind
    array: Array
    lower: Expr
    upper: Expr
    value: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Fill:
    """``array[0:size] = value``, in parallel when large."""

    array: Array
    size: Expr
    value: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Prefetch:
    """Asks for the cache line of ``array[index]`` ahead of time; changes nothing that is computed."""

    array: Array
    index: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Require:
    """A checked claim: when ``condition`` is false the kernel stops at once and returns the status ``code``: a positive
    one of its own, or INDEX_OVERFLOW."""

    condition: Expr
    code: int
    message: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Comment:
    text: str
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
