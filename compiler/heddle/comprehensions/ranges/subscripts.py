"""Integer formulas: subscripts, bounds and conditions as lengths over sizes and index variables (docs/sources.toml C5,
C7).

What is a formula is computed exactly, with 64 bits, by the kernel and at the call, so that what is proved of it holds.
Everything else is opaque: elements of tensors, floats, casts that may lose something. Nothing follows from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heddle.comprehensions.checks.typing import COMPARISONS, LOGICAL, settle_type, type_of
from heddle.comprehensions.language.limits import MAX_EXTREMES, MAX_PARTS
from heddle.comprehensions.language.nodes import Apply, Binary, Cast, Choice, Extent, Name, Node, Number, Unary
from heddle.comprehensions.language.scalars import is_integer
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.symbolic.build import compare, cond, floor_div, maximum, minimum, mod
from heddle.symbolic.nodes import Length, Max, Min, Opaque, Test, length, of_atom
from heddle.symbolic.nodes import Name as Named
from heddle.symbolic.walk import all_atoms, free_names

Dimension = Callable[[str, int], Length]
"""The size of a dimension of a tensor."""

_OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", "<": ">="}


@dataclass(frozen=True, slots=True)
class Terms:
    """What names stand for in formulas. ``fixed`` are known sizes and integers, ``types`` those of all tensors, of
    which ``integers`` are integer parameters; other names are index variables and sizes. ``spelled`` is the text of a
    node."""

    fixed: Mapping[str, int]
    types: Mapping[str, str]
    integers: frozenset[str]
    dimension: Dimension
    spelled: Callable[[Node], str]


@dataclass(frozen=True, slots=True)
class Formula:
    """``exact``: nothing opaque stood in the text, not even where it cancels out of ``whole``."""

    whole: Length
    exact: bool


def as_length(node: Node, terms: Terms) -> Length:
    """``node`` as a length, with opaque parts for what is no formula of sizes and index variables.

    Raises CompileError: ``tc/too-many-parts`` for a formula that is too large once it is multiplied out."""
    return formula(node, terms).whole


def formula(node: Node, terms: Terms) -> Formula:
    """The same, and whether it is exact."""
    reader = _Reader(terms)
    whole = reader.length(node)
    return Formula(whole, reader.exact)


@dataclass(slots=True)
class _Reader:
    terms: Terms
    exact: bool = True

    def length(self, node: Node) -> Length:
        go, terms = self.length, self.terms
        match node:
            case Number(value=int() as value):
                return length(value)
            case Name(name=name) if name in terms.fixed:
                return length(terms.fixed[name])
            case Name(name=name) if name not in terms.types or name in terms.integers:
                return length(name)
            case Extent(tensor=tensor, dimension=number):
                return terms.dimension(tensor, number)
            case Unary(operator="-", operand=operand):
                return -go(operand)
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                return go(left) + go(right) if operator == "+" else go(left) - go(right)
            case Binary(operator="*", left=left, right=right):
                return _product(go(left), go(right), node)
            case Binary(operator="/" | "%" as operator, left=left, right=right):
                above, by = go(left), go(right)
                if by.constant is not None and by.constant <= 0:
                    return self._opaque(node)
                return floor_div(above, by) if operator == "/" else mod(above, by)
            case Apply(name="min" | "max" as name, arguments=(first, second)):
                return _extreme(name, go(first), go(second), node)
            case Choice(condition=condition, then=then, otherwise=otherwise):
                truth = self.truth(condition)
                return self._opaque(node) if truth is None else cond(truth, go(then), go(otherwise))
            case Binary(operator=operator) if operator in COMPARISONS or operator in LOGICAL:
                return self._number(node)
            case Unary(operator="!"):
                return self._number(node)
            case Cast(dtype=dtype, operand=operand) if _keeps(settle_type(type_of(operand, terms.types)), dtype):
                return go(operand)
            case _:
                return self._opaque(node)

    def truth(self, condition: Node) -> Test | None:
        """The one comparison that says the same; None where something opaque has a say in it."""
        match condition:
            case Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
                test = compare(operator, self.length(left), self.length(right))
            case Unary(operator="!", operand=operand):
                inner = self.truth(operand)
                return None if inner is None else opposite(inner)
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                truth, two = self.truth(left), self.truth(right)
                if truth is None or two is None:
                    return None
                both = (cond(two, 1, 0), 0) if operator == "&&" else (1, cond(two, 1, 0))
                test = Test("!=", cond(truth, *both))
            case _:
                test = Test("!=", self.length(condition))
        return _small(test, condition) if self.exact else None

    def _number(self, condition: Node) -> Length:
        truth = self.truth(condition)
        return self._opaque(condition) if truth is None else cond(truth, 1, 0)

    def _opaque(self, node: Node) -> Length:
        self.exact = False
        return of_atom(Opaque(self.terms.spelled(node)))


def imply(condition: Node, terms: Terms, holds: bool = True) -> list[Test]:
    """Comparisons of exact formulas that are true wherever ``condition`` is (or, without ``holds``, is not). Conditions
    over floats or elements of tensors say nothing: of a comparison with NaN, the opposite does not hold either."""
    match condition:
        case Unary(operator="!", operand=operand):
            return imply(operand, terms, not holds)
        case Binary(operator="&&" | "||" as operator, left=left, right=right):
            if (operator == "&&") == holds:
                return imply(left, terms, holds) + imply(right, terms, holds)
            return []
        case _:
            test = _Reader(terms).truth(condition)
            if test is None:
                return []
            return [test if holds else opposite(test)]


def opposite(test: Test) -> Test:
    return Test(_OPPOSITE[test.operator], test.difference)


def _keeps(source: str, target: str) -> bool:
    """Whether a cast between these types changes no value that a formula has: index variables and sizes are ``int``."""
    narrow = ("bool", "int8", "uint8", "int16", "uint16", "int32")
    return is_integer(target) and (
        (target == "int32" and source in narrow) or (target == "int64" and source in (*narrow, "uint32", "int64"))
    )


def _product(left: Length, right: Length, node: Node) -> Length:
    if len(left.terms) * len(right.terms) > MAX_PARTS:
        raise _too_many(node, f"multiplied out, it has more than {MAX_PARTS} parts", f"at most {MAX_PARTS} parts")
    return left * right


def _extreme(name: str, left: Length, right: Length, node: Node) -> Length:
    operands = sum(len(side.operands) if isinstance(side, Min | Max) else 1 for side in (left.atom, right.atom))
    if operands > MAX_EXTREMES:
        raise _too_many(node, f"its {name} compares more than {MAX_EXTREMES} values", f"at most {MAX_EXTREMES} values")
    return (minimum if name == "min" else maximum)(left, right)


def _small(test: Test, node: Node) -> Test:
    if len(test.difference.key) > 16 * MAX_PARTS:
        raise _too_many(node, "written out, its condition is too large", f"at most {MAX_PARTS} parts")
    return test


def _too_many(node: Node, why: str, expected: str) -> CompileError:
    return CompileError(
        Diagnostic(
            "tc/too-many-parts",
            f"the formula is too large to reason about: {why}",
            Location(Part.EXPRESSION, node.span.start, node.span.end),
            expected=expected,
            actual="more",
            hint="divide the computation into several statements",
        )
    )


def coefficients(subscript: Length, variables: tuple[str, ...]) -> dict[str, int] | None:
    """The factor of each index variable of an affine subscript; None where it is no such."""
    if is_opaque(subscript):
        return None
    factors: dict[str, int] = {}
    for monomial, coefficient in subscript.terms:
        for atom, power in monomial:
            if isinstance(atom, Named) and atom.name in variables:
                if len(monomial) > 1 or power > 1:
                    return None
                factors[atom.name] = int(coefficient)
            elif not isinstance(atom, Named) and free_names(of_atom(atom)) & set(variables):
                return None
    return factors


def is_opaque(subscript: Length) -> bool:
    """Whether elements of tensors have a say in it."""
    return any(isinstance(atom, Opaque) for atom in all_atoms(subscript))
