"""Functions that take long, computed once where several statements of a row compute the same."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments
from heddle.notation.nodes import Call, Expression, coordinate_variables, operands_of, variables_in
from heddle.notation.printer import to_text
from heddle.tuning.mapping.writer import Writer

COSTLY = frozenset({"exp", "expm1", "log", "log1p", "pow", "sin", "cos", "tan", "tanh", "sigmoid"})
"""Functions beside which a load and a store are little: an exponential in lanes takes a nanosecond."""


_REASON = "What takes long to compute of a row is kept for the statements behind that need it again."


def compute_once(writer: Writer) -> None:
    """Keeps the values of a row where a statement behind, in the same row, needs them again."""
    while _precompute_shared_part(writer):
        writer.reasons[_REASON] = None


def _precompute_shared_part(writer: Writer) -> bool:
    graph, commands, before = writer.graph, list(writer.commands), _costs(writer.graph)
    assigns = assignments(graph.statement)
    for number, (path, assign) in enumerate(assigns):
        for part in _costly(assign.expression):
            for behind, _ in assigns[number + 1 :]:
                shared = sum(1 for a, b in zip(path, behind, strict=False) if a == b)
                used = {
                    loop
                    for variable in variables_in(part, graph.signature.program)
                    for loop in coordinate_variables(variable, graph.signature.program)
                }
                over = [loop for loop in path[shared:] if loop in used]
                if not shared or not over:
                    continue
                name, *copies = writer.fresh("E", *(f"{loop}e" for loop in over))
                loop_lists = f"{{{', '.join(over)}}}, {{{', '.join(copies)}}}"
                if writer.try_commands(f"precompute({to_text(part)}, {loop_lists}, {name})") is not None:
                    continue
                if _costs(writer.graph) < before:
                    return True
                writer.graph, writer.commands = graph, list(commands)  # nobody else computes it
    return False


def _costs(graph: IterationGraph) -> int:
    return sum(len([*_costly(assign.expression)]) for _, assign in assignments(graph.statement))


def _costly(expression: Expression) -> Iterator[Call]:
    """The outermost of them."""
    if isinstance(expression, Call) and expression.function in COSTLY:
        yield expression
        return
    for part in operands_of(expression):
        yield from _costly(part)
