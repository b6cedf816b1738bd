"""What to say about text that is no tensor comprehension: what was expected, in words, what was found, and a hint."""

from __future__ import annotations

import re

from heddle.comprehensions.language.scalars import type_hint
from heddle.diagnostics import Diagnostic, Location, Part

FOUND = re.compile(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|[^\W\d]\w*|[-+*/=<>!&|]=?!?|.", re.DOTALL)
_SIGNS = {
    "LPAR": "(",
    "RPAR": ")",
    "LBRACE": "{",
    "RBRACE": "}",
    "COMMA": ",",
    "COLON": ":",
    "ARROW": "->",
    "DEF": "def",
    "IN": "in",
}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "COMPARE", "AND", "OR", "QUESTION"}


def explain(text: str, position: int) -> Diagnostic:
    """The diagnostic for the first token of ``text`` that fits no rule, at offset ``position``."""
    accepted = _find_accepted(text[:position])
    match = FOUND.match(text, position)
    if position >= len(text.rstrip()) or match is None:
        position = end = len(text)
        token, actual = "", "end of text"
    else:
        end, token = match.end(), match.group()
        actual = f"`{token[:40]}`" if token.isprintable() else f"the character {ascii(token)[1:-1]}"
    expected = _phrase(accepted)
    if token in ("-=", "/=", "-=!", "/=!", "%="):
        expected = "one of = += *= min= max=, with ! to start afresh"
        return Diagnostic(
            "tc/operator",
            f"`{token}` is not an assignment: one of += *= min= max= combines values in any order",
            Location(Part.EXPRESSION, position, end),
            expected=expected,
            actual=actual,
            hint="write T(i) = T(i) - …, or add what is negated",
        )
    return Diagnostic(
        "tc/syntax",
        f"expected {expected}, found {actual}",
        Location(Part.EXPRESSION, position, end),
        expected=expected,
        actual=actual,
        hint=_hint(text[:position], token, accepted),
    )


def _find_accepted(prefix: str) -> set[str]:
    """The terminals that may follow ``prefix``, which the parser has already accepted."""
    from lark.exceptions import UnexpectedInput

    from heddle.comprehensions.language.grammar import load_grammar

    interactive = load_grammar().parse_interactive(prefix)
    try:
        interactive.exhaust_lexer()
    except UnexpectedInput:
        return set()
    return set(interactive.accepts())  # type: ignore[no-untyped-call]


def _phrase(accepted: set[str]) -> str:
    """The accepted terminals in a reader's words, the likeliest first."""
    if not accepted:
        return "a definition"
    words: list[str] = []
    if "INTEGER" in accepted and "FLOAT" in accepted:
        return "an expression"
    if "ASSIGN" in accepted and "RPAR" not in accepted:
        words.append("an assignment (`=`, `+=!`, `+=`, `*=!`, `min=!`, `max=!`)")
    if accepted & _OPERATORS:
        words.append("an operator")
    if "RBRACE" in accepted and "TUPLE" in accepted:
        words.append("a statement")
    elif "SCALAR" in accepted:
        words.append("a type")
    if "ID" in accepted and not words:
        words.append("a name")
    words += [f"`{sign}`" for terminal, sign in _SIGNS.items() if terminal in accepted]
    if "$END" in accepted:
        words.append("the end of the text")
    return " or ".join(words) or "something else"


def _hint(before: str, actual: str, accepted: set[str]) -> str | None:
    """Advice for a known mistake."""
    opened = before.count("{") - before.count("}")
    if not actual and opened > 0:
        return "the `{` of the last definition is not closed"
    if "SCALAR" in accepted and "RBRACE" not in accepted and re.fullmatch(r"[^\W\d]\w*", actual):
        return type_hint(actual)
    returned = re.search(r"->\s*\((?:[^{}]*,)?\s*([^\W\d]\w*)\s*$", before)
    if actual == "(" and returned is not None:
        return type_hint(returned[1])
    if "ARROW" in accepted:
        return "the results come after `->`: def f(float(N) x) -> (y) { … }"
    if actual == "{" and "LPAR" in accepted:
        return "a definition is written def name(parameters) -> (results) { … }"
    if actual in ("[", "]"):
        return "indices go in parentheses: A(i, j)"
    if actual in ("**", "^"):
        return "a power is written pow(x, 2)"
    if "ASSIGN" in accepted and "RPAR" not in accepted:
        return "a statement is written T(i) = …, or T(i) +=! … where values are combined"
    if accepted == {"DEF"}:
        return "a program is a definition: def f(float(N) x) -> (y) { y(i) = 2 * x(i) }"
    return None
