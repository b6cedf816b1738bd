"""The type of each expression: what is written takes the type of what it meets (docs/sources.toml C7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heddle.comprehensions.language.builtins import builtin
from heddle.comprehensions.language.nodes import (
    Apply,
    Binary,
    Cast,
    Choice,
    Extent,
    Name,
    Node,
    Number,
    Unary,
)
from heddle.comprehensions.language.scalars import is_float, match_types

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LOGICAL = ("&&", "||")


@dataclass(frozen=True, slots=True)
class Weak:
    """A written number, or what is computed of one and integers: it takes the type of what it meets, alone it is a
    ``float`` or an ``int``. One that is not ``floating`` is made of written numbers alone."""

    floating: bool


Typed = str | Weak
Seen = dict[int, tuple[Node, Typed]]
"""The types of nodes, by the identity of each, which is kept so that no other one takes it."""


def settle_type(typed: Typed) -> str:
    """The type of a value that meets nothing else."""
    if isinstance(typed, Weak):
        return "float32" if typed.floating else "int32"
    return typed


def settled_in(typed: Typed, around: str) -> Typed:
    """The type of a value that is brought to ``around``: what written numbers have a say in is computed in it."""
    return around if isinstance(typed, Weak) and typed.floating and is_float(around) else typed


def promote(left: Typed, right: Typed) -> Typed:
    """The type that two values are brought to."""
    if isinstance(left, Weak) and isinstance(right, Weak):
        return Weak(left.floating or right.floating)
    if isinstance(left, Weak) or isinstance(right, Weak):
        weak, strong = (left, right) if isinstance(left, Weak) else (right, left)
        assert isinstance(weak, Weak)
        assert isinstance(strong, str)
        if weak.floating:
            return strong if is_float(strong) else weak
        return settle_type(weak) if strong == "bool" else strong
    return match_types(left, right)


def type_of(node: Node, types: Mapping[str, str], seen: Seen | None = None) -> Typed:
    """``types`` has those of all tensors; other names are index variables and sizes, which are ``int``. ``seen`` has
    what was found of the nodes of one program already."""
    if seen is None:
        return _type_of(node, types, None)
    entry = seen.get(id(node))
    if entry is None:
        entry = seen[id(node)] = node, _type_of(node, types, seen)
    return entry[1]


def _type_of(node: Node, types: Mapping[str, str], seen: Seen | None) -> Typed:
    match node:
        case Number(value=value):
            return Weak(isinstance(value, float))
        case Name(name=name):
            return types.get(name, "int32")
        case Extent():
            return "int32"
        case Apply(name=name, arguments=arguments):
            if name in types:
                return types[name]
            known = builtin(name)
            whole: Typed = Weak(False)
            for argument in arguments:
                whole = promote(whole, type_of(argument, types, seen))
            if known is not None and known.keeps:
                return whole
            return whole if not isinstance(whole, Weak) and is_float(whole) else Weak(True)
        case Cast(dtype=dtype):
            return dtype
        case Unary(operator="!"):
            return "bool"
        case Unary(operand=operand):
            inner = type_of(operand, types, seen)
            return "int32" if inner == "bool" else inner
        case Binary(operator=operator) if operator in COMPARISONS or operator in LOGICAL:
            return "bool"
        case Binary(left=left, right=right):
            both = promote(type_of(left, types, seen), type_of(right, types, seen))
            return "int32" if both == "bool" else both
        case Choice(then=then, otherwise=otherwise):
            return promote(type_of(then, types, seen), type_of(otherwise, types, seen))
        case _:
            raise TypeError(f"unexpected node {node!r}")
