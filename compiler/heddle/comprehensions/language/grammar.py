"""The grammar of tensor comprehensions, compiled on first use (``grammar.lark``)."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lark import Lark

EXAMPLE = """def mm(float(M,K) A, float(K,N) B) -> (C) {
    C(m,n) +=! A(m,kk) * B(kk,n)
}"""


@cache
def load_grammar() -> Lark:
    """The compiled grammar; its parse builds the nodes as it reduces. Safe to share between threads."""
    from lark import Lark

    from heddle.comprehensions.language.builder import Builder

    home = resources.files("heddle.comprehensions.language")
    grammar = home.joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", transformer=Builder(), maybe_placeholders=True)
