"""Loop IR: loops, searches, guards, loads, stores, atomics.

Scalars are typed by dtype names (``int64`` for every index scalar, ``bool`` for conditions). Array elements keep the
dtype of their storage (``pos``/``crd`` are ``int32`` or ``int64``); a load of an index array widens to ``int64``.

One file for each kind of node: expressions, simple statements (that hold no others), control, memory, vectors, GPU
threads, what merges say of themselves, functions. This module has all of them.
"""

from heddle.loop_ir.nodes.control import Block as Block
from heddle.loop_ir.nodes.control import Break as Break
from heddle.loop_ir.nodes.control import Continue as Continue
from heddle.loop_ir.nodes.control import For as For
from heddle.loop_ir.nodes.control import If as If
from heddle.loop_ir.nodes.control import Lanes as Lanes
from heddle.loop_ir.nodes.control import LoopKind as LoopKind
from heddle.loop_ir.nodes.control import Reduction as Reduction
from heddle.loop_ir.nodes.control import Single as Single
from heddle.loop_ir.nodes.control import Stmt as Stmt
from heddle.loop_ir.nodes.control import While as While
from heddle.loop_ir.nodes.expressions import BOOL as BOOL
from heddle.loop_ir.nodes.expressions import INDEX as INDEX
from heddle.loop_ir.nodes.expressions import Array as Array
from heddle.loop_ir.nodes.expressions import ArrayRole as ArrayRole
from heddle.loop_ir.nodes.expressions import Binary as Binary
from heddle.loop_ir.nodes.expressions import Broadcast as Broadcast
from heddle.loop_ir.nodes.expressions import Call as Call
from heddle.loop_ir.nodes.expressions import Cast as Cast
from heddle.loop_ir.nodes.expressions import Const as Const
from heddle.loop_ir.nodes.expressions import Expr as Expr
from heddle.loop_ir.nodes.expressions import Gather as Gather
from heddle.loop_ir.nodes.expressions import Keep as Keep
from heddle.loop_ir.nodes.expressions import LaneRange as LaneRange
from heddle.loop_ir.nodes.expressions import LaneSum as LaneSum
from heddle.loop_ir.nodes.expressions import Load as Load
from heddle.loop_ir.nodes.expressions import Map as Map
from heddle.loop_ir.nodes.expressions import MapSize as MapSize
from heddle.loop_ir.nodes.expressions import RegistersHold as RegistersHold
from heddle.loop_ir.nodes.expressions import Select as Select
from heddle.loop_ir.nodes.expressions import Unary as Unary
from heddle.loop_ir.nodes.expressions import Var as Var
from heddle.loop_ir.nodes.expressions import VectorLoad as VectorLoad
from heddle.loop_ir.nodes.expressions import VectorMasks as VectorMasks
from heddle.loop_ir.nodes.function import INDEX_OVERFLOW as INDEX_OVERFLOW
from heddle.loop_ir.nodes.function import OUT_OF_MEMORY as OUT_OF_MEMORY
from heddle.loop_ir.nodes.function import Function as Function
from heddle.loop_ir.nodes.function import Parameter as Parameter
from heddle.loop_ir.nodes.function import ParameterKind as ParameterKind
from heddle.loop_ir.nodes.function import SharedPattern as SharedPattern
from heddle.loop_ir.nodes.gpu import Barrier as Barrier
from heddle.loop_ir.nodes.gpu import Combine as Combine
from heddle.loop_ir.nodes.gpu import CombineRuns as CombineRuns
from heddle.loop_ir.nodes.gpu import GroupScope as GroupScope
from heddle.loop_ir.nodes.gpu import Insert as Insert
from heddle.loop_ir.nodes.gpu import OpenTable as OpenTable
from heddle.loop_ir.nodes.memory import Allocate as Allocate
from heddle.loop_ir.nodes.memory import AllocateMap as AllocateMap
from heddle.loop_ir.nodes.memory import AllocateResult as AllocateResult
from heddle.loop_ir.nodes.memory import ClearMap as ClearMap
from heddle.loop_ir.nodes.memory import Grow as Grow
from heddle.loop_ir.nodes.memory import MemorySpace as MemorySpace
from heddle.loop_ir.nodes.memory import Scan as Scan
from heddle.loop_ir.nodes.memory import Slot as Slot
from heddle.loop_ir.nodes.memory import Sort as Sort
from heddle.loop_ir.nodes.memory import SortMap as SortMap
from heddle.loop_ir.nodes.merges import Case as Case
from heddle.loop_ir.nodes.merges import Merge as Merge
from heddle.loop_ir.nodes.merges import Walk as Walk
from heddle.loop_ir.nodes.simple import Assign as Assign
from heddle.loop_ir.nodes.simple import Comment as Comment
from heddle.loop_ir.nodes.simple import Declare as Declare
from heddle.loop_ir.nodes.simple import Fill as Fill
from heddle.loop_ir.nodes.simple import Prefetch as Prefetch
from heddle.loop_ir.nodes.simple import Require as Require
from heddle.loop_ir.nodes.simple import Search as Search
from heddle.loop_ir.nodes.simple import SearchKind as SearchKind
from heddle.loop_ir.nodes.simple import Store as Store
from heddle.loop_ir.nodes.vectors import Scatter as Scatter
from heddle.loop_ir.nodes.vectors import VectorStore as VectorStore
