"""From the grammar's rules to nodes, with spans: what a name means follows from what is after it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lark import Token, Transformer, v_args

from heddle.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from heddle.notation.foreign import written_instead
from heddle.notation.functions import FUNCTIONS, NAMES, REDUCTIONS
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Call,
    Expression,
    Literal,
    Reduce,
    Span,
    Unary,
    operands_of,
)

if TYPE_CHECKING:
    _Builder = Transformer[Token, "Item | Assignment | list[Item] | list[Token]"]
else:
    _Builder = Transformer

LARGEST_INTEGER = 2**63 - 1
_RUN_TOGETHER = re.compile(r"[i-nps-z]{2,4}")
"""Letters that are indices each, as in LaTeX's ``A_{ij}``, which would be a single index here."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name alone: an index variable inside ``A(…)``, else a scalar or TACO's ``A_i``."""

    token: Token

    @property
    def span(self) -> Span:
        return _span(self.token, self.token)


Item = Name | Expression


@v_args(inline=True)
class Builder(_Builder):
    """Builds while the parser reduces; each method is a rule or an alias of ``grammar.lark``."""

    def assignment(self, target: Item, operator: Token, expression: Item) -> Assignment:
        result = as_expression(target)
        if not isinstance(result, Access):
            text = str(operator)
            raise _refusal(
                "expression/target", result.span, f"only a tensor can stand to the left of {text}", "a tensor", None
            )
        value = as_expression(expression)
        return Assignment(result, str(operator), value, _join(result.span, value.span))

    def program(self, *statements: Assignment) -> Assignment:
        *before, last = statements
        return replace(last, temporaries=tuple(before)) if before else last

    def binary(self, left: Item, operator: Token, right: Item) -> Expression:
        a, b = as_expression(left), as_expression(right)
        return Binary(str(operator), a, b, _join(a.span, b.span))

    def negate(self, operator: Token, operand: Item) -> Expression:
        inner = as_expression(operand)
        return Unary("-", inner, _join(_span(operator, operator), inner.span))

    def group(self, opening: Token, inner: Item, closing: Token) -> Expression:
        return replace(as_expression(inner), span=_span(opening, closing))

    def integer(self, token: Token) -> Expression:
        value = int(token.removesuffix("u"))  # TACO's 3u: a constant takes the dtype of what it meets anyway
        if value > LARGEST_INTEGER:
            raise _bad_literal(token, "does not fit into 64 bits", "write it as a floating-point number, e.g. 1e20")
        return Literal(value, _span(token, token))

    def floating(self, token: Token) -> Expression:
        value = float(token.rstrip("fF"))
        if not math.isfinite(value):
            raise _bad_literal(token, "is larger than any float64", "the largest float64 is about 1.8e308")
        return Literal(value, _span(token, token))

    def name(self, token: Token) -> Item:
        return Name(token)

    def subscripted(self, tensor: Token, opening: Token, indices: list[Token], closing: Token) -> Expression:
        if not tensor.endswith("_") or len(tensor) == 1:
            raise _refusal(
                "expression/syntax",
                _span(opening, opening),
                "expected `_` before `{`, found `{`",
                "`_` before `{`",
                "a subscript is written A_{i,j}, or A(i,j)",
                actual="`{`",
            )
        for index in indices:
            if _RUN_TOGETHER.fullmatch(index):
                apart = ",".join(index)
                raise _refusal(
                    "expression/run-together",
                    _span(index, index),
                    f"{tensor}{{{index}}} has a single index that is called {index}",
                    f"{tensor}{{{apart}}} for {len(index)} indices",
                    f"write {tensor}{{{apart}}} or {tensor[:-1]}({apart}); for the one index, {tensor[:-1]}({index})",
                    actual=f"{tensor}{{{index}}}",
                )
        spans = tuple(_span(index, index) for index in indices)
        return Access(tensor[:-1], tuple(map(str, indices)), _span(tensor, closing), spans)

    def applied(self, name: Token, opening: Token, arguments: list[Item], closing: Token) -> Expression:
        span = _span(name, closing)
        if name == "complex":
            return _complex(arguments, span)
        if name in REDUCTIONS and (name not in FUNCTIONS or _reduces(arguments)):
            return _reduction(str(name), arguments, span)
        if name in FUNCTIONS:
            return _call(str(name), arguments, span)
        tokens: list[Token] = []
        for argument in arguments:
            if not isinstance(argument, Name):
                raise _not_an_index(str(name), argument)
            tokens.append(argument.token)
        return Access(str(name), tuple(map(str, tokens)), span, tuple(_span(token, token) for token in tokens))

    def arguments(self, *items: Item) -> list[Item]:
        return list(items)

    def indices(self, *tokens: Token) -> list[Token]:
        return list(tokens)


def as_expression(item: Item) -> Expression:
    """A name alone as the operand that it is."""
    if not isinstance(item, Name):
        return item
    tensor, underscore, index = item.token.partition("_")
    if not underscore:
        if tensor in NAMES:
            text = f"{tensor} is a function and needs its arguments in parentheses"
            raise _refusal("expression/function-name", item.span, text, f"{tensor}(…)", "a tensor needs another name")
        return Access(tensor, (), item.span)
    start = item.span.start + len(tensor) + 1
    if not index:
        end = Span(item.span.end, item.span.end)
        text = "expected an index variable or `{`, found the end of the subscript"
        expected = "an index variable or `{`"
        raise _refusal("expression/syntax", end, text, expected, None, actual="the end of the subscript")
    if not index[0].isalpha():
        text = f"expected an index variable, found `{index}`"
        hint = "after a name, `_` starts a subscript; a tensor with `_` in its name needs its indices in parentheses"
        span = Span(start, item.span.end)
        raise _refusal("expression/syntax", span, text, "an index variable", hint, actual=f"`{index}`")
    return Access(tensor, (index,), item.span, (Span(start, item.span.end),))


def _reduces(arguments: list[Item]) -> bool:
    """``max(j, A(i,j))`` is a reduction, ``max(a, b(j))`` a function of two values."""
    if len(arguments) != 2 or not isinstance(arguments[0], Name):
        return False
    variable = str(arguments[0].token)
    return _indexes(as_expression(arguments[1]), variable)


def _indexes(expression: Expression, variable: str) -> bool:
    """Whether an access uses the variable; not recursive, because how deep the text nests is not yet known."""
    pending = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, Access) and variable in node.indices:
            return True
        pending += operands_of(node)
    return False


def _reduction(name: str, arguments: list[Item], span: Span) -> Expression:
    form = f"{name}(j, A(i,j))"
    if len(arguments) != 2 or not isinstance(arguments[0], Name):
        text = f"{name} takes an index variable and an expression, for example {form}"
        nested = f"over several variables write {name}(i, {name}(j, A(i,j)))" if len(arguments) > 2 else None
        raise _refusal("expression/reduction", span, text, form, nested)
    variable, operand = str(arguments[0].token), as_expression(arguments[1])
    if not _indexes(operand, variable):
        text = f"{variable} is not an index variable of what {name} combines, so nothing gives its size"
        raise _refusal("expression/reduction", arguments[0].span, text, f"an index with {variable}", None)
    return Reduce(REDUCTIONS[name], variable, operand, span)


def _call(name: str, arguments: list[Item], span: Span) -> Expression:
    wanted = FUNCTIONS[name].arguments
    if len(arguments) != wanted:
        count = f"{wanted} argument" if wanted == 1 else f"{wanted} arguments"
        text = f"{name} takes {count}, found {len(arguments)}"
        raise _refusal("expression/arguments", span, text, count, None, actual=str(len(arguments)))
    return Call(name, tuple(as_expression(argument) for argument in arguments), span)


def _complex(arguments: list[Item], span: Span) -> Expression:
    """TACO's ``complex(re, im)``."""
    parts = [_real(as_expression(argument)) for argument in arguments]
    if len(parts) != 2 or any(part is None for part in parts):
        text = "complex takes two numbers, for example complex(1, -2)"
        raise _refusal("expression/arguments", span, text, "two numbers", None)
    return Literal(complex(parts[0] or 0.0, parts[1] or 0.0), span)


def _real(expression: Expression) -> float | None:
    match expression:
        case Literal(value=int() | float() as value):
            return float(value)
        case Unary(operand=operand):
            inner = _real(operand)
            return None if inner is None else -inner
        case _:
            return None


def _not_an_index(name: str, argument: Expression) -> CompileError:
    if not _is_arithmetic(argument):
        close = nearest(name, tuple(sorted(NAMES)))
        text = f"{name} is not a function; the functions are {', '.join(sorted(NAMES))}"
        hint = written_instead(name)
        return _refusal("expression/unknown-function", argument.span, text, "an index variable", hint, candidates=close)
    text = "an index is just a variable: no arithmetic and no constants inside an access"
    hint = 'Tensor comprehensions have formulas in subscripts: language="comprehension".'
    return _refusal("expression/index", argument.span, text, "an index variable", hint)


def _is_arithmetic(argument: Expression) -> bool:
    """``i + 1`` and ``0``: meant as an index, unlike ``x(i)`` and ``2 * A(i,j)``."""
    match argument:
        case Literal():
            return True
        case Access(indices=indices):
            return not indices
        case Unary(operand=operand):
            return isinstance(operand, Access | Literal) and _is_arithmetic(operand)
        case Binary(left=left, right=right):
            return all(isinstance(side, Access | Literal) and _is_arithmetic(side) for side in (left, right))
        case _:
            return False


def _refusal(
    code: str,
    span: Span | None,
    message: str,
    expected: str,
    hint: str | None,
    candidates: tuple[str, ...] = (),
    actual: str = "something else",
) -> CompileError:
    location = Location(Part.EXPRESSION, span.start, span.end) if span else None
    return CompileError(
        Diagnostic(code, message, location, expected=expected, actual=actual, hint=hint, candidates=candidates)
    )


def _bad_literal(token: str, problem: str, hint: str) -> CompileError:
    start = getattr(token, "start_pos", 0)
    shown = str(token) if len(token) <= 40 else f"{token[:37]}..."
    return CompileError(
        Diagnostic(
            "expression/literal",
            f"the number {shown} {problem}",
            Location(Part.EXPRESSION, start, start + len(token)),
            expected="a number that fits into int64 or float64",
            actual=shown,
            hint=hint,
        )
    )


def _span(first: Token, last: Token) -> Span:
    return Span(first.start_pos or 0, last.end_pos or 0)


def _join(first: Span | None, last: Span | None) -> Span:
    assert first is not None
    assert last is not None
    return Span(first.start, last.end)
