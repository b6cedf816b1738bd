"""Text to index notation: ``parse("y(i) = A(i,j) * x(j)")`` (grammar in ``grammar.lark``).

Lark is imported and the grammar compiled on first use (about 50 ms together); a parse then takes about 0.1 ms.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from compiler.diagnostics import CompileError, Diagnostic, Location, Part
from compiler.notation.limits import MAX_DEPTH, MAX_LENGTH
from compiler.notation.nodes import Access, Assignment, Binary, Expression, Literal, Span, Unary

if TYPE_CHECKING:
    from lark import Lark

EXAMPLE = "y(i) = A(i,j) * x(j)"
LARGEST_INTEGER = 2**63 - 1


def parse(text: str) -> Assignment:
    """The assignment that ``text`` spells, with spans into ``text``.

    Raises CompileError: ``expression/empty``, ``expression/too-long``, ``expression/too-deep``, ``expression/literal``
    or ``expression/syntax``. Text after the end of the expression is an error, never dropped.
    """
    node = _parse(text, "assignment")
    assert isinstance(node, Assignment)
    _check_depth(node.expression)
    return node


def parse_expression(text: str) -> Expression:
    """The right-hand side alone, e.g. ``A(i,j) * x(j)``; errors as for :func:`parse`."""
    node = _parse(text, "expression")
    assert not isinstance(node, Assignment)
    _check_depth(node)
    return node


def _parse(text: str, start: str) -> Assignment | Expression:
    if len(text) > MAX_LENGTH:
        raise CompileError(
            Diagnostic(
                "expression/too-long",
                f"the expression has {len(text)} characters, the limit is {MAX_LENGTH}",
                Location(Part.EXPRESSION, MAX_LENGTH, len(text)),
                expected=f"at most {MAX_LENGTH} characters",
                found=f"{len(text)} characters",
                hint="split the computation into several expressions",
            )
        )
    if not text.strip():
        raise CompileError(
            Diagnostic(
                "expression/empty",
                "the expression is empty",
                Location(Part.EXPRESSION, 0, len(text)),
                expected="an assignment" if start == "assignment" else "an expression",
                found="nothing",
                hint=f"write what to compute, for example {EXAMPLE}",
            )
        )
    from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError

    try:
        return load_grammar().parse(text, start=start)  # type: ignore[return-value]
    except UnexpectedInput as error:
        from compiler.notation.syntax_error import explain

        at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        position = len(text) if at_end or error.pos_in_stream is None else error.pos_in_stream
        raise CompileError(explain(text, position, start)) from None
    except VisitError as error:
        if isinstance(error.orig_exc, CompileError):
            raise error.orig_exc from None
        raise


@cache
def load_grammar() -> Lark:
    """The compiled grammar; its parse builds the nodes as it reduces. Safe to share between threads."""
    from lark import Lark, Token, Transformer, v_args

    def between(first: Token | Expression, last: Token | Expression) -> Span:
        return Span(_start(first), _end(last))

    def _start(item: Token | Expression) -> int:
        if isinstance(item, Token):
            return item.start_pos or 0
        assert item.span is not None
        return item.span.start

    def _end(item: Token | Expression) -> int:
        if isinstance(item, Token):
            return item.end_pos or 0
        assert item.span is not None
        return item.span.end

    @v_args(inline=True)
    class Builder(Transformer[Token, Expression | Assignment]):
        def assignment(self, target: Access, operator: Token, expression: Expression) -> Assignment:
            return Assignment(target, str(operator), expression, between(target, expression))

        def binary(self, left: Expression, operator: Token, right: Expression) -> Expression:
            return Binary(str(operator), left, right, between(left, right))

        def negate(self, operator: Token, operand: Expression) -> Expression:
            return Unary("-", operand, between(operator, operand))

        def group(self, opening: Token, inner: Expression, closing: Token) -> Expression:
            return replace(inner, span=between(opening, closing))

        def integer(self, token: Token) -> Expression:
            value = int(token)
            if value > LARGEST_INTEGER:
                raise _bad_literal(token, "does not fit into 64 bits", "write it as a floating-point number, e.g. 1e20")
            return Literal(value, between(token, token))

        def floating(self, token: Token) -> Expression:
            value = float(token)
            if not math.isfinite(value):
                raise _bad_literal(token, "is larger than any float64", "the largest float64 is about 1.8e308")
            return Literal(value, between(token, token))

        def access(self, tensor: Token, *rest: Token | list[Token]) -> Access:
            indices = next((item for item in rest if isinstance(item, list)), [])
            last = rest[-1] if rest else tensor
            end = last[-1] if isinstance(last, list) else last
            return Access(
                str(tensor),
                tuple(str(index) for index in indices),
                between(tensor, end),
                tuple(between(index, index) for index in indices),
            )

        def indices(self, *tokens: Token) -> list[Token]:
            return list(tokens)

        subscript = indices

    grammar = resources.files("compiler.notation").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=["assignment", "expression"], transformer=Builder())


def _bad_literal(token: str, problem: str, hint: str) -> CompileError:
    start = getattr(token, "start_pos", 0)
    shown = str(token) if len(token) <= 40 else f"{token[:37]}..."
    return CompileError(
        Diagnostic(
            "expression/literal",
            f"the number {shown} {problem}",
            Location(Part.EXPRESSION, start, start + len(token)),
            expected="a number that fits into int64 or float64",
            found=shown,
            hint=hint,
        )
    )


def _check_depth(root: Expression) -> None:
    """Refuses nesting that recursive passes could not walk; itself iterative for that reason."""
    level: list[Expression] = [root]
    for _ in range(MAX_DEPTH + 1):
        children: list[Expression] = []
        for node in level:
            if isinstance(node, Binary):
                children += (node.left, node.right)
            elif isinstance(node, Unary):
                children.append(node.operand)
        if not children:
            return
        level = children
    deepest = level[0].span or Span(0, 0)
    raise CompileError(
        Diagnostic(
            "expression/too-deep",
            f"the expression nests more than {MAX_DEPTH} operators",
            Location(Part.EXPRESSION, deepest.start, deepest.end),
            expected=f"at most {MAX_DEPTH} nested operators",
            found="more",
            hint="split the computation into several expressions",
        )
    )
