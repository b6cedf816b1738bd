"""What all places of one kernel share: names, arrays, dimensions and the question whether the result needs zeroing."""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.formats.levels.kinds import LEVEL_KINDS
from compiler.formats.levels.level import LevelStorage
from compiler.iteration_graph.nodes import IterationGraph
from compiler.iteration_graph.provenance import assignments, level_variables, operand_accesses, variables
from compiler.loop_ir.nodes import Array, ArrayRole, Expr, Require, Var
from compiler.names import Names
from compiler.notation.nodes import Access

INDEX_DTYPE = "int32"
_DTYPES = {"mask": "uint8"}


@dataclass(slots=True)
class Kernel:
    """State of one lowering."""

    graph: IterationGraph
    names: Names
    storages: dict[tuple[str, int], LevelStorage]
    values: dict[str, Array]
    dimensions: dict[str, Expr]
    requirements: list[Require] = field(default_factory=list)
    needs_zero: bool = False

    @property
    def result(self) -> str:
        return self.graph.signature.result.name


def accesses_of(graph: IterationGraph) -> list[Access]:
    """Every access to a tensor, operands first: one tensor may be read with several index variables."""
    targets = [assign.target for _, assign in assignments(graph.statement)]
    result = [target for target in targets if target.tensor == graph.signature.result.name]
    return [*operand_accesses(graph, graph.statement), *result]


def new_kernel(graph: IterationGraph) -> Kernel:
    """Names every parameter that the kernel may need, apart from all variables of the Plan."""
    names = Names({*variables(graph), *graph.workspaces, *graph.signature.tensors})
    storages: dict[tuple[str, int], LevelStorage] = {}
    values: dict[str, Array] = {}
    dimensions: dict[str, Expr] = {}
    for tensor in [*graph.signature.operands, graph.signature.result]:
        values[tensor.name] = Array(names.fresh(f"{tensor.name}_vals"), tensor.dtype, ArrayRole.VALS, tensor.name)
        for number, level in enumerate(tensor.format.levels, start=1):
            arrays = {
                role: Array(
                    names.fresh(f"{tensor.name}{number}_{role}"),
                    _DTYPES.get(role, INDEX_DTYPE),
                    ArrayRole(role),
                    tensor.name,
                    number,
                )
                for role in LEVEL_KINDS[level.kind].arrays
            }
            size = Var(names.fresh(f"{tensor.name}{number}_dimension"))
            storages[tensor.name, number] = LevelStorage(
                tensor.name,
                number,
                level.kind,
                size,
                arrays.get("pos"),
                arrays.get("crd"),
                not level.unique and number < len(tensor.format.levels),
                tuple(array for role, array in arrays.items() if role not in ("pos", "crd")),
            )
    for access in accesses_of(graph):
        for number, variable in enumerate(level_variables(graph, access), start=1):
            dimensions.setdefault(variable, storages[access.tensor, number].size)
    return Kernel(graph, names, storages, values, dimensions)
