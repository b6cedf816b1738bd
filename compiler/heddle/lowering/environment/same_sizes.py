"""Sizes that a call has checked to be the same."""

from __future__ import annotations

from heddle.loop_ir.nodes import Expr, Var
from heddle.lowering.environment.kernel_context import KernelContext


def same_sizes(kernel: KernelContext) -> dict[str, str]:
    """One name for each size of a dimension: that of the loops over its index variable, or of what the operands of a
    program call alike. A result is as large as the loops run."""
    representatives: dict[str, str] = {}
    for tensor in kernel.graph.signature.tensors.values():
        for number, dimension in enumerate(tensor.format.order, start=1):
            size, other = kernel.storages[tensor.name, number].size, _other(kernel, tensor.name, dimension)
            if isinstance(size, Var) and isinstance(other, Var):
                representatives[size.name] = other.name
    return representatives


def _other(kernel: KernelContext, tensor: str, dimension: int) -> Expr | None:
    signature = kernel.graph.signature
    if signature.program is None or tensor == kernel.result:
        return kernel.dimensions.get(signature.tensors[tensor].indices[dimension])
    declared = signature.program.operands.get(tensor, ())
    name = declared[dimension] if dimension < len(declared) else None
    return kernel.sizes.get(name) if isinstance(name, str) else None
