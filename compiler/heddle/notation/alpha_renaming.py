"""Index variables belong to one statement: what two statements call ``i`` are two loops, and need two names."""

from __future__ import annotations

from dataclasses import replace

from heddle.names import Names
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Call,
    Expression,
    Literal,
    Reduce,
    Unary,
    accesses,
    index_variables,
    statements,
)


def rename_apart(assignment: Assignment) -> Assignment:
    """The same statements, with spans, in which no two share an index variable: the first that uses ``i`` keeps it,
    the next one gets ``i2``."""
    if not assignment.temporaries:
        return assignment
    names = Names({*index_variables(assignment), *_tensors(assignment)})
    reserved: set[str] = set()
    renamed: list[Assignment] = []
    for statement in statements(assignment):
        variables = index_variables(statement)
        apart = {variable: names.fresh(variable) if variable in reserved else variable for variable in variables}
        reserved |= set(apart.values())
        target = _access(statement.target, apart)
        renamed.append(replace(statement, target=target, expression=_walk(statement.expression, apart)))
    return replace(renamed[-1], temporaries=tuple(renamed[:-1]))


def ties(assignment: Assignment) -> dict[str, str]:
    """For each index variable of a program renamed apart the variable that stands for all of its size: those with which
    a temporary is written and read. Where one of them indexes an operand or the result, it is such a one."""
    temporaries = {statement.target.tensor: statement.target for statement in assignment.temporaries}
    group = {variable: variable for variable in index_variables(assignment)}
    outside = dict.fromkeys(assignment.target.indices)
    for statement in statements(assignment):
        for access in accesses(statement.expression):
            if access.tensor not in temporaries:
                outside.update(dict.fromkeys(access.indices))
                continue
            for target_index, other in zip(
                temporaries[access.tensor].indices, access.indices, strict=False
            ):  # check() reports other orders
                first, second = group[target_index], group[other]
                group = {
                    variable: first if representative == second else representative
                    for variable, representative in group.items()
                }
    chosen: dict[str, str] = {}
    for variable in outside:
        chosen.setdefault(group[variable], variable)
    return {variable: chosen.get(representative, representative) for variable, representative in group.items()}


def _tensors(assignment: Assignment) -> set[str]:
    operands = [access for statement in statements(assignment) for access in accesses(statement.expression)]
    return {access.tensor for access in (*operands, *(statement.target for statement in statements(assignment)))}


def _access(access: Access, names: dict[str, str]) -> Access:
    return replace(access, indices=tuple(names[index] for index in access.indices))


def _walk(node: Expression, names: dict[str, str]) -> Expression:
    match node:
        case Access():
            return _access(node, names)
        case Literal():
            return node
        case Unary(operand=operand):
            return replace(node, operand=_walk(operand, names))
        case Binary(left=left, right=right):
            return replace(node, left=_walk(left, names), right=_walk(right, names))
        case Call(arguments=arguments):
            return replace(node, arguments=tuple(_walk(argument, names) for argument in arguments))
        case Reduce(variable=variable, operand=operand):
            return replace(node, variable=names[variable], operand=_walk(operand, names))
        case _:
            raise TypeError(f"unexpected node {node!r}")
