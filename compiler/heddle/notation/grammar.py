"""The grammar of index notation, compiled on first use (``grammar.lark``)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lark import Lark

EXAMPLE = "y(i) = A(i,j) * x(j)"


@cache
def load_grammar() -> Lark:
    """The compiled grammar; its parse builds the nodes as it reduces. Safe to share between threads."""
    from heddle.notation.builder import Builder
    from heddle.notation.stored_grammar import read_grammar

    return read_grammar("heddle.notation", Builder(), start=["program", "expression"])
