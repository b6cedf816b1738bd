"""Reads the papers of docs/references.bib: the part of BibLaTeX that the file uses, strictly.

An entry is ``@kind{key,``, a field on each line, and ``}``. A value stands in braces, has none inside, and may go on
over several lines. A line that begins with ``%`` is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

REQUIRED: Mapping[str, frozenset[str]] = {
    "article": frozenset({"journal", "volume"}),
    "inproceedings": frozenset({"booktitle"}),
    "book": frozenset({"publisher"}),
    "misc": frozenset(),
}
"""The kinds of entries, and what each has besides the fields of all."""
OF_ALL = frozenset({"shorthand", "author", "title", "year"})
OPTIONAL = frozenset(
    {"volume", "number", "pages", "eid", "edition", "doi", "eprint", "eprinttype", "url", "keywords", "note"}
)
_ENTRY = re.compile(r"@(\w+)\{([\w-]+),\n((?:  \w+ = \{[^{}]*\},\n)+)\}\n*")
_FIELD = re.compile(r"  (\w+) = \{([^{}]*)\},\n")
_COMMENT = re.compile(r"%.*\n\n*")


@dataclass(frozen=True, slots=True)
class Paper:
    """An entry of the bibliography. ``fields`` has the values by name, each on one line."""

    kind: str
    key: str
    fields: Mapping[str, str]

    @property
    def shorthand(self) -> str:
        """What comments write, as in ``Chou et al. 2018``."""
        return self.fields["shorthand"]

    @property
    def is_foundation(self) -> bool:
        """Whether it is among those that Heddle brings together."""
        return self.fields.get("keywords") == "foundation"


def read_bibliography(text: str) -> tuple[Paper, ...]:
    """The entries of a ``.bib`` file in its order.

    Raises
    ------
    ValueError
        With the line of what is no entry, of a kind or field that is unknown, or of an entry that lacks a field.
    """
    papers: dict[str, Paper] = {}
    position = 0
    while position < len(text):
        if comment := _COMMENT.match(text, position):
            position = comment.end()
            continue
        line = text.count("\n", 0, position) + 1
        entry = _ENTRY.match(text, position)
        if entry is None:
            raise ValueError(f"line {line} does not begin an entry: {text[position:].partition(chr(10))[0]}")
        kind, key, body = entry.groups()
        fields = _FIELD.findall(body)
        names = [name for name, _ in fields]
        if problem := _problem(kind, key, names, key in papers):
            raise ValueError(f"line {line}: {problem}")
        papers[key] = Paper(kind, key, {name: " ".join(value.split()) for name, value in fields})
        position = entry.end()
    return tuple(papers.values())


def _problem(kind: str, key: str, names: list[str], is_known: bool) -> str | None:
    """What is wrong with an entry of these fields."""
    if kind not in REQUIRED:
        return f"{kind} is none of {', '.join(REQUIRED)}"
    if is_known:
        return f"{key} is there already"
    needed = REQUIRED[kind] | OF_ALL
    if missing := sorted(needed - set(names)):
        return f"{key} lacks {', '.join(missing)}"
    if unknown := [name for name in names if name not in needed | OPTIONAL]:
        return f"{key} has the unknown {', '.join(unknown)}"
    if len(names) != len(set(names)):
        return f"{key} has a field twice"
    return None
