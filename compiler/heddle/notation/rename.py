"""Renaming a tensor or an index variable throughout an assignment; used by fixes."""

from __future__ import annotations

from dataclasses import replace

from heddle.notation.nodes import Access, Assignment, Expression, Literal, Reduce, operands_of, with_operands


def rename_tensor(assignment: Assignment, old: str, new: str) -> Assignment:
    return _rename(assignment, {old: new}, {})


def rename_variable(assignment: Assignment, old: str, new: str) -> Assignment:
    return _rename(assignment, {}, {old: new})


def rename_all(assignment: Assignment, tensors: dict[str, str], variables: dict[str, str]) -> Assignment:
    """Other names for many at once, temporaries and their statements too: a new name may be the old one of another."""
    return _rename(assignment, tensors, variables)


def rename_variables(expression: Expression, variables: dict[str, str]) -> Expression:
    """The expression with other index variables, and without source spans: equal texts are then equal nodes."""
    return _walk(expression, {}, variables)


def _rename(assignment: Assignment, tensors: dict[str, str], variables: dict[str, str]) -> Assignment:
    target = _access(assignment.target, tensors, variables)
    before = tuple(_rename(temporary, tensors, variables) for temporary in assignment.temporaries)
    expression = _walk(assignment.expression, tensors, variables)
    return Assignment(target, assignment.operator, expression, temporaries=before)


def _access(node: Access, tensors: dict[str, str], variables: dict[str, str]) -> Access:
    indices = tuple(variables.get(index, index) for index in node.indices)
    return replace(node, tensor=tensors.get(node.tensor, node.tensor), indices=indices, span=None, index_spans=())


def _walk(node: Expression, tensors: dict[str, str], variables: dict[str, str]) -> Expression:
    match node:
        case Access():
            return _access(node, tensors, variables)
        case Literal():
            return replace(node, span=None)
        case Reduce(operator=operator, variable=variable, operand=operand):
            return Reduce(operator, variables.get(variable, variable), _walk(operand, tensors, variables))
        case _:
            return with_operands(node, [_walk(operand, tensors, variables) for operand in operands_of(node)])
