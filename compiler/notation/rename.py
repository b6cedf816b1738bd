"""Renaming a tensor or an index variable throughout an assignment; used by fixes."""

from __future__ import annotations

from compiler.notation.nodes import Access, Assignment, Expression, Reduce, operands_of, with_operands


def rename_tensor(assignment: Assignment, old: str, new: str) -> Assignment:
    return _rename(assignment, {old: new}, {})


def rename_variable(assignment: Assignment, old: str, new: str) -> Assignment:
    return _rename(assignment, {}, {old: new})


def _rename(assignment: Assignment, tensors: dict[str, str], variables: dict[str, str]) -> Assignment:
    def access(node: Access) -> Access:
        indices = tuple(variables.get(index, index) for index in node.indices)
        return Access(tensors.get(node.tensor, node.tensor), indices)

    def walk(node: Expression) -> Expression:
        match node:
            case Access():
                return access(node)
            case Reduce(operator=operator, variable=variable, operand=operand):
                return Reduce(operator, variables.get(variable, variable), walk(operand))
            case _:
                return with_operands(node, [walk(operand) for operand in operands_of(node)])

    return Assignment(access(assignment.target), assignment.operator, walk(assignment.expression))
