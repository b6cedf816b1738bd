"""Commands in other names: into canonical ones for a file, and back into those of the program at hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from heddle.names import Names
from heddle.notation.functions import FUNCTIONS
from heddle.notation.reserved import RESERVED
from heddle.plan.plan import DTYPES
from heddle.schedule.command import ArgumentKind
from heddle.schedule.syntax.parser import ParsedCommand, parse_command

_WORD = re.compile(r"[A-Za-z_]\w*")
_NO_FUNCTION = re.compile(rf"(?!(?:{'|'.join((*FUNCTIONS, *DTYPES))})\b)[A-Za-z_]\w*")


def to_canonical(schedule: tuple[str, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    """``names`` of the program become canonical; what commands make becomes ``n0…`` in the order of its appearance.

    Raises
    ------
    CompileError
        a command does not parse.
    """
    known = dict(names)

    def rename(word: str, command: ParsedCommand) -> str:
        new_name = _map(word, known)
        if new_name is None:
            new_name = known[word] = f"n{sum(name.startswith('n') for name in known.values())}"
        return new_name

    return _each(schedule, rename)


def from_canonical(schedule: tuple[str, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    """Back into the ``names`` of a program (its own to canonical ones); what commands make gets new names after the
    loop that it was made of: ``i0``, ``i1``.

    Raises
    ------
    CompileError
        a command does not parse.
    """
    known = {canonical: name for name, canonical in names.items()}
    fresh = Names({*names, *RESERVED})
    roots = {name: name for name in names}

    def rename(word: str, command: ParsedCommand) -> str:
        new_name = _map(word, known)
        if new_name is None:
            root = roots.get(known.get(_first(command), ""), "w")
            number = sum(name_root == root for name_root in roots.values()) - 1
            new_name = known[word] = fresh.fresh(f"{root}{max(number, 0)}")
            roots[new_name] = root
        return new_name

    return _each(schedule, rename)


def _each(schedule: tuple[str, ...], renamed: Callable[[str, ParsedCommand], str]) -> tuple[str, ...]:
    return tuple(_command(parse_command(text, number), renamed) for number, text in enumerate(schedule))


def _command(command: ParsedCommand, renamed: Callable[[str, ParsedCommand], str]) -> str:
    kinds = [parameter.kind for parameter in command.spec.parameters]
    kinds += [kinds[-1]] * (len(command.arguments) - len(kinds))

    def word(match: re.Match[str]) -> str:
        return renamed(match.group(), command)

    def argument(text: str, kind: ArgumentKind) -> str:
        match kind:
            case "enumeration" | "integer":
                return text
            case "parts":
                return parts(text)
            case "expression":
                return _NO_FUNCTION.sub(word, text)
            case _:
                return _WORD.sub(word, text)

    def parts(text: str) -> str:
        tensor, bracket, rest = text.partition("[")
        return renamed(tensor.strip(), command) + bracket + rest

    before = f"{parts(command.selector.text)}: " if command.selector is not None else ""
    texts = [argument(entry.text, kind) for entry, kind in zip(command.arguments, kinds, strict=False)]
    return f"{before}{command.spec.name}({', '.join(texts)})"


def _first(command: ParsedCommand) -> str:
    """The canonical name of the loop that a command is about."""
    return command.arguments[0].text if command.arguments else ""


def _map(word: str, known: Mapping[str, str]) -> str | None:
    """A loop of the pass that counts a result's coordinates is called after the loop that it goes with: ``qi``."""
    if word in known:
        return known[word]
    if word.startswith("q") and word[1:] in known:
        return f"q{known[word[1:]]}"
    return None
