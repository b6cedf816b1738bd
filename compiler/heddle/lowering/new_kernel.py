"""The names, arrays and dimensions that a lowering starts with."""

from __future__ import annotations

from dataclasses import replace

from heddle.formats.format import Cut
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.level import LevelStorage
from heddle.index_width import index_dtype
from heddle.iteration_graph.analysis.assembly import Appended, sections_of
from heddle.iteration_graph.analysis.padding import Padding
from heddle.iteration_graph.graph.nodes import IterationGraph, Workspace
from heddle.iteration_graph.graph.provenance import (
    assignments,
    level_variables,
    operand_accesses,
    relation_above,
    variables,
)
from heddle.iteration_graph.graph.sections import Section, SectionKind
from heddle.iteration_graph.graph.sequence import kept_tensors
from heddle.iteration_graph.transform.workspaces import with_workspace
from heddle.loop_ir import build
from heddle.loop_ir.nodes import BOOL, Array, ArrayRole, Expr, Map, Var
from heddle.lowering.environment.compute import compute
from heddle.lowering.environment.formulas import formula, sizes_of
from heddle.lowering.environment.kernel import Kernel, WorkspaceArrays
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.output import Output
from heddle.lowering.results.outputs import output_of
from heddle.names import Names
from heddle.notation.nodes import Access
from heddle.signature import TensorSignature


def accesses_of(graph: IterationGraph) -> list[Access]:
    """Every access to a tensor, operands first: one tensor may be read with several index variables."""
    targets = [assign.target for _, assign in assignments(graph.statement)]
    result = [target for target in targets if target.tensor == graph.signature.result.name]
    return [*operand_accesses(graph, graph.statement), *result]


def new_kernel(
    graph: IterationGraph,
    wide: frozenset[str] = frozenset(),
    kind: KernelKind = KernelKind.EVALUATE,
    padding: Padding = Padding.MULTIPLIED,
) -> Kernel:
    """Names every parameter that the kernel of a checked graph may need, apart from all variables of the Plan. The
    index arrays of the tensors ``wide`` have 64 bits."""
    # Positions that are known are searched in the order of the result alone.
    result = graph.signature.result.name
    if kind is KernelKind.COMPUTE and result in graph.scattered:
        graph = with_workspace(replace(graph, scattered=graph.scattered - {result}))
    output = output_of(graph, kind)
    wide |= {section.tensor for section in sections_of(graph) if _counts_together(_appended(section, output))}
    names = Names({*variables(graph), *graph.workspaces, *graph.signature.tensors})
    storages: dict[tuple[str, int], LevelStorage] = {}
    values: dict[str, Array] = {}
    dimensions: dict[str, Expr] = {}
    blocked: dict[str, Expr] = {}
    whole_sizes: dict[tuple[str, int], Expr] = {}
    stored = graph.signature.stored_temporaries
    for tensor in [*graph.signature.operands, graph.signature.result]:
        if tensor.name in stored:
            continue
        values[tensor.name] = _values(tensor, names)
        sizes: dict[int, Expr] = {}
        cuts = tensor.format.cuts
        for number, dimension in enumerate(tensor.format.order, start=1):
            if dimension not in sizes:
                sizes[dimension] = Var(names.fresh(f"{tensor.name}{number}_dimension"))
        for variable, dimension in zip(tensor.indices, range(tensor.order), strict=True):
            if dimension in cuts:
                blocked.setdefault(variable, sizes[dimension])
        whole_sizes.update({(tensor.name, dimension): size for dimension, size in sizes.items()})
        storages.update(_storages(tensor, sizes, names, tensor.name in wide))
    for access in accesses_of(graph):
        if access.tensor in stored:
            continue
        for number, variable in enumerate(level_variables(graph, access), start=1):
            dimensions.setdefault(variable, storages[access.tensor, number].size)
            above = relation_above(graph, variable)
            if above is not None and above.block is not None:  # each access has a whole variable of its own
                dimension = graph.signature.tensors[access.tensor].format.order[number - 1]
                blocked.setdefault(above.block.whole, whole_sizes[access.tensor, dimension])
    for variable, size in blocked.items():
        dimensions.setdefault(variable, size)
    for copy, original in graph.copies.items():
        if copy in dimensions:
            dimensions.setdefault(original, dimensions[copy])
    program_sizes: dict[str, Expr] = {}
    if graph.signature.program is not None:
        program_sizes = sizes_of(graph.signature.program, graph.signature, whole_sizes)
        for variable, extent in graph.signature.program.extents.items():
            dimensions[variable] = formula(extent, program_sizes, graph.signature.program)
    for copy, original in graph.copies.items():  # one scalar for each size, so that tests on it are the same test
        dimensions[copy] = dimensions[original]
    for name in stored:
        tensor = graph.signature.tensors[name]
        sizes = {dimension: dimensions[variable] for dimension, variable in enumerate(tensor.indices)}
        values[name] = _values(tensor, names)
        storages.update(_storages(tensor, sizes, names, name in wide))
    widest = index_dtype(bool(wide))
    shown = graph.signature.program.exported if graph.signature.program is not None else ()
    workspaces = {
        w.name: _workspace_arrays(w, names, widest, w.name in shown)
        for w in graph.workspaces.values()
        if w.variables or w.name in shown
    }
    padded = bool(graph.signature.result.format.cuts)  # no loop writes behind the last row and column
    return Kernel(
        graph,
        names,
        storages,
        values,
        dimensions,
        output,
        compute,
        workspaces,
        wide=wide,
        sizes=program_sizes,
        kept=kept_tensors(graph),
        partly_written={graph.signature.result.name} if padded else set(),
        padding=padding,
    )


def _values(tensor: TensorSignature, names: Names) -> Array:
    return Array(names.fresh(f"{tensor.name}_vals"), tensor.dtype, ArrayRole.VALS, tensor.name)


def _storages(
    tensor: TensorSignature, sizes: dict[int, Expr], names: Names, wide: bool
) -> dict[tuple[str, int], LevelStorage]:
    """The arrays of each level of a tensor whose dimensions have ``sizes``."""
    storages: dict[tuple[str, int], LevelStorage] = {}
    for number, level in enumerate(tensor.format.levels, start=1):
        arrays = {
            role: Array(
                names.fresh(f"{tensor.name}{number}_{role}"),
                LEVEL_KINDS[level.kind].describe(role).dtype or index_dtype(wide),
                ArrayRole(role),
                tensor.name,
                number,
            )
            for role in LEVEL_KINDS[level.kind].arrays_of(level)
        }
        dimension = tensor.format.order[number - 1]
        size = sizes[dimension]
        if level.holds_slots and "width" in arrays:
            size = build.load(arrays["width"], build.index(0))
        storages[tensor.name, number] = LevelStorage(
            tensor.name,
            number,
            level.kind,
            _level_size(size, tensor.format.cuts.get(dimension), tensor.format.inside(number - 1)),
            arrays.get("pos"),
            arrays.get("crd"),
            not level.unique and number < len(tensor.format.levels),
            tuple(array for role, array in arrays.items() if role not in ("pos", "crd")),
            level.parameter,
            number > 1 and not tensor.format.levels[number - 2].unique,
            block=tensor.format.levels[number - 2].size if number > 1 else None,
        )
    return storages


def _level_size(dimension: Expr, cut: Cut | None, inside: bool) -> Expr:
    """How many coordinates a level has."""
    if cut is None:
        return dimension
    if cut.size is not None:
        return build.index(cut.size) if inside else build.ceil_divide(dimension, build.index(cut.size))
    assert cut.parts is not None
    if not inside:
        return build.index(cut.parts)
    return dimension if cut.even else build.ceil_divide(dimension, build.index(cut.parts))


def _appended(section: Section, output: Output) -> Appended | None:
    """What the section appends, where it makes a sparse tensor; ``output`` makes the result."""
    match section.kind:
        case SectionKind.RESULT:
            return output.appended
        case SectionKind.STORED:
            return output_of(section.graph, KernelKind.EVALUATE).appended
        case SectionKind.DENSE:
            return None
        case _:
            raise TypeError(f"unexpected section {section!r}")


def _counts_together(appended: Appended | None) -> bool:
    """Whether one row of the result may have more entries than its last dimension has coordinates."""
    return appended is not None and 1 < appended.groups[0].first < appended.groups[0].last


def _workspace_arrays(workspace: Workspace, names: Names, index: str, exported: bool) -> WorkspaceArrays:
    """An ``exported`` one lies in memory of the caller, like a result."""
    name = workspace.name
    array = Array(name, workspace.dtype, ArrayRole.WORKSPACE, name)
    if exported:
        array = Array(names.fresh(f"{name}_vals"), workspace.dtype, ArrayRole.VALS, name)
    return WorkspaceArrays(
        array,
        Array(names.fresh(f"{name}_marked"), BOOL, ArrayRole.WORKSPACE, name),
        Array(names.fresh(f"{name}_place"), index, ArrayRole.POS, name, 1),
        Array(names.fresh(f"{name}_list"), index, ArrayRole.CRD, name, 1),
        names.fresh(f"{name}_count"),
        Map(names.fresh_with(f"{name}_map", ("_keys", "_vals")), workspace.dtype),
    )
