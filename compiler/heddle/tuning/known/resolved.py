"""One way to say how large operands are, and the ways that were kept before.

A Plan may fix ``M`` among its sizes or give the shape of ``A``, whose dimension it is. Both compute the same on the
same operands, so that what is found for the one is kept under the form of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from heddle.diagnostics import CompileError
from heddle.frontends.table import assignment_of
from heddle.notation.program import Program
from heddle.plan import Plan, TensorSpec

Dimensions = Mapping[str, tuple[str | int, ...]]
"""Of each operand with a shape, the name or the number of every size."""


def resolve_sizes(plan: Plan) -> Plan:
    """``plan`` with the shape of each operand whose dimensions its sizes tell, in the place of those sizes.

    Integer parameters stay among the sizes, and so do sizes without which the program has no ranges.

    Raises
    ------
    CompileError
        the text is wrong, or its language has no statements.
    """
    program = _program(plan)
    if program is None or not plan.sizes:
        return plan
    known = {
        name: tuple(size if isinstance(size, int) else plan.sizes[size] for size in dimensions)
        for name, dimensions in _dimensions(program).items()
        if all(isinstance(size, int) or size in plan.sizes for size in dimensions)
    }
    told = {size for name in known for size in _dimensions(program)[name]}
    tensors = dict(plan.tensors)
    for name, shape in known.items():
        spec = tensors.get(name, TensorSpec())
        tensors[name] = spec if spec.shape is not None else replace(spec, shape=shape)
    left = {name: size for name, size in plan.sizes.items() if name not in told}
    resolved = replace(plan, tensors=tensors, sizes=left)
    try:
        _program(resolved)
    except CompileError:
        return plan
    return resolved


def earlier_forms(plan: Plan) -> Iterator[Plan]:
    """The plans that say the same as ``plan`` with sizes: as it is written, and with a number for every dimension.

    Schedules were kept under the form of either before sizes were resolved.
    """
    yield plan
    program = _program(plan)
    if program is None:
        return
    shapes = {**{name: shape for name, source in plan.inputs.items() if (shape := _shape_of(source))}, **plan.shapes}
    sizes = dict(plan.sizes)
    for name, dimensions in _dimensions(program).items():
        shape = shapes.get(name, ())
        if len(shape) == len(dimensions):
            sizes |= {size: number for size, number in zip(dimensions, shape, strict=True) if isinstance(size, str)}
    yield replace(plan, sizes=sizes)


def _shape_of(source: Mapping[str, object]) -> tuple[int, ...]:
    shape = source.get("shape")
    return tuple(int(size) for size in shape) if isinstance(shape, list | tuple) else ()


def _program(plan: Plan) -> Program | None:
    return assignment_of(plan.language, plan.expression, plan.sizes).program


def _dimensions(program: Program) -> Dimensions:
    """Of operands; what a result holds before has the sizes of that result."""
    return {name: sizes for name, sizes in program.operands.items() if sizes and name not in program.initial}
