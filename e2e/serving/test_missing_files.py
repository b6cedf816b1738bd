"""Parts of the page whose files do not come: each says so in its own place, and is there once the files come."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from e2e.console import Console
from e2e.pages.compare import Compare
from e2e.pages.explorer import Explorer
from e2e.pages.inputs import Inputs
from e2e.pages.tabs import show_tab

ROOT = Path(__file__).parents[2]
DIST = ROOT / "frontend" / "dist"
WAIT_SECONDS = 120.0
"""As long as a run may take, whose result has a file of its own."""
WHOLE_LOOKS = 10
"""In a row: what is drawn may ask for a further file a moment after it is there."""
CUT = "The connection was cut while this part of the page was loading."
OFFLINE = "Not connected: this part of the page is loaded as soon as Heddle answers again."
UPDATED = "Heddle was updated since you opened this page. Your plan is in the address and stays."

REMEMBERED = "a new page has it. Your plan is in the address and stays."

WORKER = "layout.worker"
"""Lays out graphs; without it the page does so itself, and nothing is to be seen of its absence."""

ELSEWHERE = {
    "DecompositionApp": "another page",
    "EmbedApp": "another page",
    "EmbedEditor": "another page",
    "EmbedRun": "another page",
    "EmbeddedDecomposition": "another page",
    "LessonPane": "opened as the tour is",
    "ResultView": "of the page itself",
}
"""Files that the sources load later and that these journeys do not open, and why."""


def lazy_names() -> set[str]:
    """The components that the sources load when they are first drawn."""
    sources = (ROOT / "frontend" / "src").rglob("*.ts*")
    found = (re.findall(r"lazyFile\([^;]*?import\('[^']*?(\w+)'\)", source.read_text()) for source in sources)
    return {name for names in found for name in names} - ELSEWHERE.keys()


class Refusals:
    """Refuses files of the page: at first all that the page loads later, then one at a time, until ``go_on``."""

    def __init__(self, context: BrowserContext, kind: str) -> None:
        self.refused: set[str] = set()
        self.current: str | None = None
        self._all = True
        self._first = set(re.findall(r"/assets/([^\"]+)", (DIST / "index.html").read_text()))
        self._kind = f".{kind}"
        context.route(re.compile(r"/assets/[^/]+\.(js|css)$"), self._answer)

    def go_on(self) -> None:
        """Lets through what was refused, and refuses the next one."""
        self.current, self._all = None, False

    def _answer(self, route: Route) -> None:
        name = urlsplit(route.request.url).path.rpartition("/")[2]
        later = name.endswith(self._kind) and name not in self._first and not name.startswith(WORKER)
        if later and name not in self.refused and (self._all or self.current is None):
            self.refused.add(name)
            self.current = name
        if name.startswith(WORKER) or (later and self._all) or name == self.current:
            route.abort("connectionreset")
        else:
            route.continue_()


def styles_in_force(page: Page) -> set[str]:
    """The names of the style sheets that the page has and that have rules."""
    sheets = "[...document.styleSheets].filter(({href, cssRules}) => href && cssRules.length > 0).map(({href}) => href)"
    return {urlsplit(href).path.rpartition("/")[2] for href in page.evaluate(sheets)}


def missing(page: Page) -> Locator:
    return page.locator(".not-loaded")


def load_bit_by_bit(page: Page, refusals: Refusals, arrived: Locator) -> None:
    """A part of the page was opened, whose files are refused one after another; the rest of the page stays."""
    while _is_refused(page, refusals, arrived):
        expect(missing(page).first, f"without {refusals.current}").to_contain_text(CUT)
        assert page.locator(".header").count() == 1
        refusals.go_on()
        try_again(page)
    expect(missing(page)).to_have_count(0)


def try_again(page: Page) -> None:
    """Press what is offered wherever a part is missing, unless the page has tried again by itself."""
    page.evaluate("document.querySelectorAll('.not-loaded button').forEach((button) => button.click())")


def _is_refused(page: Page, refusals: Refusals, arrived: Locator) -> bool:
    """Whether a file is refused before everything is there."""
    deadline = time.monotonic() + WAIT_SECONDS
    looks = whole = 0
    while time.monotonic() < deadline:
        if refusals.current is not None:
            return True
        looks += 1
        whole = whole + 1 if missing(page).count() == 0 and arrived.first.is_visible() else 0
        if whole == WHOLE_LOOKS:
            return False
        if looks % 100 == 0:
            try_again(page)  # A second part had failed by the time that the first one was pressed.
        page.wait_for_timeout(15)
    raise AssertionError("neither a part of the page nor a word about it came")


def open_tab(region: Locator, name: str) -> Locator:
    show_tab(region, name)
    return region.get_by_role("tabpanel").filter(has_not_text="Loading…")


def unavailable(page: Page) -> set[str]:
    """The tabs that this machine has no program for, as that of machine code without a disassembler."""
    expect(page.get_by_role("tab", name="Assembly", exact=True)).to_be_visible()
    return set(page.locator("[role=tab][aria-disabled=true]").all_inner_texts())


def open_panels(page: Page) -> Iterator[Locator]:
    explorer = Explorer(page)
    yield explorer.graphs.iteration.area
    for name in ("Space", "Lattice", "Storage", "Composition", "Axes", "Why fast?", "Filmstrip"):
        yield open_tab(explorer.graphs.pane, name)
    for name in ("Assembly", "Stages", "Three stages"):
        if name not in unavailable(page):
            yield open_tab(explorer.code.pane, name)
    Inputs(page).toggle_preview("A").click()
    yield explorer.run.pane
    explorer.run.button.click()
    yield explorer.run.timings
    for name in ("All results", "Tuner", "Cache"):
        yield open_tab(explorer.run.pane, name)
    yield open_tab(explorer.run.pane, "Experiments").locator(".plot-frame")


def open_dialogs(page: Page) -> Iterator[Locator]:
    dialogs = page.locator("dialog:not(:has(.not-loaded))")
    explorer = Explorer(page)
    for title in ("History", "Keyboard"):
        explorer.choose_more(title)
        yield dialogs
    explorer.schedule.paste_from_taco()
    yield dialogs
    for button in (re.compile("^Examples"), "As patterns"):
        page.get_by_role("button", name=button).click()
        yield dialogs
    for name in ("Do the lessons", "Teach a class", "Read the guide", "Look up a term"):
        page.get_by_role("button", name="Learn").click()
        page.get_by_role("group", name="Learn").get_by_role("button", name=name).click()
        yield dialogs
    page.get_by_role("button", name="Learn").click()
    page.get_by_role("button", name="Take the tour").click()
    yield page.get_by_role("region", name="Tour").get_by_role("heading")


def open_editors_and_examples(page: Page) -> Iterator[Locator]:
    explorer = Explorer(page)
    page.get_by_role("button", name="Rows", exact=True).click()
    yield page.locator(".schedule-rows")
    page.get_by_role("button", name="What may come next").click()
    yield page.locator(".next-commands")
    page.get_by_role("button", name="Compare", exact=True).click()
    yield Compare(page).choices
    Compare(page).choose()
    compare = page.get_by_role("region", name="Compare", exact=True)
    yield compare.get_by_role("tabpanel").filter(has_not_text="Loading…")
    for name in ("Graphs", "Code"):
        yield open_tab(compare, name)
    compare.get_by_role("button", name="End comparison").click()
    page.get_by_role("button", name=re.compile("^Examples")).click()
    yield page.get_by_role("dialog", name="Examples")
    explorer.choose_example("SpMV on a GPU, equal shares of nonzeros")
    open_tab(explorer.code.pane, "OpenCL")
    page.locator(".launches > summary").click()
    # What the file draws: the summary is there at once, and the next example would take the table away unseen.
    yield page.locator(".gpu-launches")
    explorer.choose_example("SpMV from types")
    for name in ("Pattern tree", "Types as memory"):
        yield open_tab(explorer.graphs.pane, name)
    explorer.choose_example("A layer with bias and activation")
    for name in ("Ranges", "Schedule tree"):
        yield open_tab(explorer.graphs.pane, name)


PARTS = {"panels": open_panels, "dialogs": open_dialogs, "editors and examples": open_editors_and_examples}
"""Each opens what has files of its own, and gives what is there once they have come."""
LAZY: dict[str, set[str]] = {
    "panels": {
        "AccountPanel",
        "AssemblyPanel",
        "AxesPanel",
        "CachePanel",
        "CodePanel",
        "CompositionPanel",
        "ExperimentsPanel",
        "FilmstripPanel",
        "FinishedRun",
        "GraphPanel",
        "LatticePanel",
        "LoweringPanel",
        "Plot",
        "PreviewPanel",
        "ProvenancePanel",
        "ResultsPanel",
        "SpacePanel",
        "StagesPanel",
        "StoragePanel",
        "TunerPanel",
    },
    "dialogs": {
        "BridgeDialog",
        "ClassDialog",
        "Gallery",
        "GlossaryDialog",
        "GuideDialog",
        "HistoryDialog",
        "ImportDialog",
        "KeySheet",
        "LessonsDialog",
    },
    "editors and examples": {
        "CodeComparison",
        "CompareChoices",
        "ComparePane",
        "GraphsComparison",
        "LaunchTable",
        "MemoryPanel",
        "NextCommands",
        "PatternTree",
        "RangesPanel",
        "ScheduleRows",
        "ScheduleTreePanel",
        "Summary",
    },
}
"""The components that are drawn first in each of them."""
FIRST_VIEW = {"CodePanel", "GraphPanel", "ProvenancePanel"}
"""Those whose files are in the script of the page itself."""


def test_every_file_that_is_loaded_later_is_refused_in_one_of_the_parts() -> None:
    names = [name for names in LAZY.values() for name in names]
    assert sorted(names) == sorted(lazy_names())


@pytest.mark.combinations(6)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", ["js", "css"])
@pytest.mark.needs_server("GET /assets")
def test_each_file_that_does_not_come_is_waited_for_in_its_place(
    page: Page, context: BrowserContext, console: Console, kind: str, part: str
) -> None:
    console.expect("ERR_CONNECTION_RESET")
    if part != "panels":  # whose first ones come with the page
        Explorer(page).open()
    refusals = Refusals(context, kind)
    if part == "panels":
        page.goto("/")
    for arrived in PARTS[part](page):
        load_bit_by_bit(page, refusals, arrived)
        if page.get_by_role("dialog").count():
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
    if kind == "css":
        assert set(refusals.refused) - styles_in_force(page) == set()
    refused = {name.rpartition("-")[0].split("-")[0] for name in refusals.refused}
    if kind == "js":
        absent = {"AssemblyPanel"} if "Assembly" in unavailable(page) else set()
        assert LAZY[part] - FIRST_VIEW - absent - refused == set()


@pytest.mark.needs_server("GET /assets")
def test_what_is_opened_without_a_connection_comes_with_it(
    explorer: Explorer, context: BrowserContext, console: Console
) -> None:
    console.expect("ERR_INTERNET_DISCONNECTED")
    page = explorer.page
    context.set_offline(True)
    explorer.choose_more("History")
    expect(page.get_by_role("dialog", name="Not loaded yet")).to_contain_text(OFFLINE)
    expect(explorer.code.text).to_be_visible()
    context.set_offline(False)
    expect(page.get_by_role("dialog", name="History")).to_be_visible()
    page.keyboard.press("Escape")
    explorer.expect_compiled()


@pytest.mark.needs_server("GET /assets")
def test_a_browser_that_keeps_a_failure_in_mind_is_offered_a_new_page(
    explorer: Explorer, context: BrowserContext, console: Console
) -> None:
    """Some browsers ask once for a script that a page imports, and say without asking that it did not come."""
    console.expect("ERR_CONNECTION_RESET")
    page = explorer.page
    explorer.schedule.write("split(i, i0, i1, 8)")
    explorer.expect_compiled()
    script = re.compile(r"/assets/SpacePanel[^/]*\.js$")

    def forget_nothing(route: Route) -> None:
        if route.request.resource_type == "fetch":
            route.continue_()
        else:
            route.abort("connectionreset")

    context.route(script, forget_nothing)
    open_tab(explorer.graphs.pane, "Space")
    expect(missing(page)).to_contain_text(REMEMBERED)
    context.unroute(script)
    missing(page).get_by_role("button", name="Reload").click()
    explorer.expect_compiled()
    explorer.schedule.expect_text("split(i, i0, i1, 8)")
    expect(page.get_by_role("region", name="Iteration space")).to_be_visible()


@pytest.mark.needs_server("GET /assets")
def test_a_page_that_is_older_than_heddle_offers_the_new_one_and_keeps_the_plan(
    explorer: Explorer, context: BrowserContext, console: Console
) -> None:
    console.expect("status of 404|MIME type")
    page = explorer.page
    explorer.schedule.write("split(i, i0, i1, 8)")
    explorer.expect_compiled()
    gone = re.compile(r"/assets/(History|reading)[^/]*$")
    context.route(gone, lambda route: route.fulfill(status=404))
    another = (DIST / "index.html").read_text().replace("/assets/index-", "/assets/index-of-another-build-")
    context.route(lambda url: urlsplit(url).path == "/", lambda route: route.fulfill(body=another), times=1)
    explorer.choose_more("History")
    dialog = page.get_by_role("dialog", name="Not loaded yet")
    expect(dialog).to_contain_text(UPDATED)
    context.unroute(gone)
    dialog.get_by_role("button", name="Reload").click()
    explorer.expect_compiled()
    explorer.schedule.expect_text("split(i, i0, i1, 8)")
