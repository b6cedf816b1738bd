"""A sum of parts whose text is too long, said shorter."""

from __future__ import annotations

import re

from heddle.diagnostics import Fix
from heddle.formats.composed.parser import MAX_PARTS, is_composed, pieces_of

_SPACED = re.compile(r"\s*([+,:=<>!]+)\s*")
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)

_LONGEST = 64
"""Times as long as it may be: nobody typed that."""


def shorten_format(text: str, tensor: str, most: int) -> tuple[Fix, ...]:
    """How the format ``text`` of ``tensor`` gets at most ``most`` characters: without the spaces that it does not need,
    or else with the first of its parts that fit, and one for all other entries. Nothing for a format in one part."""
    if len(text) > _LONGEST * most or not is_composed(text):
        return ()
    close = _SPACED.sub(r"\1", " ".join(text.split()))
    if len(close) <= most:
        return (Fix(f"Leave out spaces in the format of {tensor}", formats={tensor: close}),)
    parts = [piece for _, piece in pieces_of(close) if piece.strip()]
    rest = parts.pop() if _WHERE.search(parts[-1]) is None else "coo"
    first_parts: list[str] = []
    while (
        len(first_parts) < min(len(parts), MAX_PARTS - 1)
        and len("+".join([*first_parts, parts[len(first_parts)], rest])) <= most
    ):
        first_parts.append(parts[len(first_parts)])
    if not first_parts:
        return ()
    title = f"Keep {len(first_parts)} parts of {tensor}, and {rest} for all other entries"
    return (Fix(title, formats={tensor: "+".join([*first_parts, rest])}),)
