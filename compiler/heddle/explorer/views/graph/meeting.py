"""How the paths of several tensors meet at a variable of the iteration graph: ∩ or ∪ (docs/sources.toml T5)."""

from __future__ import annotations

from typing import Literal

from heddle.iteration_graph.graph.nodes import Statement
from heddle.iteration_graph.graph.provenance import assignments
from heddle.notation.nodes import Access, Binary, Expression, operands_of

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
        case _:
            paths = [_paths(part, variable, workspaces) for part in operands_of(expression)]
            together = sum(count > 0 for count, _ in paths) > 1
            multiplied = isinstance(expression, Binary) and expression.operator in "*/"
            united = any(united for _, united in paths) or (together and not multiplied)
            return sum(count for count, _ in paths), united
