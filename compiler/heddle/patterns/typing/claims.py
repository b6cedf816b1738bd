"""What types say about data and no proof gives: checked when arguments are bound, never assumed."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.patterns.syntax.nodes import Span
from heddle.symbolic.nodes import At, Length
from heddle.symbolic.walk import arrays_of

Variables = tuple[tuple[str, Length], ...]
"""Positions and the sizes of what they run over, outermost first."""


@dataclass(frozen=True, slots=True)
class AtLeastZero:
    """``length`` is at least 0 for all values of ``variables``; ``array`` is whose length it is, if any's."""

    length: Length
    variables: Variables
    span: Span
    array: str | None = None
    what: str = "a length"


@dataclass(frozen=True, slots=True)
class Equal:
    """``left`` and ``right`` are the same for all values of ``variables``."""

    left: Length
    right: Length
    variables: Variables
    span: Span


@dataclass(frozen=True, slots=True)
class Divides:
    """``divisor`` divides ``length``."""

    divisor: Length
    length: Length
    variables: Variables
    span: Span


@dataclass(frozen=True, slots=True)
class InRange:
    """Every element of the field ``path`` of the parameter ``array`` is in [0, size)."""

    array: str
    path: tuple[int, ...]
    size: Length
    span: Span
    of: str = ""
    """What is indexed, for messages."""


@dataclass(frozen=True, slots=True)
class Permutation:
    """The elements of the parameter ``array`` are 0 to ``size - 1``, each once."""

    array: str
    size: Length
    span: Span


@dataclass(frozen=True, slots=True)
class BeginsAtZero:
    """The first element of the parameter ``array`` is 0, where it has one; ``why`` says who needs it."""

    array: str
    span: Span
    why: str


Claim = AtLeastZero | Equal | Divides | InRange | Permutation | BeginsAtZero


def key(claim: Claim) -> str:
    """What ``claim`` says: two with one key hold of the same arguments. Positions count with what they run over, since
    another loop may have a position of the same name."""
    match claim:
        case AtLeastZero(length=whole, variables=variables):
            return f"zero {whole.key}{_positions(variables)}"
        case Equal(left=left, right=right, variables=variables):
            return f"equal {left.key} {right.key}{_positions(variables)}"
        case Divides(divisor=divisor, length=whole, variables=variables):
            return f"divides {divisor.key} {whole.key}{_positions(variables)}"
        case InRange(array=array, path=path, size=size):
            return f"range {array} {path} {size.key}"
        case Permutation(array=array, size=size):
            return f"permutation {array} {size.key}"
        case BeginsAtZero(array=array):
            return f"begins {array}"
        case _:
            raise TypeError(f"unexpected claim {claim!r}")


def asks_differences(claim: Claim) -> bool:
    """Whether ``claim`` is about two elements of one array, each of which may have the same number more."""
    if not isinstance(claim, AtLeastZero):
        return False
    terms = claim.length.terms
    asked = [monomial[0][0] for monomial, _ in terms if len(monomial) == 1 and isinstance(monomial[0][0], At)]
    return len(terms) == len(asked) == 2 and asked[0].array == asked[1].array and terms[0][1] == -terms[1][1]


def _positions(variables: Variables) -> str:
    return "".join(f" for {name} < {size.key}" for name, size in variables)


def arrays_asked(claim: Claim) -> frozenset[str]:
    """The arrays whose elements the lengths of ``claim`` are made of."""
    match claim:
        case AtLeastZero(length=whole, variables=variables):
            lengths = [whole, *(size for _, size in variables)]
        case Equal(left=left, right=right, variables=variables):
            lengths = [left, right, *(size for _, size in variables)]
        case Divides(divisor=divisor, length=whole, variables=variables):
            lengths = [divisor, whole, *(size for _, size in variables)]
        case InRange(size=size) | Permutation(size=size):
            lengths = [size]
        case BeginsAtZero(array=array):
            return frozenset((array,))
        case _:
            raise TypeError(f"unexpected claim {claim!r}")
    return frozenset(name for length in lengths for name in arrays_of(length))
