"""Terms and types as they are written, each with its place in the text."""

from __future__ import annotations

from dataclasses import dataclass, field

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Variable:
    """``label`` is the name of this occurrence of a pattern, for steps that rewrite it."""

    name: str
    span: Span = field(default=(0, 0), compare=False)
    label: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Number:
    """``text`` as it is written; a float has a point or an exponent."""

    text: str
    span: Span = field(default=(0, 0), compare=False)

    @property
    def is_float(self) -> bool:
        return any(mark in self.text for mark in ".eE")


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator as an argument: ``map(*)``."""

    operator: str
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Lambda:
    """``fun(parameter: annotation => body)``."""

    parameter: str
    annotation: TypeTerm | None
    body: Term
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class NatLambda:
    """``nFun(parameter => body)``."""

    parameter: str
    body: Term
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """``function(arguments)``, or ``argument :>> function``."""

    function: Term
    arguments: tuple[Term, ...]
    pipe: bool = False
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Projection:
    """``pair.1`` or ``pair.2``."""

    pair: Term
    number: int
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Element:
    """``array@index``."""

    array: Term
    index: Term
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: Term
    right: Term
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Negative:
    operand: Term
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """``condition ? then : otherwise``, or ``if(condition, then, otherwise)``."""

    condition: Term
    then: Term
    otherwise: Term
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class PairTerm:
    first: Term
    second: Term
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Let:
    name: str
    value: Term
    body: Term
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class Annotated:
    """``(term : annotation)``."""

    term: Term
    annotation: TypeTerm
    span: Span = field(default=(0, 0), compare=False)


Term = (
    Variable
    | Number
    | Truth
    | Operator
    | Lambda
    | NatLambda
    | Apply
    | Projection
    | Element
    | Binary
    | Negative
    | Choice
    | PairTerm
    | Let
    | Annotated
)


@dataclass(frozen=True, slots=True)
class ScalarTerm:
    """``float``, ``int``, …"""

    name: str
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class IndexTerm:
    """``idx(size)``."""

    size: Term
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class PairTypeTerm:
    first: TypeTerm
    second: TypeTerm
    span: Span = field(default=(0, 0), compare=False)


@dataclass(frozen=True, slots=True)
class ArrayTerm:
    """``[element]_size``, or ``[variable -> element]_size``."""

    element: TypeTerm
    size: Term
    variable: str | None = None
    span: Span = field(default=(0, 0), compare=False)


TypeTerm = ScalarTerm | IndexTerm | PairTypeTerm | ArrayTerm


def children(term: Term) -> tuple[Term, ...]:
    """The terms directly inside of ``term``, in the order of the text."""
    match term:
        case Variable() | Number() | Truth() | Operator():
            return ()
        case Lambda(body=body) | NatLambda(body=body):
            return (body,)
        case Apply(function=function, arguments=arguments, pipe=pipe):
            return (*arguments, function) if pipe else (function, *arguments)
        case Projection(pair=pair):
            return (pair,)
        case Element(array=array, index=index):
            return (array, index)
        case Binary(left=left, right=right):
            return (left, right)
        case Negative(operand=operand):
            return (operand,)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case PairTerm(first=first, second=second):
            return (first, second)
        case Let(value=value, body=body):
            return (value, body)
        case Annotated(term=inner):
            return (inner,)
        case _:
            raise TypeError(f"unexpected term {term!r}")


def occurrences(term: Term, name: str) -> int:
    """How often ``term`` has ``name`` of a function around it."""
    match term:
        case Variable(name=identifier):
            return int(identifier == name)
        case Lambda(parameter=identifier, body=body) | NatLambda(parameter=identifier, body=body):
            return 0 if identifier == name else occurrences(body, name)
        case Let(name=identifier, value=value, body=body):
            return occurrences(value, name) + (0 if identifier == name else occurrences(body, name))
        case _:
            return sum(occurrences(part, name) for part in children(term))
