"""Journey: SpGEMM with a workspace, and its graphs are read as they stand: no zoom, nothing smaller than 11 px."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer
from e2e.pages.window import resize

SMALLEST_PX = 11
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
    for width in (1440, 1280, 1024, 390):
        resize(page, width)
        if width < 900:
            page.get_by_role("tab", name="Understand").click()
        for area in (graphs.iteration.area, graphs.provenance.area):
            expect(area).to_be_visible()
            # 10.99: as a scale, 11 / 12 of 12 px is a little less.
            assert smallest(area) >= SMALLEST_PX - 0.01, (width, area)
    resize(page, 1440)
    graphs.show("Iteration")
    expect(graphs.provenance.area).to_have_count(0)
    assert smallest(graphs.iteration.area) >= SMALLEST_PX - 0.01
    assert graphs.iteration.area.evaluate(_OUTSIDE) == []
    tally.expect("SpGEMM with a workspace, its graph read without zoom")


def test_a_graph_that_is_too_large_starts_at_its_root_and_shows_everything_when_asked(
    explorer: Explorer, page: Page
) -> None:
    explorer.choose_example(SPGEMM)
    explorer.expect_compiled()
    explorer.graphs.show("Iteration")
    resize(page, 390)
    page.get_by_role("tab", name="Understand").click()
    area = explorer.graphs.iteration.area
    expect(explorer.graphs.iteration.node("i0")).to_be_in_viewport()
    assert smallest(area) >= SMALLEST_PX - 0.01
    assert area.evaluate(_OUTSIDE) != []
    page.get_by_role("button", name="Show everything").click()
    assert area.evaluate(_OUTSIDE) == []
    page.get_by_role("button", name="Show everything").click()
    assert smallest(area) >= SMALLEST_PX - 0.01


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
