"""The parameters of a kernel, in call order."""

from __future__ import annotations

from heddle.loop_ir.nodes import (
    INDEX,
    Array,
    Block,
    Load,
    Parameter,
    ParameterKind,
    Search,
    Stmt,
    Var,
)
from heddle.loop_ir.walk import expressions, statements, subexpressions, written_arrays
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.signature import TensorSignature


def parameters(kernel: KernelContext, body: Block) -> tuple[Parameter, ...]:
    """The result first, then the operands; only the dimensions and arrays that the body uses."""
    names, arrays = _find_used(body)
    needed: list[Parameter] = []
    for tensor in kernel.graph.signature.tensors.values():
        if tensor.name in kernel.graph.signature.temporaries:
            continue
        if tensor.order == 0 and not tensor.is_result:
            needed.append(Parameter(ParameterKind.SCALAR, tensor.name, tensor.dtype, tensor.name))
            continue
        for number, dimension in enumerate(tensor.format.order, start=1):
            if not tensor.format.levels[number - 1].stores_dimension:
                continue
            for size in subexpressions(kernel.storages[tensor.name, number].size):
                if isinstance(size, Var) and size.name in names:
                    needed.append(Parameter(ParameterKind.DIMENSION, size.name, INDEX, tensor.name, None, dimension))
        for number in range(1, len(tensor.format.levels) + 1):
            storage = kernel.storages[tensor.name, number]
            for array in (storage.pos, storage.crd, *storage.extra):
                if array is not None and array.name in arrays:
                    needed.append(_array(kernel, array, tensor))
        values = kernel.values[tensor.name]
        if tensor.is_result or values.name in arrays:
            needed.append(_array(kernel, values, tensor))
    program = kernel.graph.signature.program
    for name in program.exported if program is not None else ():
        exported_array = kernel.workspaces[name].values
        needed.append(
            Parameter(ParameterKind.ARRAY, exported_array.name, exported_array.dtype, name, exported_array, None, True)
        )
    return tuple(needed)


def _array(kernel: KernelContext, array: Array, tensor: TensorSignature) -> Parameter:
    output = tensor.is_result and kernel.output.writes(array)
    allocated = output and kernel.output.allocates
    return Parameter(ParameterKind.ARRAY, array.name, array.dtype, tensor.name, array, None, output, allocated)


def _find_used(body: Stmt) -> tuple[set[str], set[str]]:
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
