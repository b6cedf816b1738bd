"""Tensor comprehensions as they are written
(docs/sources.toml C1 to C9): definitions, statements, expressions, with the place of each in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from heddle.notation.nodes import Span

NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Number:
    """``3``, ``0.5``, ``1e-3f``."""

    value: int | float
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A name alone: an index variable, a size, or a tensor without dimensions."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Extent:
    """``A.1``, the size of a dimension, counted from 0."""

    tensor: str
    dimension: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """``A(i, j+1)`` or ``exp(x)``: an element of a tensor, or a function."""

    name: str
    arguments: tuple[Node, ...]
    span: Span = field(default=NOWHERE, compare=False)
    name_span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Cast:
    """``float(x)``; ``dtype`` is NumPy's name."""

    dtype: str
    operand: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """Operators: ``+ - * / % < <= > >= == != && ||``."""

    operator: str
    left: Node
    right: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """Operators: ``-`` and ``!``."""

    operator: str
    operand: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """``condition ? then : otherwise``; only one side is evaluated."""

    condition: Node
    then: Node
    otherwise: Node
    span: Span = field(default=NOWHERE, compare=False)


Node = Number | Name | Extent | Apply | Cast | Binary | Unary | Choice


@dataclass(frozen=True, slots=True)
class Type:
    """``float(M,K)``: ``scalar`` as written, ``dtype`` NumPy's name, and names or numbers for its dimensions."""

    scalar: str
    dtype: str
    dimensions: tuple[Name | Number, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Parameter:
    type: Type
    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    name: str
    type: Type | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class In:
    """``i in 0:N``."""

    variable: str
    lower: Node
    upper: Node
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Exists:
    """``exists A(i)``: an access that takes part in the ranges and is not read."""

    access: Apply
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Let:
    """``x = e``: a name for an expression of this statement."""

    name: str
    expression: Node
    span: Span = field(default=NOWHERE, compare=False)


Clause = In | Exists | Let


@dataclass(frozen=True, slots=True)
class Statement:
    """``target(indices) operator expression where clauses``; ``operator`` is ``=`` or one of ``+= *= min= max=``, and
    ``fresh`` says that it ends with ``!``: what the target holds before does not count."""

    target: str
    indices: tuple[Name, ...]
    operator: str
    fresh: bool
    expression: Node
    where: tuple[Clause, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)
    target_span: Span = field(default=NOWHERE, compare=False)
    operator_span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Invoke:
    """``(P, Q) = f(A, B)``: the results of another definition."""

    targets: tuple[Name, ...]
    function: str
    arguments: tuple[Name, ...]
    span: Span = field(default=NOWHERE, compare=False)
    function_span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Definition:
    name: str
    parameters: tuple[Parameter, ...]
    returns: tuple[Return, ...]
    statements: tuple[Statement | Invoke, ...]
    span: Span = field(default=NOWHERE, compare=False)
    body: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Source:
    """All definitions of a text; the last one is the program, the others are there to be called."""

    definitions: tuple[Definition, ...]
    text: str = field(default="", compare=False)


def children(node: Node) -> tuple[Node, ...]:
    """The expressions directly below this one."""
    match node:
        case Number() | Name() | Extent():
            return ()
        case Apply(arguments=arguments):
            return arguments
        case Cast(operand=operand) | Unary(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case _:
            raise TypeError(f"unexpected node {node!r}")


def with_children(node: Node, parts: Sequence[Node]) -> Node:
    """The same operation on other operands."""
    match node:
        case Number() | Name() | Extent():
            return node
        case Apply():
            return replace(node, arguments=tuple(parts))
        case Cast() | Unary():
            return replace(node, operand=parts[0])
        case Binary():
            return replace(node, left=parts[0], right=parts[1])
        case Choice():
            return replace(node, condition=parts[0], then=parts[1], otherwise=parts[2])
        case _:
            raise TypeError(f"unexpected node {node!r}")


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, left to right."""
    yield node
    for part in children(node):
        yield from walk(part)
