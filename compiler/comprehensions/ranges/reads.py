"""The reads of a statement with the conditions that guard each of them."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.comprehensions.language.nodes import Apply, Binary, Choice, Node, Unary, children

Read = tuple[Apply, tuple[Node, ...], bool]
"""An access, what holds where it is read, and whether it stands in a subscript."""


def reads(node: Node, tensors: frozenset[str], guards: tuple[Node, ...] = ()) -> Iterator[Read]:
    """Left to right; inner reads of subscripts come in front of the access that they are in."""
    match node:
        case Choice(condition=condition, then=then, otherwise=otherwise):
            yield from reads(condition, tensors, guards)
            yield from reads(then, tensors, (*guards, condition))
            yield from reads(otherwise, tensors, (*guards, *negated(condition)))
        case Binary(operator="&&", left=left, right=right):
            yield from reads(left, tensors, guards)
            yield from reads(right, tensors, (*guards, left))
        case Binary(operator="||", left=left, right=right):
            yield from reads(left, tensors, guards)
            yield from reads(right, tensors, (*guards, *negated(left)))
        case Apply(name=name, arguments=arguments) if name in tensors:
            for argument in arguments:
                yield from reads(argument, tensors, guards)
            yield node, guards, False
        case _:
            for part in children(node):
                yield from reads(part, tensors, guards)


_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def negated(condition: Node) -> tuple[Node, ...]:
    """What holds where ``condition`` does not."""
    match condition:
        case Binary(operator=operator, left=left, right=right) if operator in _OPPOSITE:
            return (Binary(_OPPOSITE[operator], left, right),)
        case Binary(operator="||", left=left, right=right):
            return (*negated(left), *negated(right))
        case Unary(operator="!", operand=operand):
            return (operand,)
        case _:
            return (Unary("!", condition),)
