"""Text to definitions (grammar in ``grammar.lark``). Lark is imported and the grammar compiled on first use."""

from __future__ import annotations

from typing import Any

from heddle.comprehensions.language.grammar import EXAMPLE, load_grammar
from heddle.comprehensions.language.limits import MAX_DEPTH, MAX_LENGTH
from heddle.comprehensions.language.nodes import In, Let, Node, Source, Statement, children
from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.notation.nodes import Span


def parse(text: str) -> Source:
    """The definitions that ``text`` spells, with spans into it.

    Raises CompileError: ``tc/empty``, ``tc/too-long``, ``tc/too-deep``, ``tc/number`` or ``tc/syntax``.
    """
    check_length(text)
    if not text.strip():
        raise CompileError(
            Diagnostic(
                "tc/empty",
                "the program is empty",
                Location(Part.EXPRESSION, 0, len(text)),
                expected="a definition",
                actual="nothing",
                hint=f"write what to compute, for example {' '.join(EXAMPLE.split())}",
            )
        )
    from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError

    try:
        definitions: Any = load_grammar().parse(text)
    except UnexpectedInput as error:
        from heddle.comprehensions.language.syntax_error import explain

        at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        position = len(text) if at_end or error.pos_in_stream is None else error.pos_in_stream
        raise CompileError(explain(text, position)) from None
    except VisitError as error:
        if isinstance(error.orig_exc, CompileError):
            raise error.orig_exc from None
        raise
    source = Source(definitions, text)
    for definition in source.definitions:
        for statement in definition.statements:
            if isinstance(statement, Statement):
                for expression in _expressions(statement):
                    _check_depth(expression)
    return source


def check_length(text: str) -> None:
    """Raises CompileError ``tc/too-long``."""
    if len(text) > MAX_LENGTH:
        raise CompileError(
            Diagnostic(
                "tc/too-long",
                f"the program has {len(text)} characters, the limit is {MAX_LENGTH}",
                Location(Part.EXPRESSION, MAX_LENGTH, len(text)),
                expected=f"at most {MAX_LENGTH} characters",
                actual=f"{len(text)} characters",
                hint="divide the computation into several programs",
            )
        )


def _expressions(statement: Statement) -> list[Node]:
    expressions = [statement.expression]
    for clause in statement.where:
        match clause:
            case In(lower=lower, upper=upper):
                expressions += [lower, upper]
            case Let(expression=expression):
                expressions.append(expression)
            case _:
                expressions.append(clause.access)
    return expressions


def _check_depth(root: Node) -> None:
    """Refuses nesting that recursive passes could not walk; itself iterative for that reason."""
    level = [root]
    for _ in range(MAX_DEPTH + 1):
        below = [child for node in level for child in children(node)]
        if not below:
            return
        level = below
    deepest: Span = level[0].span
    raise CompileError(
        Diagnostic(
            "tc/too-deep",
            f"the expression nests more than {MAX_DEPTH} operators",
            Location(Part.EXPRESSION, deepest.start, deepest.end),
            expected=f"at most {MAX_DEPTH} nested operators",
            actual="more",
            hint="divide the computation into several statements",
        )
    )
