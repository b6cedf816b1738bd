"""Subscripts and bounds as lengths over sizes and index variables (docs/sources.md C5, C7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compiler.comprehensions.language.nodes import Apply, Binary, Cast, Choice, Extent, Name, Node, Number, Unary
from compiler.comprehensions.language.scalars import is_integer
from compiler.lengths.build import compare, cond, floor_div, maximum, minimum, mod
from compiler.lengths.nodes import Length, Opaque, Test, length, of_atom
from compiler.lengths.nodes import Name as Named
from compiler.lengths.walk import all_atoms, free_names

Dimension = Callable[[str, int], Length]
"""The size of a dimension of a tensor."""


def as_length(node: Node, fixed: Mapping[str, int], dimension: Dimension, spelled: Callable[[Node], str]) -> Length:
    """``node`` as a length; what is no formula of sizes and index variables is opaque."""

    def go(one: Node) -> Length:
        match one:
            case Number(value=int() as value):
                return length(value)
            case Name(name=name):
                return length(fixed[name]) if name in fixed else length(name)
            case Extent(tensor=tensor, dimension=number):
                return dimension(tensor, number)
            case Unary(operator="-", operand=operand):
                return -go(operand)
            case Binary(operator="+", left=left, right=right):
                return go(left) + go(right)
            case Binary(operator="-", left=left, right=right):
                return go(left) - go(right)
            case Binary(operator="*", left=left, right=right):
                return go(left) * go(right)
            case Binary(operator="/" | "%" as operator, left=left, right=right):
                by = go(right)
                if by.constant is not None and by.constant <= 0:
                    return of_atom(Opaque(spelled(one)))
                return floor_div(go(left), by) if operator == "/" else mod(go(left), by)
            case Apply(name="min" | "max" as name, arguments=(first, second)):
                return (minimum if name == "min" else maximum)(go(first), go(second))
            case Choice(condition=condition, then=then, otherwise=otherwise):
                test = as_tests(condition, go)
                if len(test) == 1:
                    return cond(test[0], go(then), go(otherwise))
                return of_atom(Opaque(spelled(one)))
            case Cast(dtype=dtype, operand=operand) if is_integer(dtype):
                return go(operand)
            case _:
                return of_atom(Opaque(spelled(one)))

    return go(node)


def as_tests(condition: Node, go: Callable[[Node], Length]) -> list[Test]:
    """Comparisons that hold where ``condition`` does: all of them where it is a conjunction of such."""
    match condition:
        case Binary(operator="&&", left=left, right=right):
            return as_tests(left, go) + as_tests(right, go)
        case Binary(operator="<" | "<=" | ">" | ">=" | "==" | "!=" as operator, left=left, right=right):
            return [compare(operator, go(left), go(right))]
        case _:
            return []


def coefficients(subscript: Length, variables: tuple[str, ...]) -> dict[str, int] | None:
    """The factor of each index variable of an affine subscript; None where it is no such."""
    if any(isinstance(atom, Opaque) for atom in all_atoms(subscript)):
        return None
    found: dict[str, int] = {}
    for monomial, coefficient in subscript.terms:
        for atom, power in monomial:
            if isinstance(atom, Named) and atom.name in variables:
                if len(monomial) > 1 or power > 1:
                    return None
                found[atom.name] = int(coefficient)
            elif not isinstance(atom, Named) and free_names(of_atom(atom)) & set(variables):
                return None
    return found


def is_opaque(subscript: Length) -> bool:
    """Whether elements of tensors have a say in it."""
    return any(isinstance(atom, Opaque) for atom in all_atoms(subscript))
