"""The reads of a statement with the conditions that guard each of them."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.comprehensions.language.nodes import Apply, Binary, Choice, Node, Unary, children

Read = tuple[Apply, tuple[Node, ...]]
"""An access, and what holds where it is read."""


def reads(node: Node, tensors: frozenset[str], guards: tuple[Node, ...] = ()) -> Iterator[Read]:
    """Left to right; inner reads of subscripts come in front of the access that they are in."""
    match node:
        case Choice(condition=condition, then=then, otherwise=otherwise):
            yield from reads(condition, tensors, guards)
            yield from reads(then, tensors, (*guards, condition))
            yield from reads(otherwise, tensors, (*guards, _negate(condition)))
        case Binary(operator="&&", left=left, right=right):
            yield from reads(left, tensors, guards)
            yield from reads(right, tensors, (*guards, left))
        case Binary(operator="||", left=left, right=right):
            yield from reads(left, tensors, guards)
            yield from reads(right, tensors, (*guards, _negate(left)))
        case Apply(name=name, arguments=arguments) if name in tensors:
            for argument in arguments:
                yield from reads(argument, tensors, guards)
            yield node, guards
        case _:
            for part in children(node):
                yield from reads(part, tensors, guards)


def _negate(condition: Node) -> Node:
    """``!condition``, and not the opposite comparison: with NaN neither holds."""
    return Unary("!", condition, condition.span)
