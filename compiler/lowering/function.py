"""Iteration graph -> loop IR: the whole kernel (DESIGN §3.4)."""

from __future__ import annotations

from compiler.iteration_graph.algebra import background
from compiler.iteration_graph.nodes import IterationGraph
from compiler.iteration_graph.provenance import assignments
from compiler.iteration_graph.relations.bound import BoundRelation
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
    INDEX,
    Array,
    Block,
    Expr,
    Fill,
    Function,
    Load,
    Parameter,
    ParameterKind,
    Require,
    Search,
    Stmt,
    Store,
    Var,
)
from compiler.loop_ir.walk import expressions, statements, subexpressions
from compiler.lowering.block import block
from compiler.lowering.compute import typed_constant
from compiler.lowering.kernel import Kernel, new_kernel
from compiler.lowering.scope import Scope
from compiler.lowering.statement import lower_statement
from compiler.origin import Origin, Role


def lower(graph: IterationGraph, name: str = "kernel") -> Function:
    """The kernel of a checked iteration graph; its result has dense levels only."""
    kernel = new_kernel(graph)
    # What accumulates adds to every value that is there: no store is the first to its place.
    scope = Scope(kernel, covers=not graph.signature.accumulates)
    lower_statement(scope, graph.statement)
    body = list(block(scope.items).statements)
    kernel.requirements += _claims(kernel)
    if kernel.needs_zero and not graph.signature.accumulates:
        body.insert(0, _zero(kernel))
    body = [*kernel.requirements, *body]
    return Function(name, _parameters(kernel, Block(tuple(body))), Block(tuple(body)), tuple(kernel.requirements))


def _claims(kernel: Kernel) -> list[Require]:
    """The claims that ``bound`` makes, to be checked in front of everything."""
    claims: list[Require] = []
    for relation in kernel.graph.relations:
        if isinstance(relation, BoundRelation):
            condition = relation.claim(Scope(kernel))
            origin = Origin(Role.BOUNDS, relation.parent, command=relation.command)
            claims.append(Require(condition, len(kernel.requirements) + len(claims) + 1, relation.claim_text(), origin))
    return claims


def _zero(kernel: Kernel) -> Fill:
    result = kernel.graph.signature.result
    size: Expr = build.index(1)
    for level in range(1, len(result.format.levels) + 1):
        size = build.mul(size, kernel.storages[result.name, level].size)
    written = next(a for _, a in assignments(kernel.graph.statement) if a.target.tensor == result.name)
    start = typed_constant(background(written.target).value, result.dtype)
    return Fill(kernel.values[result.name], size, start, Origin(Role.INIT, tensor=result.name))


def _parameters(kernel: Kernel, body: Block) -> tuple[Parameter, ...]:
    """The result first, then the operands; only the dimensions and arrays that the body uses."""
    names, arrays = _used(body)
    parameters: list[Parameter] = []
    for tensor in kernel.graph.signature.tensors.values():
        if tensor.order == 0 and not tensor.is_result:
            parameters.append(Parameter(ParameterKind.SCALAR, tensor.name, tensor.dtype, tensor.name))
            continue
        for number in range(1, len(tensor.format.levels) + 1):
            size = kernel.storages[tensor.name, number].size
            if isinstance(size, Var) and size.name in names:
                original = tensor.format.order[number - 1]
                parameters.append(Parameter(ParameterKind.DIMENSION, size.name, INDEX, tensor.name, None, original))
        for number in range(1, len(tensor.format.levels) + 1):
            storage = kernel.storages[tensor.name, number]
            for array in (storage.pos, storage.crd, *storage.extra):
                if array is not None and array.name in arrays:
                    parameters.append(_array(array, tensor.name, False))
        values = kernel.values[tensor.name]
        if tensor.is_result or values.name in arrays:
            parameters.append(_array(values, tensor.name, tensor.is_result))
    return tuple(parameters)


def _array(array: Array, tensor: str, output: bool) -> Parameter:
    return Parameter(ParameterKind.ARRAY, array.name, array.dtype, tensor, array, None, output)


def _used(body: Stmt) -> tuple[set[str], set[str]]:
    """Names of scalars and of arrays that occur in the body."""
    names: set[str] = set()
    arrays: set[str] = set()
    for statement in statements(body):
        if isinstance(statement, Store | Search | Fill):
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
