"""The papers that Heddle builds on, and what the ids in its comments mean: docs/references.bib and
docs/sources.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypedDict

from docs.site.reference.bibliography import Paper, read_bibliography
from docs.site.reference.tables import table

DOCS = Path(__file__).resolve().parents[2]
HEAD = """# Sources

What Heddle is built on. Comments in the code cite papers by author and year, and features, panels, experiments and
listings by the ids below.

## Papers

The five that Heddle brings together:
"""
OTHERS = "Others that the code cites:"


class Section(TypedDict, total=False):
    """A section of docs/sources.toml: what ids mean, or notes on papers by their shorthand."""

    title: str
    text: str
    ids: Mapping[str, str]
    notes: Mapping[str, str]


@cache
def papers() -> tuple[Paper, ...]:
    return read_bibliography((DOCS / "references.bib").read_text(encoding="utf-8"))


@cache
def sections() -> tuple[Section, ...]:
    return tuple(tomllib.loads((DOCS / "sources.toml").read_text(encoding="utf-8"))["section"])


def meanings() -> dict[str, str]:
    """What each id means."""
    return {name: text for section in sections() for name, text in section.get("ids", {}).items()}


def sources() -> str:
    """The page."""
    foundations = [paper_line(paper) for paper in papers() if paper.is_foundation]
    others = [paper_line(paper) for paper in papers() if not paper.is_foundation]
    return "\n".join((HEAD, *foundations, "", OTHERS, "", *others, "", *map(section_text, sections())))


def paper_line(paper: Paper) -> str:
    """A paper as an item of a list: who, what, where, links, and what Heddle takes from it."""
    fields = paper.fields
    edition = f", {fields['edition']} edition" if "edition" in fields else ""
    what = f"{fields['author'].replace(' and ', ', ')}: *{fields['title']}*{edition}."
    parts = (what, *venue(paper), *links(fields))
    return " ".join((f"- **{paper.shorthand}.**", *parts, *([fields["note"]] if "note" in fields else [])))


def venue(paper: Paper) -> Iterator[str]:
    fields = paper.fields
    pages = [f"pp. {fields['pages'].replace('--', '–')}"] if "pages" in fields else []
    pages += [f"article {fields['eid']}"] if "eid" in fields else []
    match paper.kind:
        case "article":
            number = f"({fields['number']})" if "number" in fields else ""
            head = f"{fields['journal']} {fields['volume']}{number}"
        case "inproceedings":
            volume = f", vol. {fields['volume']}" if "volume" in fields else ""
            head = f"{fields['booktitle']} {fields['year']}{volume}"
        case "book":
            head = fields["publisher"]
        case _:
            return
    yield f"{', '.join((head, *pages))}."


def links(fields: Mapping[str, str]) -> Iterator[str]:
    if "doi" in fields:
        yield f"[doi:{fields['doi']}](https://doi.org/{fields['doi']})."
    if "eprint" in fields:
        yield f"[arXiv:{fields['eprint']}](https://arxiv.org/abs/{fields['eprint']})."
    if "url" in fields:
        yield f"[{fields['url'].removeprefix('https://').rstrip('/')}]({fields['url']})."


def section_text(section: Section) -> str:
    """An id is an anchor in its row, and a link to it elsewhere."""
    rows = ((f'<a id="{anchor(name)}"></a>{name}', linked(text)) for name, text in section.get("ids", {}).items())
    ids = table(("id", "what it is"), rows) if "ids" in section else ()
    notes = (f"- **{paper}.** {text}" for paper, text in section.get("notes", {}).items())
    return "\n".join((f"## {section['title']}\n", section["text"] + "\n", *ids, *notes))


def anchor(name: str) -> str:
    return name.lower().replace(".", "")


def linked(text: str) -> str:
    """With links to the ids that it names. The anchors are no headings, which links of Markdown lead to."""
    names = "|".join(re.escape(name) for name in sorted(meanings(), key=len, reverse=True))
    return re.sub(
        rf"(?<![\w.`])({names})(?![\w.`]*\w)", lambda name: f'<a href="#{anchor(name[1])}">{name[1]}</a>', text
    )
