"""What a program of patterns reads, with names for positions: scalars as expressions of index notation, arrays as what
they have at a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heddle.notation.nodes import Expression
from heddle.patterns.syntax.nodes import Lambda, NatLambda, Term


@dataclass(frozen=True, slots=True)
class Over:
    """What a position counts: the entries of row ``row`` of ``tensor``."""

    tensor: str
    row: str


@dataclass(frozen=True, slots=True)
class Index:
    """A position called ``name``; ``over`` where it counts entries, None where it is a coordinate."""

    name: str
    over: Over | None = None


@dataclass(frozen=True, slots=True)
class PieceOf:
    """The number of the piece of ``size`` elements that ``whole`` is in."""

    whole: Index
    size: str


@dataclass(frozen=True, slots=True)
class PlaceIn:
    """The place of ``whole`` in its piece of ``size`` elements."""

    whole: Index
    size: str


Position = Index | PieceOf | PlaceIn


@dataclass(frozen=True, slots=True)
class ScalarSymbol:
    """``index``: it is this coordinate."""

    expression: Expression
    index: Index | None = None


@dataclass(frozen=True, slots=True)
class PairSymbol:
    first: Symbol
    second: Symbol


@dataclass(frozen=True, slots=True, eq=False)
class ArraySymbol:
    """``over`` says what its positions count, ``piece`` that it is a piece of so many elements that were next to one
    another; ``named`` is what a position of it is called, ``parallel`` that a map on threads made it."""

    element: Callable[[Position], Symbol]
    over: Over | None = None
    piece: str | None = None
    named: str = "i"
    parallel: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class FunctionSymbol:
    """A function with the names that it was made among, or a pattern with the arguments that it has so far."""

    term: Lambda | NatLambda | Term
    names: Mapping[str, Symbol]
    pattern: str | None = None
    bound_arguments: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ChainSymbol:
    """``first`` and then ``second``."""

    first: Symbol
    second: Symbol


@dataclass(frozen=True, slots=True)
class OperatorSymbol:
    operator: str


Symbol = ScalarSymbol | PairSymbol | ArraySymbol | FunctionSymbol | ChainSymbol | OperatorSymbol
