"""How deep terms lie inside one another, chains included: ``x + x + x`` is a tree as deep as it is long, which whoever
walks over it descends into."""

from __future__ import annotations

from heddle.patterns.syntax.limits import MAX_CHAINED
from heddle.patterns.syntax.nodes import (
    Annotated,
    ArrayTerm,
    IndexTerm,
    Lambda,
    PairTypeTerm,
    ScalarTerm,
    Term,
    TypeTerm,
    children,
)
from heddle.patterns.syntax.problem import problem


def check_depth(term: Term) -> None:
    """Raises CompileError ``patterns/too-deep``."""
    pending: list[tuple[Term | TypeTerm, int]] = [(term, 1)]
    while pending:
        node, depth = pending.pop()
        if depth > MAX_CHAINED:
            raise problem(
                "too-deep",
                f"Terms are more than {MAX_CHAINED} levels inside one another, each of a chain of operators being one.",
                node.span,
                expected=f"at most {MAX_CHAINED} levels",
                hint="Name parts of it with let.",
            )
        pending += [(part, depth + 1) for part in _parts(node)]


def _parts(node: Term | TypeTerm) -> tuple[Term | TypeTerm, ...]:
    match node:
        case ScalarTerm():
            return ()
        case IndexTerm(size=size):
            return (size,)
        case PairTypeTerm(first=first, second=second):
            return (first, second)
        case ArrayTerm(element=element, size=size):
            return (element, size)
        case Lambda(annotation=annotation) | Annotated(annotation=annotation) if annotation is not None:
            return (annotation, *children(node))
        case _:
            return children(node)
