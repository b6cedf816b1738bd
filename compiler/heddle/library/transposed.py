"""The transpose of a kernel that is linear in one operand: ``x(j) = A(i,j) * y(i)`` of ``y(i) = A(i,j) * x(j)``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from heddle.iteration_graph.algebra.terms import signed_terms
from heddle.notation.nodes import Access, Assignment, Binary, Expression, accesses, index_variables
from heddle.notation.printer import to_text
from heddle.notation.rename import rename_variables
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.plan.plan import Options
from heddle.runtime.kernels.kernel import Kernel
from heddle.tuning.search.automatic import AutomaticKernel


def transposed_expression(assignment: Assignment, over: str) -> str | None:
    """The transpose of ``assignment`` as a map of the operand ``over``, in index notation; None where it is not a sum
    of products in which ``over`` is a factor once."""
    if assignment.temporaries or assignment.operator != "=" or assignment.program is not None:
        return None
    prefix = "t"
    while any(name.startswith(prefix) for name in index_variables(assignment)):
        prefix += "t"
    text = ""
    order = 0
    for subtracted, term in signed_terms(assignment.expression):
        factors = _factors(term)
        tensor_factors = [factor for factor in factors if isinstance(factor, Access) and factor.tensor == over]
        rest = [factor for factor in factors if factor not in tensor_factors]
        if len(tensor_factors) != 1 or any(access.tensor == over for factor in rest for access in accesses(factor)):
            return None
        order = len(tensor_factors[0].indices)
        names = {index: f"{prefix}{number}" for number, index in enumerate(tensor_factors[0].indices)}
        product = " * ".join(f"({to_text(rename_variables(part, names))})" for part in (*rest, assignment.target))
        text += f" {'-' if subtracted else '+'} {product}"
    indices = ",".join(f"{prefix}{number}" for number in range(order))
    target = f"{over}({indices})" if indices else over
    return f"{target} ={text.removeprefix(' +')}"


def _factors(term: Expression) -> list[Expression]:
    match term:
        case Binary(operator="*", left=left, right=right):
            return [*_factors(left), *_factors(right)]
        case _:
            return [term]


def transposed_kernel(kernel: Kernel[Any], over: str) -> Kernel[Any] | None:
    """A kernel of the transpose, which takes the result of ``kernel`` as an operand; None where there is none."""
    plan: Plan = kernel.result.plan
    assignment = kernel.result.assignment
    expression = None if assignment is None else transposed_expression(assignment, over)
    if expression is None:
        return None
    tensors = {name: replace(spec, shape=None) for name, spec in plan.tensors.items() if name != over}
    signature = kernel.signature
    tensors[signature.result.name] = TensorSpec(dtype=signature.result.dtype)
    tensors[over] = TensorSpec(dtype=signature.result.dtype)
    turned = replace(
        plan, expression=expression, tensors=tensors, schedule=(), options=Options("automatic"), sizes={}, inputs={}
    )
    if isinstance(kernel, AutomaticKernel):
        return AutomaticKernel(turned)
    result = lower(turned)
    return Kernel(result) if result.ok else None
