"""Types of data: scalars, positions, pairs, and arrays whose element type may depend on the position, in lengths alone
(Pizzuti et al. 2020, §3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heddle.symbolic.equal import equal
from heddle.symbolic.facts import NOTHING, Facts
from heddle.symbolic.nodes import Length, Name, of_atom
from heddle.symbolic.printer import to_text as length_text
from heddle.symbolic.rewrite import substitute
from heddle.symbolic.walk import free_names


@dataclass(frozen=True, slots=True)
class Scalar:
    """``dtype`` is a NumPy name."""

    dtype: str


@dataclass(frozen=True, slots=True)
class Index:
    """An int in [0, size)."""

    size: Length

    @property
    def dtype(self) -> str:
        return "int32"


@dataclass(frozen=True, slots=True)
class Pair:
    first: Type
    second: Type


@dataclass(frozen=True, slots=True)
class ArrayType:
    """``size`` elements; the lengths in ``element`` may depend on ``variable``, the position."""

    size: Length
    element: Type
    variable: str = "_"

    @property
    def ragged(self) -> bool:
        """Whether the type of its elements depends on where they are."""
        return self.variable in names_of(self.element)


Type = Scalar | Index | Pair | ArrayType

SCALARS = {
    "float": "float32",
    "double": "float64",
    "int": "int32",
    "long": "int64",
    **{name: name for name in ("float32", "float64", "int8", "int16", "int32", "int64", "bool")},
    **{f"u{name}": f"u{name}" for name in ("int8", "int16", "int32", "int64")},
}
"""Words for scalars; those of C have the width that they have in OpenCL."""

_WORDS = {"float32": "float", "float64": "double", "int32": "int", "int64": "long"}


def to_text(type: Type) -> str:
    match type:
        case Scalar(dtype=dtype):
            return _WORDS.get(dtype, dtype)
        case Index(size=size):
            return f"idx({length_text(size)})"
        case Pair(first=first, second=second):
            return f"({to_text(first)}, {to_text(second)})"
        case ArrayType(size=size, element=element, variable=variable):
            text = length_text(size)
            plain = isinstance(size.atom, Name) or size.constant is not None
            inside = f"{variable} -> {to_text(element)}" if type.ragged else to_text(element)
            return f"[{inside}]_{text if plain else '{' + text + '}'}"
        case _:
            raise TypeError(f"unexpected type {type!r}")


def names_of(type: Type) -> frozenset[str]:
    """The names that its lengths depend on."""
    match type:
        case Scalar():
            return frozenset()
        case Index(size=size):
            return free_names(size)
        case Pair(first=first, second=second):
            return names_of(first) | names_of(second)
        case ArrayType(size=size, element=element, variable=variable):
            return free_names(size) | (names_of(element) - {variable})
        case _:
            raise TypeError(f"unexpected type {type!r}")


def with_lengths(type: Type, values: Mapping[str, Length], facts: Facts = NOTHING) -> Type:
    """``type`` with ``values`` in the place of names."""
    match type:
        case Scalar():
            return type
        case Index(size=size):
            return Index(substitute(size, values, facts))
        case Pair(first=first, second=second):
            return Pair(with_lengths(first, values, facts), with_lengths(second, values, facts))
        case ArrayType(size=size, element=element, variable=variable):
            inner = {name: value for name, value in values.items() if name != variable}
            if any(variable in free_names(value) for value in inner.values()):
                fresh = f"{variable}'"
                element, variable = with_lengths(element, {variable: of_atom(Name(fresh))}), fresh
            return ArrayType(substitute(size, values, facts), with_lengths(element, inner, facts), variable)
        case _:
            raise TypeError(f"unexpected type {type!r}")


def element_at(type: ArrayType, place: Length, facts: Facts = NOTHING) -> Type:
    """The type of the element at ``place``."""
    return with_lengths(type.element, {type.variable: place}, facts)


def same(left: Type, right: Type, facts: Facts = NOTHING) -> bool:
    """Whether they are the same type: all lengths are equal."""
    match left, right:
        case Scalar(), Scalar():
            return left == right
        case Index(), Index():
            return equal(left.size, right.size, facts)
        case ((Scalar() | Index()), (Scalar() | Index())):
            return left.dtype == right.dtype
        case Pair(), Pair():
            return same(left.first, right.first, facts) and same(left.second, right.second, facts)
        case ArrayType(), ArrayType():
            if not equal(left.size, right.size, facts):
                return False
            place = of_atom(Name(f"{left.variable}''"))
            inside = facts.assume_range(f"{left.variable}''", 0, left.size - 1)
            return same(element_at(left, place), element_at(right, place), inside)
        case _:
            return False
