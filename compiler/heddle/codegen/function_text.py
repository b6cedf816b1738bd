"""The functions that printed kernels call, out of files of C, CUDA and OpenCL (``functions/`` here and below).

The lines between ``// @begin name`` and ``// @end`` are what a kernel that uses ``name`` gets. Words in capitals may be
macros there: those that stand for the names of functions, types and operators are replaced before a kernel is printed,
so that it reads as if written for its types. ``#ifdef`` and ``#ifndef`` are decided then, too; ``#if`` is left to the
compiler, and so are names that begin with an underscore. What stands outside is for compilers that see a file alone.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_SECTION = re.compile(r"^// @begin (\S+)\n(.*?)^// @end$", re.MULTILINE | re.DOTALL)
# SORT in SORT_heap and load_REGISTER in turn, but not LANES in VECTOR_LANES.
_WORD = r"(?<![A-Za-z0-9])(?<![A-Z0-9]_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*(?![a-z0-9])"


@dataclass(frozen=True, slots=True)
class FunctionFile:
    """A file whose sections are printed by their names."""

    path: Path

    def text(self, section: str, macros: Mapping[str, str] | None = None) -> str:
        """The lines of ``section`` with ``macros`` in place, as a C compiler's ``-D`` takes them: the name, with
        parameters in parentheses where it has some, and what it stands for. Arguments hold no parentheses."""
        return _print(self.path, section, tuple((macros or {}).items()))


@functools.cache
def sections(path: Path) -> Mapping[str, str]:
    """The sections of a file, by name."""
    return dict(_SECTION.findall(path.read_text(encoding="utf-8")))


@functools.cache
def _print(path: Path, section: str, macros: tuple[tuple[str, str], ...]) -> str:
    heads = {head.partition("(")[0]: (head, body) for head, body in macros}
    with_arguments = [name for name, (head, _) in heads.items() if "(" in head]
    calls = "".join(rf"\b{name}\([^()]*\)|" for name in with_arguments)
    return re.sub(
        calls + _WORD, lambda use: _replace(use[0], heads), _resolve_conditionals(sections(path)[section], set(heads))
    )


def _replace(use: str, macros: Mapping[str, tuple[str, str]]) -> str:
    """What stands for a word in capitals, or for such a word with arguments."""
    name, _, arguments = use.rstrip(")").partition("(")
    if name not in macros:
        return use
    head, body = macros[name]
    if not arguments:
        return body
    parameters = head.rstrip(")").partition("(")[2]
    values = dict(zip(parameters.split(", "), arguments.split(", "), strict=True))
    return re.sub(r"\b[a-z]\w*\b", lambda word: values.get(word[0], word[0]), body)


def _resolve_conditionals(text: str, defined: set[str]) -> str:
    """``text`` without the lines that ``#ifdef`` and ``#ifndef`` leave out, and without these."""
    lines: list[str] = []
    conditions: list[bool | None] = []
    """Whether lines are kept, for each condition that is open; None where the compiler decides."""
    for line in text.splitlines(keepends=True):
        directive, _, name = line.strip().partition(" ")
        decided = True
        match directive:
            case "#ifdef" | "#ifndef" if not name.startswith("_"):
                conditions.append((name in defined) == (directive == "#ifdef"))
            case "#if" | "#ifdef" | "#ifndef":
                conditions.append(None)
                decided = False
            case "#else" if conditions[-1] is not None:
                conditions[-1] = not conditions[-1]
            case "#endif":
                decided = conditions.pop() is not None
            case _:
                decided = False
        if not decided and False not in conditions:
            lines.append(line)
    return "".join(lines)
