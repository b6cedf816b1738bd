"""The names, arrays and dimensions that a lowering starts with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.formats.format import Cut
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.level import LevelStorage
from heddle.index_width import index_dtype
from heddle.iteration_graph.analysis.assembly import Appended, sections_of
from heddle.iteration_graph.analysis.padding import Padding
from heddle.iteration_graph.graph.nodes import IterationGraph, Workspace
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
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
from heddle.lowering.environment.kernel_context import KernelContext, WorkspaceArrays
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.output import Output
from heddle.lowering.environment.values.compute import compute
from heddle.lowering.environment.values.formulas import formula, sizes_of
from heddle.lowering.results.outputs import output_of
from heddle.names import Names
from heddle.notation.nodes import Access
from heddle.signature import TensorSignature


def accesses_of(graph: IterationGraph) -> list[Access]:
    """Every access to a tensor, operands first: one tensor may be read with several index variables."""
    targets = [assign.target for _, assign in all_assignments(graph)]
    result = [target for target in targets if target.tensor == graph.signature.result.name]
    return [*operand_accesses(graph, graph.statement), *result]


def allocate_kernel_symbols(
    graph: IterationGraph,
    wide: frozenset[str] = frozenset(),
    kind: KernelKind = KernelKind.EVALUATE,
    padding: Padding = Padding.MULTIPLIED,
) -> KernelContext:
    """Names every parameter that the kernel of a checked graph may need, apart from all variables of the Plan. The
    index arrays of the tensors ``wide`` have 64 bits."""
    # Positions that are known are searched in the order of the result alone.
    result = graph.signature.result.name
    if kind is KernelKind.COMPUTE and result in graph.scattered:
        graph = with_workspace(replace(graph, scattered=graph.scattered - {result}))
    output = output_of(graph, kind)
    wide |= {section.tensor for section in sections_of(graph) if _counts_together(_appended(section, output))}
    names = Names({*variables(graph), *graph.workspaces, *graph.signature.tensors})
    tensors = _name_tensors(graph, names, wide)
    dimensions = _find_dimensions(graph, tensors)
    program_sizes = _find_program_sizes(graph, tensors)
    _set_program_dimensions(dimensions, graph, program_sizes)
    tensors = _with_stored_temporaries(tensors, graph, names, wide, dimensions)
    padded = bool(graph.signature.result.format.cuts)  # no loop writes behind the last row and column
    return KernelContext(
        graph,
        names,
        tensors.storages,
        tensors.values,
        dimensions,
        output,
        compute,
        _name_workspaces(graph, names, index_dtype(bool(wide))),
        wide=wide,
        sizes=program_sizes,
        kept=kept_tensors(graph),
        partly_written={graph.signature.result.name} if padded else set(),
        padding=padding,
    )


@dataclass(frozen=True, slots=True)
class _Tensors:
    """The names of tensors in memory: arrays of each level, values, and the size of each dimension, by its number."""

    storages: dict[tuple[str, int], LevelStorage]
    values: dict[str, Array]
    sizes: dict[tuple[str, int], Expr]


def _name_tensors(graph: IterationGraph, names: Names, wide: frozenset[str]) -> _Tensors:
    """The operands and the result. A stored temporary has its sizes from others."""
    tensors = _Tensors({}, {}, {})
    for tensor in (*graph.signature.operands, graph.signature.result):
        if tensor.name in graph.signature.stored_temporaries:
            continue
        tensors.values[tensor.name] = _values(tensor, names)
        sizes: dict[int, Expr] = {}
        for number, dimension in enumerate(tensor.format.order, start=1):
            if dimension not in sizes:
                sizes[dimension] = Var(names.fresh(f"{tensor.name}{number}_dimension"))
        tensors.sizes.update({(tensor.name, dimension): size for dimension, size in sizes.items()})
        tensors.storages.update(_storages(tensor, sizes, names, tensor.name in wide))
    return tensors


def _find_dimensions(graph: IterationGraph, tensors: _Tensors) -> dict[str, Expr]:
    """How many values each variable has: as many as the level that it is the coordinate of, or, where blocks divide a
    dimension, as the whole dimension."""
    dimensions: dict[str, Expr] = {}
    whole = _whole_dimensions(graph, tensors)
    for access in accesses_of(graph):
        if access.tensor in graph.signature.stored_temporaries:
            continue
        for number, variable in enumerate(level_variables(graph, access), start=1):
            dimensions.setdefault(variable, tensors.storages[access.tensor, number].size)
            above = relation_above(graph, variable)
            if above is not None and above.block is not None:  # each access has a whole variable of its own
                dimension = graph.signature.tensors[access.tensor].format.order[number - 1]
                whole.setdefault(above.block.whole, tensors.sizes[access.tensor, dimension])
    for variable, size in whole.items():
        dimensions.setdefault(variable, size)
    for copy, original in graph.copies.items():
        if copy in dimensions:
            dimensions.setdefault(original, dimensions[copy])
    return dimensions


def _whole_dimensions(graph: IterationGraph, tensors: _Tensors) -> dict[str, Expr]:
    """Of the variables whose dimensions are cut into blocks or parts, as their tensors name them."""
    whole: dict[str, Expr] = {}
    for tensor in (*graph.signature.operands, graph.signature.result):
        if tensor.name in graph.signature.stored_temporaries:
            continue
        for variable, dimension in zip(tensor.indices, range(tensor.order), strict=True):
            if dimension in tensor.format.cuts:
                whole.setdefault(variable, tensors.sizes[tensor.name, dimension])
    return whole


def _find_program_sizes(graph: IterationGraph, tensors: _Tensors) -> dict[str, Expr]:
    """The sizes that a program names."""
    program = graph.signature.program
    return {} if program is None else sizes_of(program, graph.signature, tensors.sizes)


def _set_program_dimensions(dimensions: dict[str, Expr], graph: IterationGraph, sizes: dict[str, Expr]) -> None:
    """A program says itself how far its variables run; copies have the very expression, so that tests on it are the
    same test."""
    program = graph.signature.program
    if program is not None:
        for variable, extent in program.extents.items():
            dimensions[variable] = formula(extent, sizes, program)
    for copy, original in graph.copies.items():
        dimensions[copy] = dimensions[original]


def _with_stored_temporaries(
    tensors: _Tensors, graph: IterationGraph, names: Names, wide: frozenset[str], dimensions: dict[str, Expr]
) -> _Tensors:
    """``tensors`` with the temporaries that the kernel itself stores in levels, as large as their variables say."""
    storages, values = dict(tensors.storages), dict(tensors.values)
    for name in graph.signature.stored_temporaries:
        tensor = graph.signature.tensors[name]
        sizes = {dimension: dimensions[variable] for dimension, variable in enumerate(tensor.indices)}
        values[name] = _values(tensor, names)
        storages.update(_storages(tensor, sizes, names, name in wide))
    return _Tensors(storages, values, tensors.sizes)


def _name_workspaces(graph: IterationGraph, names: Names, index: str) -> dict[str, WorkspaceArrays]:
    """Those that are arrays, and those that the caller sees."""
    program = graph.signature.program
    exported = program.exported if program is not None else ()
    return {
        workspace.name: _workspace_arrays(workspace, names, index, workspace.name in exported)
        for workspace in graph.workspaces.values()
        if workspace.variables or workspace.name in exported
    }


def _values(tensor: TensorSignature, names: Names) -> Array:
    return Array(names.fresh(f"{tensor.name}_vals"), tensor.dtype, ArrayRole.VALS, tensor.name)


def _storages(
    tensor: TensorSignature, sizes: dict[int, Expr], names: Names, wide: bool
) -> dict[tuple[str, int], LevelStorage]:
    """The arrays of each level of a tensor whose dimensions have ``sizes``."""
    return {
        (tensor.name, number): _storage(tensor, number, sizes, names, wide)
        for number in range(1, len(tensor.format.levels) + 1)
    }


def _storage(tensor: TensorSignature, number: int, sizes: dict[int, Expr], names: Names, wide: bool) -> LevelStorage:
    """Level ``number`` of the tensor."""
    level = tensor.format.levels[number - 1]
    above = tensor.format.levels[number - 2] if number > 1 else None
    arrays = _level_arrays(tensor, number, names, wide)
    dimension = tensor.format.order[number - 1]
    size = sizes[dimension]
    if level.holds_slots and "width" in arrays:
        size = build.load(arrays["width"], build.index(0))
    return LevelStorage(
        tensor=tensor.name,
        number=number,
        kind=level.kind,
        size=_level_size(size, tensor.format.cuts.get(dimension), tensor.format.inside(number - 1)),
        pos=arrays.get("pos"),
        crd=arrays.get("crd"),
        repeats=not level.unique and number < len(tensor.format.levels),
        extra=tuple(array for role, array in arrays.items() if role not in ("pos", "crd")),
        parameter=level.parameter,
        below_repeats=above is not None and not above.unique,
        block=above.size if above is not None else None,
    )


def _level_arrays(tensor: TensorSignature, number: int, names: Names, wide: bool) -> dict[str, Array]:
    """By their roles, ``pos``, ``crd`` and what else the kind has."""
    level = tensor.format.levels[number - 1]
    kind = LEVEL_KINDS[level.kind]
    return {
        role: Array(
            names.fresh(f"{tensor.name}{number}_{role}"),
            kind.describe(role).dtype or index_dtype(wide),
            ArrayRole(role),
            tensor.name,
            number,
        )
        for role in kind.arrays_of(level)
    }


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
