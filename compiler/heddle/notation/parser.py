"""Text to index notation: ``parse("y(i) = A(i,j) * x(j)")`` (grammar in ``grammar.lark``).

Lark is imported and the grammar compiled on first use (about 50 ms together); a parse then takes about 0.1 ms.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.notation.grammar import EXAMPLE, load_grammar
from heddle.notation.limits import MAX_DEPTH, MAX_LENGTH
from heddle.notation.nodes import Assignment, Expression, Span, operands_of, statements
from heddle.typography import plain_spaces


def parse(text: str) -> Assignment:
    """The assignment that ``text`` spells, with spans into ``text``; of several statements the last, with the others
    as its temporaries.

    Raises CompileError: ``expression/empty``, ``expression/too-long``, ``expression/too-deep``, ``expression/literal``
    or ``expression/syntax``. Text after the end of the expression is an error, never dropped.
    """
    node = _parse(text, "program")
    assert isinstance(node, Assignment)
    for statement in statements(node):
        _check_depth(statement.expression)
    return node


@lru_cache(maxsize=256)
def parse_expression(text: str) -> Expression:
    """The right-hand side alone, e.g. ``A(i,j) * x(j)``; errors as for :func:`parse`. Kept, since candidates of
    commands spell the same parts of a program again and again."""
    node = _parse(text, "expression")
    assert not isinstance(node, Assignment)
    _check_depth(node)
    return node


def check_length(text: str) -> None:
    """Raises CompileError ``expression/too-long``."""
    if len(text) > MAX_LENGTH:
        raise CompileError(
            Diagnostic(
                "expression/too-long",
                f"the expression has {len(text)} characters, the limit is {MAX_LENGTH}",
                Location(Part.EXPRESSION, MAX_LENGTH, len(text)),
                expected=f"at most {MAX_LENGTH} characters",
                actual=f"{len(text)} characters",
                hint="split the computation into several expressions",
            )
        )


def _parse(text: str, start: str) -> Assignment | Expression:
    check_length(text)
    written, text = text, plain_spaces(text)
    if not text.strip():
        raise CompileError(
            Diagnostic(
                "expression/empty",
                "the expression is empty",
                Location(Part.EXPRESSION, 0, len(text)),
                expected="an assignment" if start == "program" else "an expression",
                actual="nothing",
                hint=f"write what to compute, for example {EXAMPLE}",
            )
        )
    from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError

    try:
        node: Any = load_grammar().parse(text, start=start)
    except UnexpectedInput as error:
        from heddle.notation.syntax_error import explain

        at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        position = len(text) if at_end or error.pos_in_stream is None else error.pos_in_stream
        raise CompileError(explain(text, position, start, _parses, written)) from None
    except VisitError as error:
        if isinstance(error.orig_exc, CompileError):
            raise error.orig_exc from None
        raise
    from heddle.notation.builder import Name, as_expression

    parsed: Assignment | Expression = as_expression(node) if isinstance(node, Name) else node
    return parsed


def _parses(text: str) -> bool:
    try:
        parse(text)
    except CompileError:
        return False
    return True


def _check_depth(root: Expression) -> None:
    """Refuses nesting that recursive passes could not walk; itself iterative for that reason."""
    level: list[Expression] = [root]
    for _ in range(MAX_DEPTH + 1):
        children: list[Expression] = []
        for node in level:
            children += operands_of(node)
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
            actual="more",
            hint="split the computation into several expressions",
        )
    )
