"""The grammar of index notation, compiled on first use (``grammar.lark``)."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lark import Lark

EXAMPLE = "y(i) = A(i,j) * x(j)"


@cache
def load_grammar() -> Lark:
    """The compiled grammar; its parse builds the nodes as it reduces. Safe to share between threads."""
    from lark import Lark

    from heddle.notation.builder import Builder

    grammar = resources.files("heddle.notation").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=["program", "expression"], transformer=Builder())
