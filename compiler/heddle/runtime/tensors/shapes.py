"""Sizes of index variables from the operands' shapes: every access must agree, and the result's shape follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.notation.alpha_renaming import ties
from heddle.notation.nodes import Access, Assignment, accesses, statements

Shape = tuple[int, ...]


def variable_sizes(
    assignment: Assignment, shapes: Mapping[str, Shape], declared: Mapping[str, Shape] | None = None
) -> dict[str, int]:
    """The size of each index variable.

    Parameters
    ----------
    shapes
        of the operands that are there.
    declared
        shapes that the Plan demands; they must hold for the operands, and give the result's sizes that no operand has.

    Raises
    ------
    CompileError
        ``runtime/shape-mismatch`` when two tensors disagree, ``runtime/order-mismatch``.
    """
    declared = declared or {}
    sizes: dict[str, tuple[int, Access, int]] = {}
    seen: dict[tuple[str, ...], None] = {}
    same = ties(assignment)
    for access in _all_accesses(assignment):
        shape = shapes.get(access.tensor, declared.get(access.tensor))
        if shape is None or (access.tensor, *access.indices) in seen:
            continue
        seen[(access.tensor, *access.indices)] = None
        if len(shape) != len(access.indices):
            raise order_mismatch(access, shape)
        _as_declared(access, shape, declared)
        for dimension, (variable, size) in enumerate(zip(access.indices, shape, strict=True)):
            known = sizes.setdefault(same[variable], (size, access, dimension))
            if known[0] != size:
                raise _mismatch(variable, (size, access, dimension), known)
    return {variable: sizes[representative][0] for variable, representative in same.items() if representative in sizes}


def _all_accesses(assignment: Assignment) -> list[Access]:
    """Statement by statement: what is read, then what is assigned."""
    all_accesses: list[Access] = []
    for statement in statements(assignment):
        all_accesses += [*accesses(statement.expression), statement.target]
    return all_accesses


def result_shape(assignment: Assignment, sizes: Mapping[str, int]) -> Shape:
    """The result's shape.

    Raises
    ------
    CompileError
        ``runtime/unknown-size`` for a result variable that no operand has and no shape declares.
    """
    target = assignment.target
    for variable in target.indices:
        if variable not in sizes:
            raise OperandError(
                Diagnostic(
                    code="runtime/unknown-size",
                    message=f"The size of {variable} in {spell(target)} is unknown: no operand has a dimension "
                    f"{variable}.",
                    location=Location(Part.INPUT, tensor=target.tensor),
                    expected=f"a shape for {target.tensor}",
                    hint=f'Give it in the plan: "tensors": {{"{target.tensor}": {{"shape": [...]}}}}, '
                    f'or with shapes={{"{target.tensor}": (...)}}.',
                )
            )
    return tuple(sizes[variable] for variable in target.indices)


def order_mismatch(access: Access, shape: Shape) -> OperandError:
    """An operand with another number of dimensions than the expression gives it."""
    expected, actual = len(access.indices), len(shape)
    return OperandError(
        Diagnostic(
            code="runtime/order-mismatch",
            message=f"{spell(access)} has {_count(expected, 'dimension')}, but the operand has {actual}"
            + (f": its shape is {_times(shape)}." if shape else " (a number)."),
            location=Location(Part.INPUT, tensor=access.tensor),
            expected=_count(expected, "dimension"),
            actual=_count(actual, "dimension"),
        )
    )


def _as_declared(access: Access, shape: Shape, declared: Mapping[str, Shape]) -> None:
    demanded = declared.get(access.tensor)
    if demanded is None or demanded == shape:
        return
    raise OperandError(
        Diagnostic(
            code="runtime/shape-mismatch",
            message=f"{spell(access)} is {_times(shape)}, but the plan says {_times(demanded)}.",
            location=Location(Part.INPUT, tensor=access.tensor),
            expected=_times(demanded),
            actual=_times(shape),
            hint=f"Change the shape of {access.tensor} in the plan, or leave it out to use that of the input.",
        )
    )


def _mismatch(variable: str, new: tuple[int, Access, int], known: tuple[int, Access, int]) -> OperandError:
    first, second = (known, new) if len(known[1].indices) <= len(new[1].indices) else (new, known)
    return OperandError(
        Diagnostic(
            code="runtime/shape-mismatch",
            message=f"{spell(first[1])} has {_extent(*first)} but {spell(second[1])} has {_extent(*second)} along "
            f"{variable}.",
            location=Location(Part.INPUT, tensor=new[1].tensor),
            expected=f"the same size along {variable}",
            actual=f"{first[0]} and {second[0]}",
            hint=f"All dimensions with the index variable {variable} must have the same size.",
        )
    )


def _extent(size: int, access: Access, dimension: int) -> str:
    """``6 columns``, in the words that fit the order of the tensor."""
    match len(access.indices), dimension:
        case 1, _:
            noun = ("entry", "entries")
        case 2, 0:
            noun = ("row", "rows")
        case 2, 1:
            noun = ("column", "columns")
        case _:
            return f"size {size} in dimension {dimension + 1}"
    return f"{size} {noun[size != 1]}"


def spell(access: Access) -> str:
    """``A(i,j)``."""
    return f"{access.tensor}({','.join(access.indices)})" if access.indices else access.tensor


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _times(shape: Iterable[int]) -> str:
    return " × ".join(map(str, shape)) or "a scalar"
