"""All languages that a Plan may be written in. A new one has a package of its own for its grammar, its checks and its
printer, a record beside that of index notation, and a row here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from heddle.diagnostics import CompileError, Diagnostic, InternalError, Location, Part
from heddle.frontends.comprehension import COMPREHENSION
from heddle.frontends.front_end import FrontEnd, Statements
from heddle.frontends.notation import NOTATION
from heddle.frontends.patterns import PATTERNS
from heddle.notation.nodes import Assignment

__all__ = ["DEFAULT_LANGUAGE", "LANGUAGES"]

FRONT_ENDS: tuple[FrontEnd[Any, Any], ...] = (NOTATION, PATTERNS, COMPREHENSION)

LanguageName = Literal["notation", "patterns", "comprehension"]
LANGUAGES = tuple(front_end.name for front_end in FRONT_ENDS)
DEFAULT_LANGUAGE = NOTATION.name


def front_end_of(language: str) -> FrontEnd[Any, Any]:
    """The record of the language that ``Plan.language`` names; the reader of plans refuses all others."""
    for front_end in FRONT_ENDS:
        if front_end.name == language:
            return front_end
    raise InternalError(f"There is no front end for the language {language}")


def assignment_of(language: str, text: str, sizes: Mapping[str, int] | None = None) -> Assignment:
    """The statements of index notation that ``text`` stands for, where ``sizes`` are known.

    Raises
    ------
    CompileError
        as :meth:`FrontEnd.read`; ``plan/no-statements`` for a language that lowers its programs itself.
    """
    front_end = front_end_of(language)
    if not isinstance(front_end.entry, Statements):
        raise no_statements(language, "this")
    return front_end.entry.assignment(front_end.read(text, sizes))


def no_statements(language: str, needs: str) -> CompileError:
    """``plan/no-statements``: what ``needs`` statements is not there for a program that becomes loops directly."""
    return CompileError(
        Diagnostic(
            "plan/no-statements",
            f"a program in {language} becomes loops directly, and {needs} needs statements of index notation",
            Location(Part.PLAN, path="/language"),
            expected="a language whose programs are statements of index notation",
            actual=language,
            hint=f'In Python, hd.compile(text, language="{language}") gives a kernel to call.',
        )
    )


def no_rules(language: str) -> CompileError:
    """``plan/no-rules``: the rules choose no schedule for programs of a language that makes its loops."""
    return CompileError(
        Diagnostic(
            "plan/no-rules",
            "the rules choose schedules for statements of index notation, and a program in "
            f"{language} has none: it becomes loops directly",
            Location(Part.PLAN, path="/language"),
            expected="a language whose programs are statements of index notation",
            actual=language,
        )
    )
