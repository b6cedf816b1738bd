"""A newcomer can read the documents: short paragraphs, sentences that end, few names of code, and no dead links."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import pytest

from docs.site.build import TOP
from docs.site.generated import PAGES
from docs.site.links import for_site, is_in_repository
from docs.site.reference.python import MODULES
from tests.documents.pages import CODE, DOCS, PARTS, ROOT, Page, Paragraph, anchors_of, pages, parse, read

SITE = [*(DOCS / name for name in TOP), *pages(*PARTS)]
LENGTHS = {"README.md": 600, "docs/architecture.md": 1500, "CONTRIBUTING.md": 1200}
"""Of what everybody reads first."""
GENERATED = {DOCS / "glossary.md"}
WRITTEN = sorted({*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"} - GENERATED)
MOST_WORDS_IN_ALL = 22_800
"""Of everything that people write, in text, lists and tables: who adds a page says elsewhere less. What is generated is
looked up and not read; a listing runs, and is code."""
MOST_BYTES_IN_ALL = 147_000
"""Of the same."""
MOST_BYTES_WITH_LISTINGS = 195_000
"""Of every document, the glossary and all listings as well."""
BESIDE_CODE = [ROOT / name for name in ("benchmarks/README.md", "proofs/README.md", "tests/README.md")]
"""Recipes that lie where they are followed."""
MOST_WORDS = 120
LONGEST_SENTENCE = 35
SENTENCES_ON_AVERAGE = 20
SPANS_OF_100_WORDS = 5
TERMS = [entry["term"] for entry in json.loads((ROOT / "frontend/src/text/glossary.json").read_text())]

INSTEAD = {
    r"non-zeros?": "nonzero",
    r"time stamp": "timestamp",
    r"sub-?matrix block": "block",
    r"work-space|work space": "workspace",
    r"meta-data": "metadata",
    r"fibers?": "fibre",
    r"co-?ordinates? list format": "COO",
    r"index-notation": "index notation",
    r"bandwith": "bandwidth",
}
"""Other spellings, as regular expressions, and the one of the glossary."""


def spellings(term: str) -> list[str]:
    """Wrong ways to write a term of the glossary: an acronym in small letters, a hyphen that is left out."""
    if term.isupper():
        return [term.capitalize(), term.lower()] if len(term) > 2 else []
    return [term.replace("-", ""), term.replace("-", " ")] if "-" in term and term != "two-phase assembly" else []


WRONG = INSTEAD | {re.escape(wrong): term for term in TERMS for wrong in spellings(term) if wrong.lower() != "stream"}


def identify(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", [*WRITTEN, *BESIDE_CODE, *sorted(GENERATED)], ids=identify)
def test_a_page_reads_well(path: Path) -> None:
    assert faults(read(path), few_spans=path.parent in (ROOT / "docs" / "learn", ROOT / "docs" / "understand")) == []


@pytest.mark.parametrize("name", [name for name in PAGES if not name.startswith("reference/python")])
def test_a_page_that_is_generated_reads_well(name: str, tmp_path: Path) -> None:
    assert faults(page_of(tmp_path, PAGES[name]()), few_spans=False) == []


@pytest.mark.parametrize("module", MODULES)
def test_what_the_python_reference_says_reads_well(module: str, tmp_path: Path) -> None:
    """Up to the sections of a docstring, which are lists of arguments, results and errors."""
    texts = [re.split(r"\n\n\w[\w ]*\n-+\n", text)[0] for text in docstrings(import_module(module))]
    assert faults(page_of(tmp_path, "\n\n".join(texts)), few_spans=False) == []


def docstrings(value: object) -> Iterator[str]:
    """Of a module, or a class, and of all that is public in it."""
    if inspect.ismodule(value):
        members = {name: getattr(value, name) for name in value.__all__}
    elif inspect.isclass(value):
        members = {name: member for name, member in vars(value).items() if not name.startswith("_")}
    else:
        members = {}
    ours = inspect.ismodule(value) or str(getattr(value, "__module__", "heddle")).startswith("heddle")
    if ours and not isinstance(value, (str, int, tuple, dict)) and (text := inspect.getdoc(value)):
        yield text
        for member in members.values():
            yield from docstrings(member)


def faults(page: Page, few_spans: bool) -> list[str]:
    found = []
    for paragraph in page.paragraphs:
        if paragraph.words > MOST_WORDS:
            found.append(f"line {paragraph.line}: a paragraph of {paragraph.words} words; {MOST_WORDS} are read")
        for sentence in paragraph.sentences:
            if (words := len(sentence.split())) > LONGEST_SENTENCE:
                found.append(f"line {paragraph.line}: a sentence of {words} words: {sentence[:40]}…")
    lengths = [len(sentence.split()) for paragraph in page.paragraphs for sentence in paragraph.sentences]
    if lengths and sum(lengths) > SENTENCES_ON_AVERAGE * len(lengths):
        found.append(
            f"sentences of {sum(lengths) / len(lengths):.1f} words on average; {SENTENCES_ON_AVERAGE} are read"
        )
    spans, words = (sum(getattr(each, name) for each in page.paragraphs) for name in ("spans", "words"))
    if few_spans and 100 * spans > SPANS_OF_100_WORDS * words:
        found.append(f"{100 * spans / words:.1f} code spans among 100 words; {SPANS_OF_100_WORDS} are read")
    return found


@pytest.mark.parametrize("name", LENGTHS)
def test_what_everybody_reads_is_short(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").split()) <= LENGTHS[name]


def test_the_documents_are_short_together() -> None:
    texts = [without_listings(path.read_text(encoding="utf-8")) for path in WRITTEN]
    assert sum(map(words_of, texts)) <= MOST_WORDS_IN_ALL
    assert sum(len(text.encode()) for text in texts) <= MOST_BYTES_IN_ALL
    assert sum(path.stat().st_size for path in (*WRITTEN, *GENERATED)) <= MOST_BYTES_WITH_LISTINGS
    assert words_of(without_listings("| a `b` | 2 |\n|---|---|\n<!-- prints -->\n```text\nc d\n```\n- e\n")) == 4


def without_listings(text: str) -> str:
    """What a reader reads: without listings, directives, and comments, which nobody sees."""
    seen = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return re.sub(r"^( *)(```+).*?^\1\2\s*$", "", seen, flags=re.DOTALL | re.MULTILINE)


def words_of(text: str) -> int:
    """With a letter or a digit; marks of tables and lists are none."""
    return sum(bool(re.search(r"\w", word)) for word in text.split())


@pytest.mark.parametrize("path", SITE, ids=identify)
def test_links_lead_somewhere(path: Path) -> None:
    assert [link for link in read(path).links if not leads_somewhere(path, link)] == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_links_of_the_repository_lead_to_files(name: str) -> None:
    """On a forge, where no page is generated."""
    page = read(ROOT / name)
    assert [link for link in page.links if not leads_to_a_file(page, link)] == []


def leads_to_a_file(page: Page, link: str) -> bool:
    target, _, anchor = unquote(link).partition("#")
    file = (page.path.parent / target).resolve() if target else page.path
    return file.exists() and (not anchor or anchor in read(file).anchors)


def leads_somewhere(path: Path, link: str) -> bool:
    target, _, anchor = unquote(link).partition("#")
    file = (path.parent / target).resolve() if target else path
    if file.name in ("sources.toml", "references.bib") and file.exists():
        file = DOCS / "reference/sources.md"
    if (name := os.path.relpath(file, DOCS)) in PAGES:
        # What Sphinx makes of a module is known to the build of the site alone.
        return not anchor or name.startswith("reference/python") or anchor in anchors_of_generated(name)
    if is_in_repository(PurePosixPath(path.relative_to(DOCS)), target):
        return file.exists()  # The site shows its path.
    if not file.exists() or not file.is_relative_to(DOCS):
        return False
    return not anchor or anchor in read(file).anchors


@cache
def anchors_of_generated(name: str) -> frozenset[str]:
    return anchors_of(parse(PAGES[name]()))


QUESTIONS_OF_A_PAGE = 5
QUESTION = re.compile(r"^\d\. \[(.+\?)\]\(#([\w-]+)\)$", re.MULTILINE)


@pytest.mark.parametrize("path", [path for path in pages("understand") if path.stem != "index"], ids=identify)
def test_a_concept_answers_what_a_newcomer_asks_where_it_says(path: Path) -> None:
    _, _, questions = path.read_text(encoding="utf-8").partition("\n## Questions\n")
    asked = QUESTION.findall(questions)
    assert len(asked) == QUESTIONS_OF_A_PAGE == len(questions.strip().splitlines())
    assert {anchor for _, anchor in asked} <= read(path).anchors - {"questions"}


@pytest.mark.parametrize("path", [path for path in pages("understand") if path.stem != "index"], ids=identify)
def test_a_concept_says_what_it_is_and_why_and_where_and_shows_it(path: Path) -> None:
    page, text = read(path), path.read_text(encoding="utf-8")
    assert re.match(r"# .+\n\n[^.]*\*[\w/ -]+\*[^.]* (?:is|are|runs|says|connects|approximates)\b", text), "no noun"
    assert {"why", "where-in-the-code"} <= page.anchors
    assert page.listings or "](../images/understand/" in text


FILE_NAME = re.compile(r"`([\w/-]+(?:\.py|/))`")


@pytest.mark.parametrize("path", [DOCS / "architecture.md", DOCS / "a-plans-way.md", *BESIDE_CODE], ids=identify)
def test_files_that_a_page_names_are_there(path: Path) -> None:
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    places = {f"/{name}" for file in files for name in (file, *map(str, PurePosixPath(file).parents))}
    names = FILE_NAME.findall(path.read_text(encoding="utf-8"))
    assert names
    assert [name for name in names if not any(place.endswith(f"/{name.rstrip('/')}") for place in places)] == []


@pytest.mark.parametrize("path", SITE, ids=identify)
def test_terms_are_spelt_as_in_the_glossary(path: Path) -> None:
    assert misspelt(read(path).paragraphs) == []


def misspelt(paragraphs: tuple[Paragraph, ...]) -> list[str]:
    return [
        f"line {paragraph.line}: {found[0]}: write {right}"
        for paragraph in paragraphs
        for wrong, right in WRONG.items()
        if (found := re.search(rf"(?<![\w./-]){wrong}(?![\w-])", paragraph.text, 0 if right.isupper() else re.I))
    ]


def page_of(tmp_path: Path, text: str) -> Page:
    (tmp_path / "page.md").write_text(text)
    return read(tmp_path / "page.md")


def test_what_is_hard_to_read_is_told(tmp_path: Path) -> None:
    text = (
        f"# T\n\n{'Five words are in it. ' * 25}\n\n{'word ' * 36}\nends.\n\n- `a` and `b`\n\n| `c` |\n|---|\n| `d` |\n"
    )
    assert faults(page_of(tmp_path, text), few_spans=True) == [
        "line 3: a paragraph of 125 words; 120 are read",
        "line 5: a sentence of 37 words: word word word word word word word word …",
    ]
    few = page_of(tmp_path / "..", f"`a` `b` {'word ' * 18}\n")
    assert faults(few, few_spans=True) == ["10.0 code spans among 100 words; 5 are read"]
    assert faults(few, few_spans=False) == []
    assert few.paragraphs[0].text.startswith(f"{CODE} {CODE} word")


def test_dead_links_and_other_spellings_are_told(tmp_path: Path) -> None:
    page = DOCS / "index.md"
    assert leads_somewhere(page, "learn/index.md#learn")
    assert leads_somewhere(page, "reference/commands.md#split")
    assert leads_somewhere(page, "sources.toml#t45")
    assert leads_somewhere(page, "references.bib")
    assert not leads_somewhere(page, "sources.toml#t99")
    assert not leads_somewhere(page, "learn/sources.toml")
    assert not leads_somewhere(page, "learn/index.md#nowhere")
    assert not leads_somewhere(page, "learn/none.md")
    assert not leads_somewhere(page, "../README.md"), "the site does not have it"
    assert leads_somewhere(DOCS / "understand/vectors.md", "../../compiler/heddle/pipeline.py")
    assert not leads_somewhere(DOCS / "understand/vectors.md", "../../compiler/heddle/none.py")
    wrong = page_of(tmp_path, "A coiteration of non-zeros in Csr.\n")
    assert misspelt(wrong.paragraphs) == [
        "line 1: non-zeros: write nonzero",
        "line 1: coiteration: write co-iteration",
        "line 1: Csr: write CSR",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[it](../../compiler/heddle/names.py) is", "`compiler/heddle/names.py` is"),
        ("[trees](../sources.toml#t3)", '<a href="../reference/sources.html#t3">trees</a>'),
        ("[ids](../sources.toml)", "[ids](../reference/sources.md)"),
        ("[papers](../references.bib)", "[papers](../reference/sources.md#papers)"),
        ("[terms](../glossary.md)", "[terms](../reference/glossary.md)"),
        ("[page](glossary.md#part) ![x](../images/a.svg)", "[page](glossary.md#part) ![x](../images/a.svg)"),
        ("```\n[x](../glossary.md)\n```\n", "```\n[x](../glossary.md)\n```\n"),
    ],
)
def test_links_of_the_repository_are_those_of_the_site(text: str, shown: str) -> None:
    assert for_site(PurePosixPath("understand/page.md"), text) == shown
