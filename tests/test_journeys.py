"""The ledgers of journeys and compositions name a test for each line: the test is there under that name."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import playwright

from heddle_server.static.answers import ROUTES

ROOT = Path(__file__).resolve().parent.parent
NAMED = re.compile(r"`(?P<file>test_\w+\.py)(?:::(?P<test>test_\w+))?`")


def named() -> list[tuple[str, str | None]]:
    text = (ROOT / "e2e" / "journeys.md").read_text(encoding="utf-8")
    return [(match["file"], match["test"]) for match in NAMED.finditer(text)]


def names_in(file: str) -> set[str]:
    """The tests of all files of this name."""
    paths = [path for folder in ("e2e", "tests") for path in (ROOT / folder).rglob(file)]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_test_that_the_journeys_name_is_there() -> None:
    assert len(named()) > 60
    known = {file: names_in(file) for file, _ in named()}
    absent = [(file, test) for file, test in named() if not known[file] or test not in {*known[file], None}]
    assert absent == []


def test_every_promise_of_sums_of_parts_names_what_holds_it() -> None:
    text = (ROOT / "tests" / "differential" / "compositions.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    promises = [row for row in rows if row not in (["promise", "held by"], ["wanted", "command"])]
    assert len(promises) > 50
    held = re.compile(r"`(?:test_\w+\.py|[\w-]+\.test\.tsx?|\./heddle |python -m )")
    assert [row for row in promises if len(row) != 2 or not held.search(row[1])] == []


def test_what_a_journey_needs_a_server_for_is_a_route_that_no_folder_answers() -> None:
    """Files of the page, and addresses that are none of its, are no part of the API's description."""
    described = json.loads((ROOT / "backend/heddle_server/openapi.json").read_text(encoding="utf-8"))["paths"]
    served = {f"{method.upper()} {path.removeprefix('/api/v1')}" for path, ways in described.items() for method in ways}
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "e2e").rglob("test_*.py")]
    named = {route for text in texts for route in re.findall(r'needs_server\("([^"]+)"\)', text)}
    assert len(named) > 6
    assert named - served == {"GET /assets", "GET /{path}"}
    assert named & {f"{route.method} {route.path}" for route in ROUTES} == set()


def test_no_journey_holds_what_the_page_may_draw_anew() -> None:
    """Nor changes the size of the window without waiting for its layout (e2e/pages/window.py)."""
    fleeting = re.compile(r"\.(?:element_handles?|query_selector(?:_all)?|set_viewport_size)\(")
    files = [path for path in (ROOT / "e2e").rglob("*.py") if path.name != "window.py"]
    assert len(files) > 60
    assert [path.name for path in files if fleeting.search(path.read_text(encoding="utf-8"))] == []


def test_a_journey_with_a_clock_has_a_context_to_itself() -> None:
    """Playwright stops the time of a whole context, and that of the shared tab (e2e/shared_tab.py) has to go on."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "e2e").rglob("test_*.py")]
    journeys = [node for text in texts for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    clocks = [node for node in journeys if ".clock." in ast.unparse(node)]
    assert clocks != []
    assert [node.name for node in clocks if "context" not in {argument.arg for argument in node.args.args}] == []


def test_what_the_journeys_change_in_playwrights_driver_is_there() -> None:
    """With another version of Playwright an expectation that has to wait would cost as much as a page again."""
    preload = (ROOT / "e2e" / "quiet_expectations.cjs").read_text(encoding="utf-8")
    changed = re.findall(r"""const (?:DESCRIBES|OVERRIDES|OVERRIDES_OF_PAGE) = ["'](.+)["'];""", preload)
    assert len(changed) == 3
    driver = Path(playwright.__file__).parent / "driver" / "package" / "lib" / "coreBundle.js"
    assert [driver.read_text(encoding="utf-8").count(text) for text in changed] == [1, 1, 1]
