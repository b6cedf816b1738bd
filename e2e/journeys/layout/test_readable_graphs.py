"""Journey: SpGEMM with a workspace, and the graphs of all examples, are read as they stand: whole, no zoom, nothing
smaller than 11 px."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.first_view import LEAST_DRAWN, drawn_share
from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer
from e2e.pages.window import expect_measured, resize
from e2e.server import ROOT

SMALLEST_PX = 11
EXAMPLES = sorted((ROOT / "backend" / "heddle_server" / "examples").glob("*.json"))
SIZES = ((1440, 900), (1280, 720), (1024, 768), (390, 844))
LARGE = "MLP3: three layers in one kernel"
SPGEMM = "Sparse matrix times sparse matrix"

_SIZES = """svg => [...svg.querySelectorAll('text')].map(
  text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a
)"""
# What of the drawing lies outside its frame; half a pixel is rounding.
_OUTSIDE = """svg => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 0.5 || box.right > frame.right + 0.5
      || box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5;
  }).map(text => text.textContent);
}"""


def smallest(graph: Locator) -> float:
    sizes: list[float] = graph.evaluate(_SIZES)
    return min(sizes)


def test_the_graphs_of_spgemm_are_read_without_zooming(explorer: Explorer, page: Page) -> None:
    tally = Tally(page)
    explorer.choose_example(SPGEMM)
    explorer.expect_compiled()
    graphs = explorer.graphs
    expect(graphs.iteration.node("jw")).to_be_visible()
    expect(graphs.iteration.area.get_by_role("button", name="Workspace w").first).to_be_visible()
    for width, height in SIZES:
        resize(page, width, height)
        if width < 900:
            page.get_by_role("tab", name="Understand").click()
        expect(graphs.iteration.area).to_be_visible()
        expect_whole(page)
    resize(page, 1440)
    graphs.show("Iteration")
    expect(graphs.provenance.area).to_have_count(0)
    assert smallest(graphs.iteration.area) >= SMALLEST_PX - 0.01
    assert graphs.iteration.area.evaluate(_OUTSIDE) == []
    tally.expect("SpGEMM with a workspace, its graph read without zoom")


def test_a_graph_that_is_too_large_starts_at_its_root_with_a_map_of_it(explorer: Explorer, page: Page) -> None:
    explorer.choose_example(LARGE)
    explorer.expect_compiled()
    resize(page, 1280, 720)
    area = explorer.graphs.iteration.area
    expect(area.locator("[role=button][data-link^='var:']").first).to_be_in_viewport()
    assert smallest(area) >= SMALLEST_PX - 0.01
    minimap = explorer.graphs.pane.locator(".minimap")
    expect(minimap).to_be_visible()
    before = area.locator("g").first.get_attribute("transform")
    box = minimap.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 5, box["y"] + box["height"] - 5)
    assert area.locator("g").first.get_attribute("transform") != before
    graphs = explorer.graphs.pane
    graphs.get_by_role("button", name="View of the iteration graph").click()
    page.get_by_role("menuitem", name="Show everything").click()
    assert area.evaluate(_OUTSIDE) == []
    expect(minimap).to_have_count(0)


def test_one_graph_stands_where_two_have_no_room(explorer: Explorer, page: Page) -> None:
    explorer.choose_example(SPGEMM)
    explorer.expect_compiled()
    resize(page, 1280, 490)
    graphs = explorer.graphs
    expect(graphs.iteration.area).to_be_visible()
    expect(graphs.provenance.area).to_be_hidden()
    expect_whole(page)
    choice = graphs.pane.get_by_role("group", name="Which graph").get_by_role("button", name="Provenance")
    choice.click()
    expect(graphs.provenance.area).to_be_visible()
    expect(graphs.iteration.area).to_be_hidden()
    expect_whole(page)
    resize(page, 1440, 900)
    expect(graphs.iteration.area).to_be_visible()
    expect(graphs.provenance.area).to_be_visible()


_CUT = """pane => [...pane.querySelectorAll('.diagram-frame')].flatMap(frame => {
  if (!frame.checkVisibility()) return [];
  const room = frame.getBoundingClientRect();
  return [...frame.querySelectorAll('.diagram-svg text')].filter(text => {
    const {left, right, top, bottom} = text.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
    return size < 10.99 || left < room.left - 1 || right > room.right + 1 || top < room.top - 1
      || bottom > room.bottom + 1;
  }).map(text => text.textContent);
})"""


def expect_whole(page: Page) -> None:
    """Every graph in sight is inside its frame, and all of its texts can be read."""
    pane = page.get_by_role("region", name="Understand")
    expect_measured(pane, f"pane => pane.querySelector('.diagram-svg text') !== null && ({_CUT})(pane).length === 0")


MAPPED = {1440: "50 72", 1280: "28 30 50 70 71 72", 1024: "50 71 72", 390: "18 27 34 50 71 72"}
"""Examples whose graph is larger than the pane however tightly it is drawn, by the width of the window."""

# One picture has the pane, and beside it stands a map of it; on a phone they stand under each other.
_MAPPED = f"""pane => {{
  const frames = [...pane.querySelectorAll('.diagram-frame')].filter(frame => frame.checkVisibility());
  return (frames.length === 1 || innerWidth < 900) && frames.every(frame =>
    frame.querySelector('.minimap') !== null || ({_CUT})({{querySelectorAll: () => [frame]}}).length === 0);
}}"""


SHORTEST = (1280, 720)

# The verdict, and each contender that has a median and a ratio, as far as they are not seen without scrolling.
_OUT_OF_SIGHT = """outcome => {
  const room = outcome.getBoundingClientRect();
  return [...outcome.querySelectorAll('.result-verdict p:first-child, .timings tr:has(.timing)')].filter(line => {
    const {top, bottom} = line.getBoundingClientRect();
    return top < room.top - 1 || bottom > Math.min(room.bottom, innerHeight) + 1;
  }).map(line => line.textContent);
}"""


@pytest.mark.needs_server("POST /runs")
@pytest.mark.combinations(150)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("example", [file.stem for file in EXAMPLES])
def test_the_graphs_of_every_example_are_whole(
    visitor: Explorer, page: Page, example: str, size: tuple[int, int]
) -> None:
    """Before and after a run, which takes a part of the window."""
    width, height = size
    plan = json.loads((ROOT / "backend" / "heddle_server" / "examples" / f"{example}.json").read_text())["plan"]
    resize(page, width, height)
    page.goto("/#j1." + quote(json.dumps(plan | {"view": {"front": "understand"}})))
    visitor.wait_until_settled()
    if plan.get("language") == "patterns":
        return
    mapped = example[:2] in MAPPED[width].split()
    expect(visitor.graphs.iteration.area).to_be_visible()
    assert_fits(visitor, mapped=mapped)
    if size == SIZES[0]:
        assert drawn_share(page) >= LEAST_DRAWN
    tabbed = width < 1200
    if tabbed:
        page.get_by_role("tab", name="Run", exact=True).click()
    visitor.run.button.click()
    visitor.run.expect_verified()
    if size == SHORTEST:
        expect_measured(visitor.run.outcome, f"outcome => ({_OUT_OF_SIGHT})(outcome).length === 0")
    if tabbed:
        page.get_by_role("tab", name="Understand").click()
    expect_measured(visitor.graphs.pane, f"pane => ({_MAPPED})(pane) || ({_CUT})(pane).length === 0")


def assert_fits(explorer: Explorer, *, mapped: bool) -> None:
    if mapped:
        expect(explorer.graphs.pane.locator(".minimap").first).to_be_visible()
        expect_measured(explorer.graphs.pane, _MAPPED)
    else:
        expect_whole(explorer.page)


def test_the_iteration_graph_has_the_pane_where_nothing_is_derived(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.expect_compiled()
    pane = explorer.graphs.pane
    expect(explorer.graphs.iteration.area).to_be_visible()
    expect(explorer.graphs.provenance.area).to_have_count(0)
    expect(pane.get_by_text("Nothing is derived")).to_be_visible()
    whole, graph = pane.bounding_box(), explorer.graphs.iteration.area.bounding_box()
    assert whole is not None
    assert graph is not None
    assert graph["width"] > 0.95 * whole["width"]
    explorer.schedule.write("split(i, i0, i1, 2)")
    explorer.expect_compiled()
    expect(explorer.graphs.provenance.area).to_be_visible()
    expect(pane.get_by_text("Nothing is derived")).to_have_count(0)
