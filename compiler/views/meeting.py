"""How the paths of several tensors meet at a variable of the iteration graph: ∩ or ∪ (FEATURES T5)."""

from __future__ import annotations

from typing import Literal

from compiler.iteration_graph.nodes import Statement
from compiler.iteration_graph.provenance import assignments
from compiler.notation.nodes import Access, Binary, Expression, Unary
from compiler.notation.nodes import Literal as Number

Meeting = Literal["∩", "∪"]


def meeting(loop: Statement, variable: str) -> Meeting | None:
    """∪ when some tensors at ``variable`` are added, ∩ when they are only multiplied, None when fewer than two meet."""
    written = {assign.target.tensor: assign.expression for _, assign in assignments(loop)}
    result = assignments(loop)[-1][1].target.tensor
    count, united = _paths(written[result], variable, {k: v for k, v in written.items() if k != result})
    return None if count < 2 else "∪" if united else "∩"


def _paths(expression: Expression, variable: str, workspaces: dict[str, Expression]) -> tuple[int, bool]:
    """How many paths reach the variable, and whether any of them are added; a workspace stands for its producer."""
    match expression:
        case Access(tensor=tensor) if tensor in workspaces:
            return _paths(workspaces[tensor], variable, {k: v for k, v in workspaces.items() if k != tensor})
        case Access(indices=indices):
            return int(variable in indices), False
        case Number():
            return 0, False
        case Unary(operand=operand):
            return _paths(operand, variable, workspaces)
        case Binary(operator=operator, left=left, right=right):
            a, b = _paths(left, variable, workspaces), _paths(right, variable, workspaces)
            added = operator in "+-" and a[0] > 0 and b[0] > 0
            return a[0] + b[0], a[1] or b[1] or added
        case _:
            raise TypeError(f"unexpected node {expression!r}")
