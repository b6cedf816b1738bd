"""The grammar of tensor comprehensions, compiled on first use (``grammar.lark``)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lark import Lark

EXAMPLE = """def mm(float(M,K) A, float(K,N) B) -> (C) {
    C(m,n) +=! A(m,kk) * B(kk,n)
}"""


@cache
def load_grammar() -> Lark:
    """The compiled grammar; its parse builds the nodes as it reduces. Safe to share between threads."""
    from heddle.comprehensions.language.builder import Builder
    from heddle.notation.grammar import read_grammar

    return read_grammar("heddle.comprehensions.language", Builder(), maybe_placeholders=True)
