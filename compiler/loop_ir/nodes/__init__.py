"""Loop IR: loops, searches, guards, loads, stores, atomics.

Scalars are typed by dtype names (``int64`` for every index scalar, ``bool`` for conditions). Array elements keep the
dtype of their storage (``pos``/``crd`` are ``int32`` or ``int64``); a load of an index array widens to ``int64``.

One file for each kind of node: expressions, simple statements (that hold no others), control, memory, vectors, GPU
threads, what merges say of themselves, functions. This module has all of them.
"""

from compiler.loop_ir.nodes.control import Block as Block
from compiler.loop_ir.nodes.control import Break as Break
from compiler.loop_ir.nodes.control import Continue as Continue
from compiler.loop_ir.nodes.control import For as For
from compiler.loop_ir.nodes.control import If as If
from compiler.loop_ir.nodes.control import LoopKind as LoopKind
from compiler.loop_ir.nodes.control import Reduction as Reduction
from compiler.loop_ir.nodes.control import Stmt as Stmt
from compiler.loop_ir.nodes.control import While as While
from compiler.loop_ir.nodes.expressions import BOOL as BOOL
from compiler.loop_ir.nodes.expressions import INDEX as INDEX
from compiler.loop_ir.nodes.expressions import Array as Array
from compiler.loop_ir.nodes.expressions import ArrayRole as ArrayRole
from compiler.loop_ir.nodes.expressions import Binary as Binary
from compiler.loop_ir.nodes.expressions import Call as Call
from compiler.loop_ir.nodes.expressions import Cast as Cast
from compiler.loop_ir.nodes.expressions import Const as Const
from compiler.loop_ir.nodes.expressions import Expr as Expr
from compiler.loop_ir.nodes.expressions import Load as Load
from compiler.loop_ir.nodes.expressions import Map as Map
from compiler.loop_ir.nodes.expressions import MapSize as MapSize
from compiler.loop_ir.nodes.expressions import Select as Select
from compiler.loop_ir.nodes.expressions import Unary as Unary
from compiler.loop_ir.nodes.expressions import Var as Var
from compiler.loop_ir.nodes.function import INDEX_OVERFLOW as INDEX_OVERFLOW
from compiler.loop_ir.nodes.function import OUT_OF_MEMORY as OUT_OF_MEMORY
from compiler.loop_ir.nodes.function import Function as Function
from compiler.loop_ir.nodes.function import Parameter as Parameter
from compiler.loop_ir.nodes.function import ParameterKind as ParameterKind
from compiler.loop_ir.nodes.function import SharedPattern as SharedPattern
from compiler.loop_ir.nodes.gpu import Barrier as Barrier
from compiler.loop_ir.nodes.gpu import Combine as Combine
from compiler.loop_ir.nodes.gpu import CombineRuns as CombineRuns
from compiler.loop_ir.nodes.gpu import GroupScope as GroupScope
from compiler.loop_ir.nodes.gpu import Single as Single
from compiler.loop_ir.nodes.memory import Allocate as Allocate
from compiler.loop_ir.nodes.memory import AllocateMap as AllocateMap
from compiler.loop_ir.nodes.memory import AllocateResult as AllocateResult
from compiler.loop_ir.nodes.memory import ClearMap as ClearMap
from compiler.loop_ir.nodes.memory import Grow as Grow
from compiler.loop_ir.nodes.memory import MemorySpace as MemorySpace
from compiler.loop_ir.nodes.memory import Scan as Scan
from compiler.loop_ir.nodes.memory import Slot as Slot
from compiler.loop_ir.nodes.memory import Sort as Sort
from compiler.loop_ir.nodes.memory import SortMap as SortMap
from compiler.loop_ir.nodes.merges import Case as Case
from compiler.loop_ir.nodes.merges import Merge as Merge
from compiler.loop_ir.nodes.merges import Walk as Walk
from compiler.loop_ir.nodes.simple import Assign as Assign
from compiler.loop_ir.nodes.simple import Comment as Comment
from compiler.loop_ir.nodes.simple import Declare as Declare
from compiler.loop_ir.nodes.simple import Fill as Fill
from compiler.loop_ir.nodes.simple import Prefetch as Prefetch
from compiler.loop_ir.nodes.simple import Require as Require
from compiler.loop_ir.nodes.simple import Search as Search
from compiler.loop_ir.nodes.simple import SearchKind as SearchKind
from compiler.loop_ir.nodes.simple import Store as Store
from compiler.loop_ir.nodes.vectors import Broadcast as Broadcast
from compiler.loop_ir.nodes.vectors import Gather as Gather
from compiler.loop_ir.nodes.vectors import Keep as Keep
from compiler.loop_ir.nodes.vectors import LaneRange as LaneRange
from compiler.loop_ir.nodes.vectors import Lanes as Lanes
from compiler.loop_ir.nodes.vectors import LaneSum as LaneSum
from compiler.loop_ir.nodes.vectors import RegistersHold as RegistersHold
from compiler.loop_ir.nodes.vectors import Scatter as Scatter
from compiler.loop_ir.nodes.vectors import VectorLoad as VectorLoad
from compiler.loop_ir.nodes.vectors import VectorMasks as VectorMasks
from compiler.loop_ir.nodes.vectors import VectorStore as VectorStore
