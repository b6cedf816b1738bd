"""The grammar of index notation, compiled on first use (``grammar.lark``), and how a grammar becomes a parser."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark, Transformer

EXAMPLE = "y(i) = A(i,j) * x(j)"
GRAMMAR = "grammar.lark"
TABLES = "grammar.tables"
"""What lark itself stores: it takes tables of another text, of other options or of another version for none, and stores
them anew. Only the explorer without a server has them, where compiling a grammar would be most of a first compile."""


@cache
def load_grammar() -> Lark:
    """The compiled grammar; its parse builds the nodes as it reduces. Safe to share between threads."""
    from heddle.notation.builder import Builder

    return read_grammar("heddle.notation", Builder(), start=["program", "expression"])


def read_grammar(package: str, transformer: Transformer[Any, Any], **options: object) -> Lark:
    """The LALR parser of the grammar in ``package``: from tables that lie beside its text, else compiled from it.
    ``options`` as for ``Lark``."""
    from lark import Lark

    home = resources.files(package)
    tables = home.joinpath(TABLES)
    stored = str(tables) if isinstance(tables, Path) and tables.is_file() else False
    text = home.joinpath(GRAMMAR).read_text(encoding="utf-8")
    return Lark(text, parser="lalr", transformer=transformer, cache=stored, **options)
