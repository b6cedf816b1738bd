"""From the grammar's rules to nodes, with spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lark import Token, Transformer, v_args

from heddle.comprehensions.language import nodes as tc
from heddle.comprehensions.language.scalars import SCALARS
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.notation.nodes import Span

if TYPE_CHECKING:
    _Builder = Transformer[Token, Any]
else:
    _Builder = Transformer

LARGEST = 2**63 - 1


def _span(first: Any, last: Any) -> Span:
    return Span(_start(first), _end(last))


def _start(item: Any) -> int:
    return int(item.start_pos or 0) if isinstance(item, Token) else int(item.span.start)


def _end(item: Any) -> int:
    return int(item.end_pos or 0) if isinstance(item, Token) else int(item.span.end)


def _drop_commas(items: tuple[Any, ...]) -> list[Any]:
    """What stands between commas."""
    return [item for item in items if item is not None and not (isinstance(item, Token) and item.type == "COMMA")]


@v_args(inline=True)
class Builder(_Builder):
    """Builds while the parser reduces; each method is a rule or an alias of ``grammar.lark``."""

    def start(self, *definitions: tc.Definition) -> tuple[tc.Definition, ...]:
        return definitions

    def definition(self, *items: Any) -> tc.Definition:
        defined, name, _, parameters, _, _, _, returns, _, opening, statements, closing = items
        body = _span(opening, closing)
        return tc.Definition(str(name), parameters, returns, statements, _span(defined, closing), body)

    def parameters(self, *items: Any) -> tuple[tc.Parameter, ...]:
        return tuple(_drop_commas(items))

    def returns(self, *items: Any) -> tuple[tc.Return, ...]:
        return tuple(_drop_commas(items))

    def parameter(self, type: tc.Type, name: Token) -> tc.Parameter:
        return tc.Parameter(type, str(name), _span(name, name))

    def result(self, type: tc.Type | None, name: Token) -> tc.Return:
        return tc.Return(str(name), type, _span(type or name, name))

    def type(self, scalar: Token, *items: Any) -> tc.Type:
        dimensions = [item for item in _drop_commas(items) if not isinstance(item, Token)]
        last = items[-1] if items and items[-1] is not None else scalar
        return tc.Type(str(scalar), SCALARS[str(scalar)], tuple(dimensions), _span(scalar, last))

    def statements(self, *items: tc.Statement | tc.Invoke) -> tuple[tc.Statement | tc.Invoke, ...]:
        return items

    def assign(
        self, target: tuple[Token, tuple[tc.Name, ...], int], operator: Token, expression: tc.Node, *rest: Any
    ) -> tc.Statement:
        name, indices, end = target
        clauses = next((item for item in rest if isinstance(item, tuple)), ())
        text = str(operator)
        return tc.Statement(
            str(name),
            indices,
            text.rstrip("!"),
            text.endswith("!"),
            expression,
            clauses,
            Span(_start(name), _end(clauses[-1] if clauses else expression)),
            Span(_start(name), end),
            _span(operator, operator),
        )

    def invoke(self, opening: Token, targets: tuple[tc.Name, ...], *rest: Any) -> tc.Invoke:
        _, _, function, _, arguments, closing = rest[:6]
        return tc.Invoke(targets, str(function), arguments, _span(opening, closing), _span(function, function))

    def target(self, name: Token, *rest: Any) -> tuple[Token, tuple[tc.Name, ...], int]:
        indices = next((item for item in rest if isinstance(item, tuple)), ())
        for index in indices:
            if not isinstance(index, tc.Name):
                raise _scatter_error(str(name), index)
        return name, indices, _end(rest[-1] if rest and rest[-1] is not None else name)

    def ids(self, *items: Any) -> tuple[tc.Name, ...]:
        return tuple(tc.Name(str(token), _span(token, token)) for token in _drop_commas(items))

    def clauses(self, *items: Any) -> tuple[tc.Clause, ...]:
        return tuple(_drop_commas(items))

    def in_range(self, name: Token, _in: Token, lower: tc.Node, _colon: Token, upper: tc.Node) -> tc.In:
        return tc.In(str(name), lower, upper, _span(name, upper))

    def exists(
        self, word: Token, name: Token, opening: Token, arguments: tuple[tc.Node, ...], closing: Token
    ) -> tc.Exists:
        access = tc.Apply(str(name), arguments, _span(name, closing), _span(name, name))
        return tc.Exists(access, _span(word, closing))

    def let(self, name: Token, operator: Token, expression: tc.Node) -> tc.Let:
        return tc.Let(str(name), expression, _span(name, expression))

    def choice(self, condition: tc.Node, _q: Token, then: tc.Node, _c: Token, otherwise: tc.Node) -> tc.Choice:
        return tc.Choice(condition, then, otherwise, _span(condition, otherwise))

    def binary(self, left: tc.Node, operator: Token, right: tc.Node) -> tc.Binary:
        return tc.Binary(str(operator), left, right, _span(left, right))

    def unary(self, operator: Token, operand: tc.Node) -> tc.Node:
        if str(operator) == "-" and isinstance(operand, tc.Number):
            return tc.Number(-operand.value, _span(operator, operand))
        return tc.Unary(str(operator), operand, _span(operator, operand))

    def integer(self, token: Token) -> tc.Number:
        if int(token) > LARGEST:
            raise CompileError(
                Diagnostic(
                    "tc/number",
                    f"{token[:40]} does not fit into 64 bits",
                    Location(Part.EXPRESSION, token.start_pos or 0, token.end_pos or 0),
                    expected="an integer below 2^63",
                    actual=str(token[:40]),
                )
            )
        return tc.Number(int(token), _span(token, token))

    def floating(self, token: Token) -> tc.Number:
        return tc.Number(float(token.rstrip("f")), _span(token, token))

    def name(self, token: Token) -> tc.Name:
        return tc.Name(str(token), _span(token, token))

    def extent(self, tensor: Token, dot: Token, dimension: Token) -> tc.Extent:
        return tc.Extent(str(tensor), int(dimension), _span(tensor, dimension))

    def apply(self, name: Token, opening: Token, arguments: tuple[tc.Node, ...], closing: Token) -> tc.Apply:
        return tc.Apply(str(name), arguments, _span(name, closing), _span(name, name))

    def cast(self, scalar: Token, opening: Token, operand: tc.Node, closing: Token) -> tc.Cast:
        return tc.Cast(SCALARS[str(scalar)], operand, _span(scalar, closing))

    def group(self, opening: Token, inner: tc.Node, closing: Token) -> tc.Node:
        return inner

    def arguments(self, *items: Any) -> tuple[tc.Node, ...]:
        return tuple(_drop_commas(items))


def _scatter_error(name: str, index: tc.Node) -> CompileError:
    return CompileError(
        Diagnostic(
            "tc/scatter",
            f"an index of {name} on the left is a formula, but each element is assigned at a place of its own: only "
            f"index variables stand there",
            Location(Part.EXPRESSION, index.span.start, index.span.end),
            expected="an index variable",
            actual="a formula",
            hint="put the variable on the left, and the inverse of the formula into the subscripts on the right",
        )
    )
