"""The directive ``{grammar}``: the rules of a grammar file, as a reader wants them.

Lark's files also say how a tree is made of each rule, and how a token is cut out of the text. A page shows neither: the
names of nodes are left out, and where a token is one sign or word, that stands in its place.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 110
_DEFINITION = re.compile(r"^[?!]?(_?[A-Za-z]\w*)(?:\.\d+)?\s*:\s*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_NODE = re.compile(r"\s*->\s*\w+")
_ONE_SPELLING = re.compile(r'"([^"]+)"|/\\?(\w+|\W)(?:\(\?[=!].*)?/')
"""A string, or a regular expression for one word or sign, with what must follow it."""


class GrammarRules(SphinxDirective):
    """The argument is the grammar file, by its path in the repository."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        path = ROOT / self.arguments[0]
        self.env.note_dependency(str(path))
        text = "\n".join(rules(path.read_text(encoding="utf-8")))
        return [nodes.literal_block(text, text, language="text")]


def rules(grammar: str) -> Iterator[str]:
    """Each rule of ``grammar``, on a line of its own or on several, in the order of the file."""
    text = re.sub(r"^\s*//.*\n", "", grammar, flags=re.MULTILINE)
    definitions = dict(_DEFINITION.findall(text))
    spellings = {name: spelling for name, body in definitions.items() if (spelling := spelling_of(name, body))}
    for name, body in definitions.items():
        if name.islower():
            plain = " ".join(_NODE.sub("", body).split())
            spelt = re.sub(r"\b_?[A-Z]+\b", lambda token: spellings.get(token[0], token[0].lstrip("_")), plain)
            yield textwrap.fill(f"{name}: {spelt}", WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def spelling_of(name: str, body: str) -> str | None:
    """How a token is written, in quotes; None of a rule, and of a token that is written in several ways."""
    if name.islower() or not (match := _ONE_SPELLING.fullmatch(body.strip())):
        return None
    return f'"{match[1] or match[2]}"'


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("grammar", GrammarRules)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
