"""What the documents show works: Python and shell listings run, printed texts are those, and plans compile."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from heddle.cli.program import REPOSITORY_COMMANDS
from heddle.cli.program import main as heddle
from tests.documents.pages import DOCS, PARTS, ROOT, Listing, pages, read

PLAN = "{plan}"
LONGEST_TUTORIAL = 900
"""Words, those of its listings as well."""

UNTIL_STOPPED = ("serve", "scheduler", "worker")
"""Commands that do not end by themselves."""
WITH_LISTINGS = [path for path in [*DOCS.glob("*.md"), *pages(*PARTS), ROOT / "README.md"] if read(path).listings]


@pytest.mark.parametrize(
    "path",
    WITH_LISTINGS,
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_the_listings_of_a_page_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(read(path).listings, path.name)


def run(listings: tuple[Listing, ...], name: str) -> None:
    """One after the other, in one namespace. A fault is raised with the line of the page that it comes from."""
    names: dict[str, Any] = {"__name__": "__page__"}
    printed = ""
    for listing in listings:
        place = f"{name}:{listing.line}"
        if listing.label.startswith("not executed"):
            continue
        match listing.language.partition(" ")[0]:
            case "python":
                printed = run_python(listing, place, names)
            case "sh":
                printed = "".join(run_command(words, place) for words in commands(listing.text))
            case "{plan}":
                compile_plan(listing, place)
            case _ if listing.label == "prints":
                assert listing.text.strip() == printed.strip(), f"{place} is not what the listing before it prints"
            case _ if listing.label == "prints, shortened":
                assert holds_in_order(printed, listing.text), f"{place} is not what the listing before it prints"


def holds_in_order(printed: str, shortened: str) -> bool:
    """Whether the parts between lines of ``…`` stand in the text that was printed, one after the other."""
    start = 0
    for part in re.split(r"^\s*…\s*$", shortened, flags=re.MULTILINE):
        place = printed.find(part.strip("\n"), start)
        if place < 0:
            return False
        start = place + len(part.strip("\n"))
    return True


def run_python(listing: Listing, place: str, names: dict[str, Any]) -> str:
    code = compile("\n" * listing.line + listing.text, place.rpartition(":")[0], "exec", dont_inherit=True)
    with redirect_stdout(io.StringIO()) as output:
        exec(code, names)
    return output.getvalue()


def commands(text: str) -> Iterator[list[str]]:
    """The words of each command, those of a line that ends in a backslash with those of the next."""
    for line in text.replace("\\\n", " ").splitlines():
        if words := shlex.split(line, comments=True):
            yield words


def run_command(words: list[str], place: str) -> str:
    """What a command of Heddle prints. ``> file`` keeps it there instead."""
    program, *arguments = words
    assert program in ("./heddle", "heddle"), f"{place}: {program} does not run here; say <!-- not executed: … -->"
    name = " ".join((program, *arguments[:1]))
    ends = not {*arguments[:1]} & {*UNTIL_STOPPED, *REPOSITORY_COMMANDS}
    assert ends, f"{place}: {name} does not run here; say <!-- not executed: … -->"
    file = None
    if ">" in arguments:
        *arguments, _, file = arguments
    remarks = io.StringIO()
    with redirect_stdout(io.StringIO()) as output, redirect_stderr(remarks):
        try:
            code = heddle(arguments)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    assert code == 0, f"{place}: {shlex.join(words)} ends with {code}:\n{remarks.getvalue()}{output.getvalue()}"
    if file is None:
        return remarks.getvalue() + output.getvalue()
    Path(file).write_text(output.getvalue(), encoding="utf-8")
    return ""


def compile_plan(listing: Listing, place: str) -> None:
    plan = json.loads(listing.text)
    assert "expression" in plan, f"{place}: a plan has an expression"
    Path("opened.json").write_text(json.dumps(plan), encoding="utf-8")
    run_command(["heddle", "compile", "opened.json"], place)


def listing(language: str, text: str, label: str = "") -> Listing:
    return Listing(3, language, text, label)


def test_names_live_as_long_as_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printing = listing("python", "print(x)\n")
    run((listing("python", "x = 7\n"), printing, listing("text", "7\n", "prints")), "page")
    with pytest.raises(AssertionError, match=r"page:3 is not what the listing before it prints"):
        run((listing("python", "x = 8\n"), printing, listing("text", "7\n", "prints")), "page")
    run((listing("python", "1 / 0\n", "not executed: it fails"),), "page")
    with pytest.raises(ZeroDivisionError):
        run((listing("python", "1 / 0\n"),), "page")


def test_a_shortened_text_holds_in_its_order_alone() -> None:
    assert [holds_in_order("a\nb\nc\n", text) for text in ("a\n…\nc", "c\n…\na", "a\nc", "b\nc")] == [
        True,
        False,
        False,
        True,
    ]


def test_a_tutorial_is_short_and_opens_its_plan() -> None:
    tutorials = [path for path in pages("learn") if path.stem != "index"]
    assert len(tutorials) == 5
    for path in tutorials:
        assert [each.language.split()[0] for each in read(path).listings].count(PLAN) == 1, path.name
        assert len(path.read_text(encoding="utf-8").split()) <= LONGEST_TUTORIAL, path.name


@pytest.mark.parametrize(
    ("language", "text", "says"),
    [
        ("sh", "pip install heddle-sparse\n", "page:3: pip does not run here"),
        ("sh", "./heddle serve --port 80  # ever\n", r"page:3: ./heddle serve does not run here"),
        ("sh", 'heddle compile --expression "y(i) = A(i," \\\n  -f A:csr\n', "ends with 1"),
        ("{plan} Open", '{"expression": "y(i) = A(i,j) * x(j)", "formats": {"A": "none"}}', "ends with 1"),
        ("{plan} Open", '{"formats": {}}', "a plan has an expression"),
    ],
)
def test_what_does_not_work_is_told(
    language: str, text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError, match=says):
        run((listing(language, text),), "page")
