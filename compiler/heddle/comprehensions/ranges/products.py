"""Ranges that no sum of multiples of sizes bounds."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.checks.resolved import Resolved
from heddle.comprehensions.language.nodes import Binary, Name, Node, walk
from heddle.diagnostics import Severity


def note_products(names: Resolved, fixed: Mapping[str, int], problems: Problems) -> None:
    """Says of each ``where`` whose bound is a product of sizes that are not ``fixed`` what becomes of it."""
    for step in names.steps:
        for variable, clause in step.explicit.items():
            parts = (part for bound in (clause.lower, clause.upper) for part in walk(bound))
            product = next((part for part in parts if _of_two_sizes(part, fixed)), None)
            if product is not None:
                text = problems.text[product.span.start : product.span.end]
                problems.note(
                    "tc/where-product",
                    f"{text} is not a sum of multiples of sizes: what is not proved of the range of {variable} is "
                    f"checked at the call",
                    product.span,
                    Severity.NOTE,
                )


def _of_two_sizes(node: Node, fixed: Mapping[str, int]) -> bool:
    """A product, quotient or remainder of which both sides are known at the call alone."""
    match node:
        case Binary(operator="*" | "/" | "%", left=left, right=right):
            return all(
                any(isinstance(part, Name) and part.name not in fixed for part in walk(side)) for side in (left, right)
            )
        case _:
            return False
