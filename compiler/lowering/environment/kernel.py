"""What all places of one kernel share: names, arrays, dimensions and the question whether the result needs zeroing."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from compiler.formats.format import Level
from compiler.formats.levels.kinds import LEVEL_KINDS
from compiler.formats.levels.level import LevelStorage
from compiler.index_width import index_dtype
from compiler.iteration_graph.analysis.assembly import Appended, Shared, assembly_of
from compiler.iteration_graph.graph.nodes import IterationGraph, Workspace
from compiler.iteration_graph.graph.provenance import assignments, level_variables, operand_accesses, variables
from compiler.loop_ir import build
from compiler.loop_ir.nodes import BOOL, Allocate, AllocateMap, Array, ArrayRole, Expr, Map, Require, Stmt, Var
from compiler.names import Names
from compiler.notation.nodes import Access


class Phase(Enum):
    """A sparse result is made in two passes over the loops: COUNT its coordinates, then FILL it. ``FILL`` is also the
    only pass of every other kernel."""

    COUNT = "count"
    FILL = "fill"


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
class RowInResult:
    """A row of the result while it is made: its coordinates at ``level`` lie from ``begin`` to ``end``."""

    level: int
    begin: Var
    end: Var


@dataclass(slots=True)
class Kernel:
    """State of one lowering."""

    graph: IterationGraph
    names: Names
    storages: dict[tuple[str, int], LevelStorage]
    values: dict[str, Array]
    dimensions: dict[str, Expr]
    workspaces: dict[str, WorkspaceArrays] = field(default_factory=dict)
    allocations: list[Allocate | AllocateMap] = field(default_factory=list)
    """Workspaces that live as long as the kernel runs."""
    preparation: list[Stmt] = field(default_factory=list)
    """What is computed of operands in front of all loops."""
    products: dict[tuple[Access, Access], Array] = field(default_factory=dict)
    """The sums of ``row_products``, by the operands."""
    requirements: list[Require] = field(default_factory=list)
    needs_zero: bool = False
    wide: frozenset[str] = frozenset()
    """The tensors whose index arrays have 64 bits."""
    assembly: Shared | Appended | None = None
    phase: Phase = Phase.FILL
    given: bool = False
    """The coordinates of the assembled result are there already: only its values are computed."""
    starts: dict[int, Array] = field(default_factory=dict)
    """For each appended group of levels (by its first): where the entries of each segment start."""
    one_pass: bool = False
    """The first pass only bounds how many entries each segment gets; where it ended is noted in ``ends``."""
    ends: dict[int, Array] = field(default_factory=dict)
    gathered: set[str] = field(default_factory=set)
    """Workspaces whose coordinates are those that a row of the result is given."""
    placed: dict[str, RowInResult] = field(default_factory=dict)
    """Workspaces whose values are summed in a row of the result."""
    bounded: set[str] = field(default_factory=set)
    """Workspaces whose entries are being counted with repetitions, to bound their number."""
    partly_written: set[str] = field(default_factory=set)
    """Workspaces that plain stores do not fill."""

    @property
    def result(self) -> str:
        return self.graph.signature.result.name


def accesses_of(graph: IterationGraph) -> list[Access]:
    """Every access to a tensor, operands first: one tensor may be read with several index variables."""
    targets = [assign.target for _, assign in assignments(graph.statement)]
    result = [target for target in targets if target.tensor == graph.signature.result.name]
    return [*operand_accesses(graph, graph.statement), *result]


def new_kernel(graph: IterationGraph, wide: frozenset[str] = frozenset(), given: bool = False) -> Kernel:
    """Names every parameter that the kernel of a checked graph may need, apart from all variables of the Plan. The
    index arrays of the tensors ``wide`` have 64 bits. With ``given``, an assembled result has its coordinates already,
    and only its values are computed."""
    assembly = assembly_of(graph)
    if _counts_together(assembly):
        wide |= {graph.signature.result.name}
    names = Names({*variables(graph), *graph.workspaces, *graph.signature.tensors})
    storages: dict[tuple[str, int], LevelStorage] = {}
    values: dict[str, Array] = {}
    dimensions: dict[str, Expr] = {}
    blocked: dict[str, Expr] = {}
    for tensor in [*graph.signature.operands, graph.signature.result]:
        values[tensor.name] = Array(names.fresh(f"{tensor.name}_vals"), tensor.dtype, ArrayRole.VALS, tensor.name)
        sizes: dict[int, Expr] = {}
        for number, dimension in enumerate(tensor.format.order, start=1):
            if dimension not in sizes:
                sizes[dimension] = Var(names.fresh(f"{tensor.name}{number}_dimension"))
        for variable, dimension in zip(tensor.indices, range(tensor.order), strict=True):
            if dimension in tensor.format.blocks:
                blocked.setdefault(variable, sizes[dimension])
        for number, level in enumerate(tensor.format.levels, start=1):
            arrays = {
                role: Array(
                    names.fresh(f"{tensor.name}{number}_{role}"),
                    LEVEL_KINDS[level.kind].describe(role).dtype or index_dtype(tensor.name in wide),
                    ArrayRole(role),
                    tensor.name,
                    number,
                )
                for role in LEVEL_KINDS[level.kind].arrays
            }
            size = sizes[tensor.format.order[number - 1]]
            if level.holds_slots and "width" in arrays:
                size = build.load(arrays["width"], build.index(0))
            storages[tensor.name, number] = LevelStorage(
                tensor.name,
                number,
                level.kind,
                _level_size(level, size, tensor.format.blocks.get(tensor.format.order[number - 1])),
                arrays.get("pos"),
                arrays.get("crd"),
                not level.unique and number < len(tensor.format.levels),
                tuple(array for role, array in arrays.items() if role not in ("pos", "crd")),
                block=tensor.format.levels[number - 2].size if number > 1 else None,
            )
    for access in accesses_of(graph):
        for number, variable in enumerate(level_variables(graph, access), start=1):
            dimensions.setdefault(variable, storages[access.tensor, number].size)
    for variable, size in blocked.items():
        dimensions.setdefault(variable, size)
    for copy, original in graph.copies.items():
        if copy in dimensions:
            dimensions.setdefault(original, dimensions[copy])
    for copy, original in graph.copies.items():  # one scalar for each size, so that tests on it are the same test
        dimensions[copy] = dimensions[original]
    widest = index_dtype(bool(wide))
    workspaces = {w.name: _workspace_arrays(w, names, widest) for w in graph.workspaces.values() if w.variables}
    padded = bool(graph.signature.result.format.blocks)  # no loop writes behind the last row and column
    return Kernel(
        graph,
        names,
        storages,
        values,
        dimensions,
        workspaces,
        needs_zero=padded,
        wide=wide,
        assembly=assembly,
        given=given,
    )


def _level_size(level: Level, dimension: Expr, block: int | None) -> Expr:
    """How many coordinates a level has."""
    if level.size is not None:
        return build.index(level.size)
    return dimension if block is None else build.ceil_divide(dimension, build.index(block))


def _counts_together(assembly: Shared | Appended | None) -> bool:
    """Whether one row of the result may have more entries than its last dimension has coordinates."""
    return isinstance(assembly, Appended) and 1 < assembly.groups[0].first < assembly.groups[0].last


def _workspace_arrays(workspace: Workspace, names: Names, index: str) -> WorkspaceArrays:
    name = workspace.name
    return WorkspaceArrays(
        Array(name, workspace.dtype, ArrayRole.WORKSPACE, name),
        Array(names.fresh(f"{name}_marked"), BOOL, ArrayRole.WORKSPACE, name),
        Array(names.fresh(f"{name}_place"), index, ArrayRole.POS, name, 1),
        Array(names.fresh(f"{name}_list"), index, ArrayRole.CRD, name, 1),
        names.fresh(f"{name}_count"),
        Map(names.fresh_with(f"{name}_map", ("_keys", "_vals")), workspace.dtype),
    )
