"""``A[*]: split(i, i0, i1, 8)`` in place of one command for each part, where parts have the same commands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

_NAME = re.compile(r"(?<!^)\b[A-Za-z_]\w*")
"""In the arguments of a command, whose own name is at the start."""


@dataclass(frozen=True, slots=True)
class PartCommands:
    """The commands of one part. ``suffix`` is what its variables and its tensor end with: ``i_ell4``, ``A_ell4``;
    ``label`` names it in a selection."""

    label: str
    suffix: str
    commands: tuple[str, ...]


def for_all_parts(tensor: str, parts: Sequence[PartCommands], known: Collection[str]) -> tuple[str, ...] | None:
    """The commands of all parts, those of parts that are alike once, in the words of a program of one part. ``known``
    are the names of the program without a schedule. None where no two parts are alike.

    Examples
    --------
    ``parallelize(i_ell1, CPUVector, NoRaces)`` and ``parallelize(i_ell2, CPUVector, NoRaces)`` are
    ``A[*]: parallelize(i, CPUVector, NoRaces)``.
    """
    alike: dict[tuple[str, ...], list[PartCommands]] = {}
    for part in parts:
        alike.setdefault(_shape(part, known), []).append(part)
    if len(alike) == len(parts):
        return None
    return tuple(line for group in alike.values() for line in _lines(tensor, group, len(parts)))


def _lines(tensor: str, group: Sequence[PartCommands], parts: int) -> Iterable[str]:
    first = group[0]
    if len(group) == 1:
        return first.commands
    selection = "*" if len(group) == parts else ", ".join(part.label for part in group)
    return (f"{tensor}[{selection}]: {_NAME.sub(lambda name: _bare(name[0], first), each)}" for each in first.commands)


def _shape(part: PartCommands, known: Collection[str]) -> tuple[str, ...]:
    """The commands with numbers for the names that they make: two parts never make the same ones."""
    numbers: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        text = match[0]
        # Units, races and bounds, such as CPUVector, begin with a capital.
        if text in known or (text[0].isupper() and part.suffix not in text):
            return _bare(text, part)
        return numbers.setdefault(text, f"#{len(numbers)}")

    return tuple(_NAME.sub(name, command) for command in part.commands)


def _bare(name: str, part: PartCommands) -> str:
    """``j_ell41`` is ``j1`` in the program of one part, and ``A_ell4`` is ``A``."""
    return name.replace(part.suffix, "", 1)
