"""One spelling of a command: commands that are read as the same have the same text."""

from __future__ import annotations

import re

from heddle.diagnostics import CompileError
from heddle.notation.parser import parse_expression
from heddle.notation.printer import to_text
from heddle.schedule.syntax.parser import ParsedCommand, parse_command

_AROUND = re.compile(r"\s*([,:{}\[\]()])\s*")
_SPACES = re.compile(r"\s+")


def spell_command(text: str) -> str:
    """``split(i, i0, i1, 32)`` for ``split( i,i0 ,i1,32 )``; a text that is no command has its spaces evened."""
    try:
        parsed = parse_command(text, 0)
    except CompileError:
        return _SPACES.sub(" ", text).strip()
    selector = "" if parsed.selector is None else f"{even_spaces(parsed.selector.text)}: "
    return f"{selector}{parsed.spec.name}({', '.join(_arguments(parsed))})"


def _arguments(parsed: ParsedCommand) -> list[str]:
    kinds = [parameter.kind for parameter in parsed.spec.parameters]
    # Only the last parameter takes several arguments.
    kinds += kinds[-1:] * (len(parsed.arguments) - len(kinds))
    return [
        _expression(argument.text) if kind == "expression" else even_spaces(argument.text)
        for argument, kind in zip(parsed.arguments, kinds, strict=False)
    ]


def _expression(text: str) -> str:
    try:
        return to_text(parse_expression(text))
    except CompileError:
        return even_spaces(text)


def even_spaces(text: str) -> str:
    """No space around punctuation, and one where there are several."""
    return _SPACES.sub(" ", _AROUND.sub(r"\1", text)).strip()
