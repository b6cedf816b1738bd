"""``where x = e``: names for expressions of a statement, which take the place of the names. A few lines of them can
spell expressions without end, so that what they make is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heddle.comprehensions.language.limits import MAX_DEPTH, MAX_PARTS
from heddle.comprehensions.language.nodes import Name, Node, children, with_children
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.notation.nodes import Span


def inline(node: Node, lets: Mapping[str, Node]) -> Node:
    """``node`` with what the names of ``lets`` stand for.

    Raises CompileError: ``tc/too-deep`` and ``tc/too-many-parts``."""
    return _go(node, lets, 0, _Counter()) if lets else node


@dataclass(slots=True)
class _Counter:
    nodes: int = 0


def _go(node: Node, lets: Mapping[str, Node], depth: int, counter: _Counter) -> Node:
    counter.nodes += 1
    if depth > MAX_DEPTH:
        raise _refusal(
            "tc/too-deep",
            f"with its names in place, the expression nests more than {MAX_DEPTH} operators",
            node.span,
            f"at most {MAX_DEPTH} nested operators",
        )
    if counter.nodes > MAX_PARTS:
        raise _refusal(
            "tc/too-many-parts",
            f"with its names in place, the expression has more than {MAX_PARTS} parts",
            node.span,
            f"at most {MAX_PARTS} parts",
        )
    if isinstance(node, Name) and node.name in lets:
        others = {name: expression for name, expression in lets.items() if name != node.name}
        return _go(lets[node.name], others, depth, counter)
    return with_children(node, [_go(child, lets, depth + 1, counter) for child in children(node)])


def _refusal(code: str, message: str, span: Span, expected: str) -> CompileError:
    return CompileError(
        Diagnostic(
            code,
            message,
            Location(Part.EXPRESSION, span.start, span.end),
            expected=expected,
            actual="more",
            hint="divide the computation into several statements",
        )
    )
