"""References lead somewhere: comments and documents cite ids of docs/sources.toml, or an author and a year of
docs/references.bib, and no document or file that the repository does not have."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest

from docs.site.generated import PAGES
from docs.site.reference.sources import meanings, sources
from docs.site.reference.sources import papers as listed_papers

ROOT = Path(__file__).parent.parent
SOURCES = "docs/sources.toml"
FOLDERS = (
    "backend",
    "benchmarks",
    "compiler",
    "docs",
    "e2e",
    "frontend/src",
    "kernels_cache",
    "proofs",
    "tests",
    "tools",
)
UNWRITTEN = ("e2e/output/", "frontend/src/api/schema.gen.ts")
"""What nobody wrote: pictures of journeys, the types of the API."""

COMMENTED = {".c", ".cl", ".cpp", ".css", ".cu", ".h", ".hpp", ".ts", ".tsx"}

ONE_ID = r"(?:[DGTVX]\d{1,2}|A\.\d{1,2})"
ID = re.compile(rf"(?<![\w.#/-]){ONE_ID}(?: to {ONE_ID})?(?![\w-])")
DEFINITION = re.compile(r'^\| <a id="(\w+)"></a>(\S+) \| (.+) \|$', re.MULTILINE)
ABSENT = re.compile(
    r"\b(?:DESIGN|FEATURES|PANELS|PERFORMANCE|ORACLES|EXPERIMENTS|BEYOND)\b|\bspec [A-Z]|\b[Pp]aper \d|\bpanel V\d"
)
"""Documents of the project's planning, and numbers of papers in place of authors."""

AUTHORS = re.compile(
    r"\b((?:[A-Z][a-z]+, )*[A-Z][a-z]+(?: et al\.| and (?:[a-z]+ )*[A-Z][a-z]+)?) \(?((?:19|20)\d\d)\b(?!-\d)"
)
"""``Chou et al. 2018``, ``Okabe and Ito (2008)``, ``Gustavson 1978``."""

MONTHS_AND_PROGRAMS = {"August", "Jan", "May", "Version"}
MARKDOWN = re.compile(r"(?<![\w/.:-])((?:[\w.-]+/)*[\w-]+\.md)\b(?:#([\w-]+))?")
FILE = re.compile(r"(?<![\w/.*<>{}-])((?:[\w-]+/)*[\w.-]*\w\.(?:py|tsx?|css))(?![\w(/])")
NAMED_TEST = re.compile(r"((?:[\w-]+/)*test_\w+\.py)?::(test_\w+)")
"""``test_x.py::test_y``; ``::test_z`` after it is of the same file."""
RECIPES_MAKE = ("schedule/primitives/interchange", "formats/levels/pitched", "loop_ir/passes/exact_reciprocals")
INVENTED = {
    "frontend/src/panels/loops/Loops.tsx",
    "utils.py",
    "Component.tsx",
    "in-words.ts",
    "use-something.ts",
    "reproduce.py",
    "first.py",
}
INVENTED |= {f"compiler/heddle/{name}.py" for name in RECIPES_MAKE}
INVENTED |= {"17-empty-rows.md", "homework.md"}
"""Names of files in examples and rules."""
PYTHON = re.compile(r'"{3}.*?"{3}|#[^\n]*', re.DOTALL)
C_FAMILY = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


def written(comments: re.Pattern[str], text: str) -> str:
    """The comments and docstrings of a program; a string that looks like one is taken for one."""
    return "\n\n".join(comments.findall(text))


@cache
def texts() -> dict[str, str]:
    """What people read in each file: comments and docstrings, of Markdown and of the ids everything."""
    found = {}
    for path in (*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.*")))):
        name = path.relative_to(ROOT).as_posix()
        if path == Path(__file__) or not path.is_file() or name.startswith(UNWRITTEN):
            continue
        if path.suffix == ".py":
            found[name] = written(PYTHON, path.read_text())
        elif path.suffix in COMMENTED:
            found[name] = written(C_FAMILY, path.read_text())
        elif path.suffix == ".md" or name == SOURCES:
            found[name] = path.read_text()
    return found


def cited(text: str) -> set[str]:
    """The ids in a text; of ``T26 to T28`` those between as well."""
    found: set[str] = set()
    for match in ID.findall(text):
        first, _, last = match.partition(" to ")
        prefix, number = re.match(r"(\D+)(\d+)", first).groups()  # type: ignore[union-attr]
        end = int(re.sub(r"\D", "", last or number))
        found |= {f"{prefix}{each}" for each in range(int(number), end + 1)}
    return found


def definitions() -> dict[str, str]:
    """What docs/sources.toml says of each id. Those with a C name the language elsewhere."""
    return {name: said for name, said in meanings().items() if re.fullmatch(ONE_ID, name)}


def citations() -> dict[str, set[str]]:
    """The ids that each file cites, docs/sources.toml itself left out."""
    return {name: ids for name, text in texts().items() if name != SOURCES and (ids := cited(text))}


def papers(text: str) -> set[str]:
    """Papers that a text cites by author and year."""
    found = {f"{authors} {year}" for authors, year in AUTHORS.findall(re.sub(r"\s+", " ", text))}
    return {paper for paper in found if paper.split()[0] not in MONTHS_AND_PROGRAMS}


def dead_documents(name: str, text: str) -> set[str]:
    """Markdown files that a text names and that are neither beside it, nor in the root, nor in docs; what makes
    pages of the reference names those beside them."""
    places = ((ROOT / name).parent, ROOT, ROOT / "docs", *([ROOT / "docs/reference"] if "docs/site/" in name else []))
    named = {document for document, _ in MARKDOWN.findall(text)} - INVENTED
    return {document for document in named if not any(is_there(place / document) for place in places)}


def is_there(document: Path) -> bool:
    """In the repository, or generated with the site."""
    return document.exists() or os.path.relpath(document, ROOT / "docs") in PAGES


@cache
def endings() -> frozenset[str]:
    """The path of each file of the repository, and all its ends: ``a/b/c.py``, ``b/c.py``, ``c.py``."""
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")]
    parts = [path.relative_to(ROOT).parts for path in (*files, *ROOT.glob("*.*"))]
    return frozenset("/".join(path[start:]) for path in parts for start in range(len(path)))


def dead_files(text: str) -> set[str]:
    """Programs that a text names, by their path or a part of it, and that are not there."""
    return set(FILE.findall(text)) - endings() - INVENTED


def dead_tests(text: str) -> set[str]:
    """Tests that a text names, and that are not in a file of that name."""
    dead, file = set[str](), ""
    for named, test in NAMED_TEST.findall(text):
        file = named or file
        places = (path for folder in ("tests", "e2e") for path in (ROOT / folder).rglob(file or "-"))
        if not any(re.search(rf"^(?:async )?def {test}\(", path.read_text(), re.MULTILINE) for path in places):
            dead.add(f"{file}::{test}")
    return dead


def test_nothing_cites_a_document_that_is_not_there() -> None:
    assert {name: found for name, text in texts().items() if (found := ABSENT.findall(text))} == {}
    assert {name: dead for name, text in texts().items() if (dead := dead_documents(name, text))} == {}


def test_the_files_that_are_named_are_there() -> None:
    assert {name: dead for name, text in texts().items() if (dead := dead_files(text))} == {}


def test_the_tests_that_documents_name_are_there() -> None:
    documents = {name: text for name, text in texts().items() if name.endswith(".md")}
    assert {name: dead for name, text in documents.items() if (dead := dead_tests(text))} == {}


def test_every_id_that_is_cited_is_defined() -> None:
    assert {name: unknown for name, ids in citations().items() if (unknown := ids - set(definitions()))} == {}


def test_every_id_that_is_defined_is_cited() -> None:
    assert set(definitions()) - set().union(*citations().values()) == set()


def test_a_file_that_cites_an_id_says_where_it_is_defined() -> None:
    """The file, or the page of the site that is made of it."""
    assert [name for name in citations() if not re.search(r"\bsources\.(?:toml|md)\b", texts()[name])] == []


def test_papers_are_listed_by_author_and_year() -> None:
    listed = papers("; ".join(paper.shorthand for paper in listed_papers()))
    assert {name: unlisted for name, text in texts().items() if (unlisted := papers(text) - listed)} == {}


def test_ids_have_anchors_and_texts() -> None:
    page = sources()
    rows = DEFINITION.findall(page)
    assert len(rows) == len(meanings()) > len(definitions()) > 80
    assert {name for _, name, said in rows if said} == set(meanings())
    assert [name for anchor, name, _ in rows if anchor != name.lower().replace(".", "")] == []
    assert page.count('<a id="') == len(rows)
    assert set(re.findall(r'href="#(\w+)"', page)) <= {anchor for anchor, _, _ in rows}


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("docs/sources.toml T26 to T28, V6", {"T26", "T27", "T28", "V6"}),
        ("listings A.9 to A.11", {"A.9", "A.10", "A.11"}),
        ("(G8). sources.md#t45, V100, x-T4, ``T.n``", {"G8"}),
    ],
)
def test_ids_are_found(text: str, ids: set[str]) -> None:
    assert cited(text) == ids


def test_what_leads_nowhere_is_found() -> None:
    assert "T99" not in definitions()
    assert papers("as Nobody et\n    al. 1903 and Okabe and Ito (2008) say") == {
        "Nobody et al. 1903",
        "Okabe and Ito 2008",
    }
    assert dead_documents("compiler/heddle/origin.py", "docs/glossary.md, docs/nowhere.md") == {"docs/nowhere.md"}
    assert dead_files("as in origin.py, runtime/origin.py and views/graph/graph.py") == {"runtime/origin.py"}
    assert dead_tests("`test_sources.py::test_ids_are_found`, `::test_nothing_at_all`, `test_no.py::test_x`") == {
        "test_sources.py::test_nothing_at_all",
        "test_no.py::test_x",
    }
    assert all(
        ABSENT.search(text) for text in ("(DESIGN §3.4)", "spec PERFORMANCE, SpMM", "paper 000 §6.3", "panel V22")
    )
    assert cited(written(PYTHON, 'x = "T1"  # T2\n"""T3"""\n')) == {"T2", "T3"}
    assert cited(written(C_FAMILY, "const x = 'T1'; // T2\n/* T3 */")) == {"T2", "T3"}
