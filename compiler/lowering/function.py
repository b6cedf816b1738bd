"""Iteration graph -> loop IR: the whole kernel (DESIGN §3.4)."""

from __future__ import annotations

from compiler.formats.levels.kinds import kind_of
from compiler.formats.levels.level import LevelStorage, Range
from compiler.iteration_graph.algebra import background
from compiler.iteration_graph.assembly import Appended, Shared
from compiler.iteration_graph.nodes import IterationGraph
from compiler.iteration_graph.provenance import assignments
from compiler.iteration_graph.relations.bound import BoundRelation
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
    INDEX,
    Array,
    ArrayRole,
    Block,
    Const,
    Expr,
    Fill,
    Function,
    Load,
    Parameter,
    ParameterKind,
    Require,
    Search,
    SharedPattern,
    Stmt,
    Var,
)
from compiler.loop_ir.walk import expressions, statements, subexpressions, written_arrays
from compiler.lowering.assembly import lower_assembled, lower_values
from compiler.lowering.block import block
from compiler.lowering.compute import typed_constant
from compiler.lowering.kernel import Kernel, new_kernel
from compiler.lowering.prefetch import prefetched
from compiler.lowering.scope import Scope
from compiler.lowering.statement import lower_statement
from compiler.origin import Origin, Role
from compiler.signature import TensorSignature


def lower(
    graph: IterationGraph, name: str = "kernel", wide: frozenset[str] = frozenset(), given: bool = False
) -> Function:
    """The kernel of a checked iteration graph. The index arrays of the tensors ``wide`` have 64 bits.

    With ``given``, an assembled result has its coordinates already, and only its values are computed.

    Raises:
        Refusal: ``runtime/stationary``, for a result whose coordinates cannot be found again in the order of the loops.
    """
    kernel = new_kernel(graph, wide)
    kernel.given = given
    if isinstance(kernel.assembly, Appended):
        assemble = lower_values if given else lower_assembled
        body = assemble(kernel, kernel.assembly, lower_statement)
    else:
        body = _lower_once(kernel)
    kernel.requirements += _claims(kernel)
    whole = Block((*kernel.requirements, *body))
    whole = prefetched(whole, graph.prefetch, lambda crd: _stored(kernel, crd), kernel.names)
    pattern = None
    if isinstance(kernel.assembly, Shared):
        pattern = SharedPattern(kernel.assembly.access.tensor, kernel.assembly.levels)
    return Function(name, _parameters(kernel, whole), whole, tuple(kernel.requirements), pattern)


def _lower_once(kernel: Kernel) -> list[Stmt]:
    """One pass over the loops: all positions of the result are known."""
    # What accumulates adds to every value that is there: no store is the first to its place.
    accumulates = kernel.graph.signature.accumulates
    scope = Scope(kernel, covers=not accumulates)
    lower_statement(scope, kernel.graph.statement)
    body = list(block(scope.items).statements)
    if kernel.needs_zero and not accumulates:
        body.insert(0, _zero(kernel))
    return [*kernel.allocations, *kernel.preparation, *body]


def _claims(kernel: Kernel) -> list[Require]:
    """The claims that ``bound`` makes, to be checked in front of everything."""
    claims: list[Require] = []
    for relation in kernel.graph.relations:
        if isinstance(relation, BoundRelation) and relation.command not in {c.origin.command for c in claims}:
            condition = relation.claim(Scope(kernel))
            origin = Origin(Role.BOUNDS, relation.parent, command=relation.command)
            claims.append(Require(condition, len(kernel.requirements) + len(claims) + 1, relation.claim_text(), origin))
    return claims


def _stored(kernel: Kernel, crd: Array) -> Expr | None:
    """The number of coordinates in ``crd``; None for the list of a workspace."""
    if crd.tensor is None:
        return None
    return _positions([kernel.storages[crd.tensor, level] for level in range(1, crd.level + 1)])


def _zero(kernel: Kernel) -> Fill:
    result, shared = kernel.graph.signature.result, kernel.assembly
    levels = []
    for level in range(1, len(result.format.levels) + 1):
        owner = shared.access.tensor if isinstance(shared, Shared) and level <= shared.levels else result.name
        levels.append(kernel.storages[owner, level])
    return Fill(
        kernel.values[result.name], _positions(levels), _start_value(kernel), Origin(Role.INIT, tensor=result.name)
    )


def _positions(levels: list[LevelStorage]) -> Expr:
    """The number of positions of the last of ``levels``, the outermost ones of a tensor."""
    positions = Range(build.index(0), build.index(1))
    for storage in levels:
        positions = kind_of(storage).children(storage, positions)
    return positions.upper


def _start_value(kernel: Kernel) -> Const:
    """What the result holds where nothing is computed."""
    result = kernel.graph.signature.result
    written = next(a for _, a in assignments(kernel.graph.statement) if a.target.tensor == result.name)
    return typed_constant(background(written.target).value, result.dtype)


def _parameters(kernel: Kernel, body: Block) -> tuple[Parameter, ...]:
    """The result first, then the operands; only the dimensions and arrays that the body uses."""
    names, arrays = _used(body)
    parameters: list[Parameter] = []
    for tensor in kernel.graph.signature.tensors.values():
        if tensor.order == 0 and not tensor.is_result:
            parameters.append(Parameter(ParameterKind.SCALAR, tensor.name, tensor.dtype, tensor.name))
            continue
        for number, dimension in enumerate(tensor.format.order, start=1):
            if not tensor.format.levels[number - 1].stores_dimension:
                continue
            for size in subexpressions(kernel.storages[tensor.name, number].size):
                if isinstance(size, Var) and size.name in names:
                    parameters.append(
                        Parameter(ParameterKind.DIMENSION, size.name, INDEX, tensor.name, None, dimension)
                    )
        for number in range(1, len(tensor.format.levels) + 1):
            storage = kernel.storages[tensor.name, number]
            for array in (storage.pos, storage.crd, *storage.extra):
                if array is not None and array.name in arrays:
                    parameters.append(_array(kernel, array, tensor))
        values = kernel.values[tensor.name]
        if tensor.is_result or values.name in arrays:
            parameters.append(_array(kernel, values, tensor))
    return tuple(parameters)


def _array(kernel: Kernel, array: Array, tensor: TensorSignature) -> Parameter:
    output = tensor.is_result and not (kernel.given and array.role is not ArrayRole.VALS)
    allocated = output and isinstance(kernel.assembly, Appended) and not kernel.given
    return Parameter(ParameterKind.ARRAY, array.name, array.dtype, tensor.name, array, None, output, allocated)


def _used(body: Stmt) -> tuple[set[str], set[str]]:
    """Names of scalars and of arrays that occur in the body."""
    names: set[str] = set()
    arrays: set[str] = set()
    for statement in statements(body):
        arrays |= set(written_arrays(statement))
        if isinstance(statement, Search):
            arrays.add(statement.array.name)
        for expression in expressions(statement):
            for part in subexpressions(expression):
                match part:
                    case Var(name=name):
                        names.add(name)
                    case Load(array=array):
                        arrays.add(array.name)
                    case _:
                        pass
    return names, arrays
