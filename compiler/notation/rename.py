"""Renaming a tensor or an index variable throughout an assignment; used by fixes."""

from __future__ import annotations

from compiler.notation.nodes import Access, Assignment, Binary, Expression, Literal, Unary


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
            case Literal():
                return node
            case Unary(operator=operator, operand=operand):
                return Unary(operator, walk(operand))
            case Binary(operator=operator, left=left, right=right):
                return Binary(operator, walk(left), walk(right))
            case _:
                raise TypeError(f"unexpected node {node!r}")

    return Assignment(access(assignment.target), assignment.operator, walk(assignment.expression))
