"""What to say about text that is not index notation: expected, found, a hint and, where one parses, a repair."""

from __future__ import annotations

import re
from collections.abc import Callable

from heddle.diagnostics import Diagnostic, Fix, Location, Part
from heddle.notation.foreign import SELECT, translate
from heddle.notation.functions import ASSIGNMENTS, NAMES
from heddle.notation.grammar import EXAMPLE, load_grammar
from heddle.typography import LOOKALIKES, plain_characters

FOUND = re.compile(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|[^\W\d_]\w*|[-*/+=]=|\*\*|.", re.DOTALL)


def explain(text: str, position: int, start: str, parses: Callable[[str], bool], written: str) -> Diagnostic:
    """The diagnostic for the first token of ``text`` that fits no rule, at offset ``position``. It offers the repairs
    that ``parses`` accepts. ``written`` is the text with the spaces that the person wrote."""
    opened = _open_access(text[:position])
    stray = re.compile(r"[^\w\s,]").search(text, opened, position) if opened is not None else None
    if stray is not None:
        position = stray.start()  # A(i,j * x(j): the product parses, but no index is one
    accepted = _find_accepted(text[:position], start)
    at_end = position >= len(text.rstrip())
    expected = _phrase(accepted, at_end=at_end, index=opened is not None)
    if at_end:
        position = end = len(text)
        token, actual = "", "end of text"
    else:
        if text[position - 1 : position + 1] in ("**", "==") and position:
            position -= 1
        match = FOUND.match(text, position)
        assert match is not None
        end, token = match.end(), match.group()
        actual = f"`{token[:40]}`" if token.isprintable() else f"the character {ascii(token)[1:-1]}"
    hint, repairs = _advice(text, position, token, start, accepted)
    plain = plain_characters(written)
    translation = translate(plain)
    if translation is not None:
        hint, repairs = translation.hint, [translation.text]
    elif plain != text:
        repairs = [plain, *repairs]
    return Diagnostic(
        "expression/syntax",
        f"expected {expected}, found {actual}",
        Location(Part.EXPRESSION, position, end),
        expected=expected,
        actual=actual,
        hint=hint,
        fixes=tuple(
            Fix(f"Write {repaired}", expression=repaired)
            for repaired in dict.fromkeys(repairs)
            if start == "program" and parses(repaired)
        ),
    )


def _find_accepted(prefix: str, start: str) -> set[str]:
    """The terminals that may follow ``prefix``, which the parser has already accepted."""
    interactive = load_grammar().parse_interactive(prefix, start=start)
    interactive.exhaust_lexer()
    return set(interactive.accepts())  # type: ignore[no-untyped-call]


def _open_access(before: str) -> int | None:
    """Where the indices of an operand begin whose parenthesis is still open at the end of ``before``."""
    depth = 0
    for place in range(len(before) - 1, -1, -1):
        depth += (before[place] in ")}") - (before[place] in "({")
        if depth < 0:
            called = re.search(r"([A-Za-z]\w*)\s*$", before[:place])
            return place + 1 if called is not None and called.group(1) not in NAMES else None
    return None


def _phrase(accepted: set[str], *, at_end: bool, index: bool) -> str:
    """The accepted terminals in a reader's words, the likeliest first."""
    if "NAME" in accepted:
        if "INTEGER" in accepted and not index:
            return "a tensor, a number or `(`"
        return "an index variable" if index else "a tensor"
    words = [f"`{mark}`" for terminal, mark in (("RPAR", ")"), ("RBRACE", "}")) if terminal in accepted]
    if ("RPAR" in accepted and index) or "RBRACE" in accepted:
        return words[0] if at_end else " or ".join(("`,`", *words))
    if "ASSIGN" in accepted:
        return "`=` or one of " + " ".join(f"`{operator}`" for operator in ASSIGNMENTS)
    if at_end and words:
        return words[0]
    if "PLUS" in accepted or "COMPARE" in accepted:
        words.append("an operator")
    if "$END" in accepted:
        words.append("the end of the expression")
    return " or ".join(words)


def _advice(text: str, position: int, actual: str, start: str, accepted: set[str]) -> tuple[str | None, list[str]]:
    """A hint for a known mistake and texts that might repair it (the caller keeps those that parse)."""
    before, after = text[:position].rstrip(), text[position:]
    behind = text[position + len(actual) :]
    if actual in LOOKALIKES:
        return f"write `{LOOKALIKES[actual]}`", []
    if actual[:1].isalpha() and not actual.isascii():
        return "names are made of the letters a to z, digits and `_`", []
    if actual == "==":
        return "one `=` assigns", [f"{before} = {behind.lstrip()}"]
    if actual in ("**", "^"):
        return "a power is written pow(x(i), 2)", []
    if actual == "?":
        return SELECT, []
    if actual == ":":
        return "an index is a variable: A(i,j) has all columns j of row i", []
    if actual in ("-=", "/="):
        return f"an assignment is `=` or one of {' '.join(ASSIGNMENTS)}", []
    if start == "program" and "=" not in text:
        return f"an assignment is a result, `=` and an expression, for example {EXAMPLE}", []
    if actual in ("[", "]"):
        return "indices go in parentheses", [text.replace("[", "(").replace("]", ")")]
    if actual == "=":
        return "statements are separated by `;` or written on lines of their own", []
    if actual == ";":
        return "statements are separated by one `;`", []
    called = re.search(r"([A-Za-z]\w*)\s*\(\s*$", before)
    if called and actual == ")":
        return "a scalar is written without parentheses", [before[: called.end(1)] + behind]
    if actual in ("<", ">", "!") and "COMPARE" not in accepted and "$END" in accepted:
        return "comparisons do not chain; put one of them in parentheses", []
    if actual in ("i", "j") and re.search(r"[0-9.]$", text[:position]):
        return "an imaginary number is written complex(0, 1)", [f"{before} * complex(0, 1){behind}"]
    if "PLUS" in accepted and re.match(r"[\w(.]", actual) and re.search(r"[\w)}.]$", before):
        return "a product needs its `*`", [f"{before} * {after.lstrip()}"]
    if not after.strip():
        missing = text.count("(") - text.count(")")
        return None, [before + ")" * missing] if 0 < missing <= 8 else []
    if actual == ")" and text.count(")") > text.count("("):
        return "this `)` closes nothing", [text[:position] + behind]
    return None, []
