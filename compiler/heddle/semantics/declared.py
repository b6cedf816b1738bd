"""Formats and dtypes of all tensors of an expression, from what the Plan declares of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from heddle.formats.parser import parse_format
from heddle.iteration_graph.algebra.type_promotion import infer_dtype, read_dtype
from heddle.loop_ir.dtypes import INTEGERS
from heddle.notation.functions import COMPARISONS
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Expression,
    accesses,
    operand_accesses,
    operands_of,
    statements,
)
from heddle.notation.program import Program
from heddle.plan import Plan, TensorSpec
from heddle.signature import Signature, TensorSignature


def declared_signature(plan: Plan, assignment: Assignment) -> Signature:
    """The result first, then the operands. The dtypes of the result and of temporaries follow what is computed unless
    they are given.

    Raises
    ------
    CompileError
        ``format/...`` for formats that do not parse.
    """
    problems: list[Diagnostic] = []
    targets = [statement.target for statement in statements(assignment)]
    declared: dict[str, TensorSignature] = {}
    accesses_in_order = [assignment.target, *operand_accesses(assignment), *targets, *_find_operands(assignment)]
    for number, access in enumerate(accesses_in_order):
        if all(access.tensor != earlier.tensor for earlier in accesses_in_order[:number]):
            tensor = _tensor(plan, access, assignment.target, assignment.program, problems)
            if tensor is not None:
                declared[access.tensor] = tensor
    if problems:
        raise CompileError(*problems)
    if assignment.program is None and plan.tensors.get(targets[-1].tensor, TensorSpec()).dtype is not None:
        declared = _read_widened(declared, assignment, targets[-1].tensor)
    for statement in statements(assignment):
        name = statement.target.tensor
        dtypes = {tensor.name: tensor.computed_dtype for tensor in declared.values()}
        computed = infer_dtype(statement.expression, dtypes)
        if statement.operator in ("|=", "&="):
            computed = "bool"
        explicit = plan.tensors.get(name, TensorSpec()).dtype is not None or assignment.program is not None
        if not explicit and computed is not None:
            declared[name] = replace(declared[name], dtype=computed)
    temporaries = {target.tensor: declared.pop(target.tensor) for target in targets[:-1]}
    return Signature(
        declared, assignment.operator != "=", temporaries, version=plan.version, program=assignment.program
    )


def _read_widened(
    declared: dict[str, TensorSignature], assignment: Assignment, result: str
) -> dict[str, TensorSignature]:
    """Operands computed with in the dtype that the result is declared with, where that is wider: the product of two
    int8 for an int32. Numbers that are compared stay what they are, but for integers: 0.1 as float32 is not 0.1."""
    compared = {name for statement in statements(assignment) for name in _compared(statement.expression)}
    widened = dict(declared)
    for name, tensor in declared.items():
        wide = read_dtype(tensor.dtype, declared[result].dtype)
        exact = name not in compared or {wide, tensor.dtype} <= INTEGERS
        if name != result and wide != tensor.dtype and exact:
            widened[name] = replace(tensor, read_as=wide)
    return widened


def _compared(expression: Expression) -> set[str]:
    """The tensors in comparisons."""
    if isinstance(expression, Binary) and expression.operator in COMPARISONS:
        return {access.tensor for access in accesses(expression)}
    return {name for part in operands_of(expression) for name in _compared(part)}


def _find_operands(assignment: Assignment) -> list[Access]:
    """The operands of a program, also those that its statements do not read."""
    if assignment.program is None:
        return []
    operands = assignment.program.operands.items()
    return [Access(name, tuple(f"{name}_{number}" for number in range(len(shape)))) for name, shape in operands]


def _tensor(
    plan: Plan, access: Access, target: Access, program: Program | None, problems: list[Diagnostic]
) -> TensorSignature | None:
    spec = plan.tensors.get(access.tensor, TensorSpec())
    try:
        layout = parse_format(spec.format or "dense", len(access.indices), access.tensor)
    except CompileError as error:
        problems += error.diagnostics
        return None
    result = access.tensor == target.tensor
    said = program.dtypes.get(access.tensor) if program is not None else None
    if said is not None and spec.dtype not in (None, said):
        problems.append(
            Diagnostic(
                "format/dtype",
                f"the program gives {access.tensor} the type {said}, the plan {spec.dtype}. Leave it out of the plan, "
                f"or change the program.",
                Location(Part.FORMAT, tensor=access.tensor),
                expected=said,
                actual=spec.dtype,
            )
        )
    dtype = spec.dtype or said or "float64"
    return TensorSignature(access.tensor, access.indices, layout, dtype, result, spec.fill)


def check_in_types(plan: Plan, numbers: Sequence[str]) -> None:
    """A program whose types say how its parameters lie in memory: the plan must not say it as well. ``numbers`` are the
    sizes and integers of the program, which a plan may fix.

    Raises
    ------
    CompileError
        ``format/in-types``, for each thing that the types say, and ``plan/unknown-size``.
    """
    problems = [
        Diagnostic(
            "format/in-types",
            f"the type of {name} in the program says how it lies in memory, so the plan's {what} `{said}` would be "
            "ignored. Leave it out of the plan, and write it as a type.",
            Location(Part.FORMAT, tensor=name),
            expected=f"no {what} of {name} in the plan",
            actual=str(said),
        )
        for name, spec in plan.tensors.items()
        if name not in plan.sources  # it lies as the plan says, and the parameter is a part of it
        for what, said, default in (
            ("format", spec.format, None),
            ("dtype", spec.dtype, None),
            ("shape", spec.shape and "×".join(map(str, spec.shape)), None),
            ("fill", spec.fill, 0),
        )
        if said != default
    ]
    problems += [
        Diagnostic(
            "plan/unknown-size",
            f"sizes fixes {name}, which is neither a size nor an integer parameter of the program",
            Location(Part.PLAN, path=f"/sizes/{name}"),
            expected="one of " + ", ".join(numbers) if numbers else "no sizes",
            actual=name,
            candidates=nearest(name, tuple(numbers)),
        )
        for name in plan.sizes
        if name not in numbers
    ]
    if problems:
        raise CompileError(*problems)


def statement_signature(signature: Signature, statement: Assignment) -> Signature:
    """What one statement of a program takes and gives, as if it were the only one."""
    known = {**signature.tensors, **signature.temporaries}
    name = statement.target.tensor
    read = {access.tensor: known[access.tensor] for access in accesses(statement.expression)}
    return Signature({name: replace(known[name], is_result=True), **read}, statement.operator != "=")
