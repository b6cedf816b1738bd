"""The documents as their readers meet them: paragraphs with sentences and code spans, listings, links and plans."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PARTS = ("learn", "how-to", "understand", "reference")
LABEL = re.compile(r"<!-- (not executed: .+|prints(?:, shortened)?) -->")
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|et al|vs|cf|etc|approx|Sec|Fig)\.", re.IGNORECASE)
END = re.compile(r"[.!?:](?=[\"')*\]]?(?:\s|$))")
"""A colon ends a sentence too: what follows it is read as one of its own."""

CODE = "`code`"
"""A word in place of a code span."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """``spans`` is the number of code spans, each of which is one word of ``text``."""

    line: int
    text: str
    spans: int

    @property
    def words(self) -> int:
        return len(self.text.split())

    @property
    def sentences(self) -> list[str]:
        parts = END.split(ABBREVIATIONS.sub(r"\1", self.text))
        return [part.strip() for part in parts if part.strip()]


@dataclass(frozen=True, slots=True)
class Listing:
    """``label`` is what the comment before the fence says; empty without one."""

    line: int
    language: str
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Page:
    path: Path
    paragraphs: tuple[Paragraph, ...]
    listings: tuple[Listing, ...]
    links: tuple[str, ...]
    anchors: frozenset[str]

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()


@cache
def read(path: Path) -> Page:
    tokens = parse(path.read_text(encoding="utf-8"))
    return Page(
        path, tuple(paragraphs_of(tokens)), tuple(listings_of(tokens)), tuple(links_of(tokens)), anchors_of(tokens)
    )


def parse(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def pages(*parts: str) -> list[Path]:
    """The written pages of these parts of the site."""
    return [path for part in parts for path in sorted((DOCS / part).rglob("*.md"))]


def paragraphs_of(tokens: list[Token]) -> Iterator[Paragraph]:
    """Of text and of lists; tables and headings are none."""
    inside = ""
    for token in tokens:
        if token.type in ("paragraph_open", "heading_open", "td_open", "th_open"):
            inside = token.type
        if token.type == "inline" and inside == "paragraph_open" and token.map is not None:
            children = token.children or []
            text = "".join(map(_visible, children))
            yield Paragraph(token.map[0] + 1, text, sum(child.type == "code_inline" for child in children))


def _visible(token: Token) -> str:
    match token.type:
        case "text":
            return token.content
        case "code_inline":
            return CODE
        case "softbreak" | "hardbreak":
            return " "
    return ""


def listings_of(tokens: list[Token]) -> Iterator[Listing]:
    label = ""
    for token in tokens:
        if token.type == "html_block":
            found = LABEL.fullmatch(token.content.strip())
            label = found[1] if found else ""
        elif token.type == "fence" and token.map is not None:
            yield Listing(token.map[0] + 1, token.info.strip(), token.content, label)
            label = ""


def links_of(tokens: list[Token]) -> Iterator[str]:
    """Their targets, those of pictures included, without those of other sites."""
    for token in tokens:
        for child in token.children or []:
            target = child.attrGet("href") if child.type == "link_open" else child.attrGet("src")
            if isinstance(target, str) and not re.match(r"[a-z][a-z0-9+]*:", target):
                yield target


def anchors_of(tokens: list[Token]) -> frozenset[str]:
    """Of headings, as GitHub and MyST make them, and those that a page writes itself."""
    found: set[str] = set()
    for opened, token in itertools.pairwise(tokens):
        if opened.type == "heading_open":
            text = "".join(child.content for child in token.children or [])
            found.add(re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"))
        found |= set(re.findall(r'<a id="([\w-]+)"', token.content))
    return frozenset(found)
