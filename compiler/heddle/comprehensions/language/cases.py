"""How many cases the loops of a tensor comprehension will have, told from the text before any work is done: those of
its statements, as in index notation, and a share for each word, of which ranges are inferred."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.comprehensions.language.nodes import Apply, Binary, Definition, Invoke, Node, Source, children, walk
from heddle.notation.cases import of_product

OF_A_WORD = 0.5
"""Cases that take as long as checking one node of an expression, its range included."""


def cases(source: Source, sparse: Mapping[str, int]) -> float:
    """Of the last definition, and as often as it calls them those of the others; ``sparse`` has the sparse levels of
    each tensor."""
    known: dict[str, float] = {}
    for definition in source.definitions:
        known[definition.name] = _of_definition(definition, sparse, known)
    return known[source.definitions[-1].name]


def _of_definition(definition: Definition, sparse: Mapping[str, int], known: Mapping[str, float]) -> float:
    total = 1.0
    for statement in definition.statements:
        if isinstance(statement, Invoke):
            total += known.get(statement.function, 0.0)
        else:
            words = sum(1 for _ in walk(statement.expression)) + len(statement.where)
            total += _cases(statement.expression, sparse) + OF_A_WORD * words
    return total


def _cases(node: Node, sparse: Mapping[str, int]) -> float:
    count = 2.0 * sparse.get(node.name, 0) + 1 if isinstance(node, Apply) else 1.0
    if isinstance(node, Binary) and node.operator == "*":
        return of_product(_cases(node.left, sparse), _cases(node.right, sparse))
    for part in children(node):
        count *= _cases(part, sparse)
    return count
