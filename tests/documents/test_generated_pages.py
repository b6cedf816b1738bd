"""What is generated with the site is whole: pictures show today's compiler, claims name their measurement, and the
reference has every command, setting and route."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from sphinx.application import Sphinx

from docs.site.generated import PAGES
from docs.site.grammar import ROOT, rules
from docs.site.offline import finish_pages
from docs.site.pictures import IMAGES, PICTURES
from docs.site.plan_link import fragment, to_explorer
from docs.site.reference.http import http
from docs.site.reference.pattern_steps import pattern_steps
from docs.site.reference.settings import settings
from docs.site.reference.speed import KERNELS, against, headline, speed
from heddle.patterns.rules.laws import RULES
from heddle.patterns.rules.steps import PARAMETER_RULES
from heddle_server.http.quotas import QUOTAS
from heddle_server.places import PACKAGE
from heddle_server.settings import Settings
from tests.documents.pages import DOCS, read
from tools.__main__ import COMMANDS


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_show_the_compiler_as_it_is(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == PICTURES[name](), "python -m docs.site.pictures draws it"


def test_every_claim_names_its_measurement() -> None:
    rows = [line for line in speed().splitlines() if line.startswith("| ") and line.count("|") == 10][1:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if "machine | class" not in row]
    assert len(cells) > 60
    for cpu, _, setting, _, inputs, ratio, worst, origin, command in cells:
        assert cpu
        assert re.fullmatch(r"(float|complex)\d+, \d+", setting)
        assert int(inputs) > 0
        assert float(ratio) >= float(worst.split(",")[0]) > 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\d, [0-9a-f]{8}", origin)
        assert command.startswith("`./heddle bench ")
    assert all(sentences.count(". ") < 3 for _, sentences in KERNELS.values())


def test_a_measurement_is_told_by_its_headline() -> None:
    row = {"kernel": "spmv+formats", "dtype": "float64", "threads": 2, "opponent": "best opponent"}
    smaller, narrower, scipy = row | {"threads": 1}, row | {"dtype": "float32"}, row | {"opponent": "scipy"}
    mkl = row | {"opponent": "mkl"}
    assert headline([smaller, row, narrower, scipy, mkl]) == [row, mkl]
    assert headline([row, scipy]) == [row, scipy]
    assert headline([]) == []
    assert against(mkl, "spmv") == "mkl, formats"
    assert against(mkl | {"kernel": "mttkrp-4"}, "mttkrp") == "mkl, 4"


def test_the_reference_lacks_nothing() -> None:
    variables = set(re.findall(r"^\| `HEDDLE_(\w+)`", settings(), re.MULTILINE))
    assert variables == {name.upper() for name in Settings.model_fields}
    paths = json.loads((PACKAGE / "openapi.json").read_text(encoding="utf-8"))["paths"]
    routes = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert set(re.findall(r"^### (.*)$", http(), re.MULTILINE)) == routes
    assert [
        path for path, methods in paths.items() if not all(each.get("description") for each in methods.values())
    ] == []
    assert set(re.findall(r"^## (.*)$", PAGES["reference/command-line.md"](), re.MULTILINE)) == set(COMMANDS)
    assert len(re.findall(r"^\| `[A-Z]+ /api/v1/.*…` \|", http(), re.MULTILINE)) == len(QUOTAS)
    steps = set(re.findall(r"^\| `(\w+)\(", pattern_steps(), re.MULTILINE))
    assert steps == {*RULES, *PARAMETER_RULES}


def test_a_grammar_shows_its_rules_and_spells_their_signs() -> None:
    grammar = """
// a comment
?sum: term
    | sum PLUS term       -> binary
term.2: DEF NAME (_END NAME)*
PLUS: "+"
DEF.3: /def(?![a-z])/
NAME: /[a-z]+/
_END: /;|\\n/
"""
    assert list(rules(grammar)) == ['sum: term | sum "+" term', 'term: "def" NAME (END NAME)*']


def test_the_page_of_grammars_has_every_rule() -> None:
    files = [each.language.split()[1] for each in read(DOCS / "reference/grammars.md").listings if "{" in each.language]
    assert len(files) == 2
    for file in files:
        grammar = (ROOT / file).read_text(encoding="utf-8")
        names = re.findall(r"^\??([a-z]+):", grammar, re.MULTILINE)
        assert [rule.partition(":")[0] for rule in rules(grammar)] == names


def test_a_plan_becomes_an_address_of_the_explorer() -> None:
    assert (
        fragment({"expression": "y(i) = A(i,j)"}) == "j1.%7B%22expression%22%3A%22y%28i%29%20%3D%20A%28i%2Cj%29%22%7D"
    )
    assert to_explorer("learn/first") == "../../"
    assert to_explorer("index") == "../"


def test_a_page_runs_no_script_of_its_own_and_can_be_read_with_the_keyboard_alone(tmp_path: Path) -> None:
    page = tmp_path / "learn" / "page.html"
    page.parent.mkdir()
    (tmp_path / "_static").mkdir()
    page.write_text(
        '<html data-content_root="../"><script>\nrun()\n</script><pre>x</pre><p>text</p><p><img src="a.svg"></p>'
        '<div class="table-wrapper docutils container"></div><aside class="toc-drawer"></aside></html>'
    )
    app = SimpleNamespace(builder=SimpleNamespace(name="html"), outdir=tmp_path)
    finish_pages(cast(Sphinx, app), None)
    finish_pages(cast(Sphinx, app), None)
    assert page.read_text() == (
        '<html data-content_root="../"><script src="../_static/inline-0.js"></script><pre tabindex="0">x</pre>'
        '<p>text</p><p tabindex="0"><img src="a.svg"></p>'
        '<div class="table-wrapper docutils container" tabindex="0"></div>'
        '<aside class="toc-drawer" aria-label="This page"></aside></html>'
    )
    assert (tmp_path / "_static" / "inline-0.js").read_text() == "run()\n"
