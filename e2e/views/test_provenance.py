"""Journey: the provenance graph with the numbers of a run (docs/sources.toml V3), and its picture as a file."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.folder_host import Api
from e2e.pages.explorer import Explorer

PLAN = {
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["split(i, i0, i1, 3)"],
}


def badge(panel: Locator, variable: str) -> Locator:
    return panel.locator(f'[data-subject="variable {variable}"] .value-badge')


def test_the_value_at_each_variable_is_what_the_interpreter_holds(page: Page, visitor: Explorer, api: Api) -> None:
    visitor.open(f"/#j1.{quote(json.dumps(PLAN))}")
    visitor.graphs.show("Provenance")
    trace = api.post("/trace", {"plan": PLAN | {"version": 1}})
    panel = page.get_by_role("region", name="Provenance graph")
    panel.get_by_role("button", name="Numbers").click()
    controls = panel.get_by_role("group", name="Playback")
    held: dict[str, int] = {}
    visits = []
    for step in trace["steps"]:
        held |= step["changed"]
        if step["visit"] is not None:
            visits.append({**held, **step["visit"]})
    assert [(visit["i0"], visit["i1"]) for visit in visits] == [(0, 0), (0, 0), (0, 2), (0, 2), (0, 2), (1, 0), (1, 0)]
    for visit in visits:
        controls.get_by_role("button", name="Step", exact=True).click()
        for variable in ("i0", "i1", "i", "j"):
            expect(badge(panel, variable)).to_have_text(str(visit[variable]))
    controls.get_by_role("button", name="To the start").click()
    expect(badge(panel, "j")).to_have_count(0)


WORKSPACE = {
    "version": 2,
    "expression": "A(i,j) = B(i,k) * C(k,j)",
    "tensors": {"B": {"format": "csr"}, "C": {"format": "csr"}},
    "schedule": ["reorder(i, k, j)", "precompute(B(i,k) * C(k,j), j, jw, w)"],
}


def test_a_workspace_derives_the_variable_of_its_producer(page: Page, visitor: Explorer, api: Api) -> None:
    visitor.open(f"/#j1.{quote(json.dumps(WORKSPACE))}")
    visitor.graphs.show("Provenance")
    trace = api.post("/trace", {"plan": WORKSPACE})
    panel = page.get_by_role("region", name="Provenance graph")
    panel.locator('[data-subject="relation 0"]').hover()
    expect(panel.get_by_role("button", name="2 precompute w: j to jw")).to_be_visible()
    expect(panel).to_contain_text("w(jw) is computed first, in loops of its own; w(j) reads it afterwards.")
    panel.get_by_role("button", name="Numbers").click()
    controls = panel.get_by_role("group", name="Playback")
    controls.get_by_label("Step by").select_option("statement")
    # While the producer computes, its own variable has a value; that of the consumer's loop has none yet.
    for own in ("jw", "j"):
        number = next(at for at, step in enumerate(trace["steps"]) if own in step["changed"])
        controls.get_by_role("slider").fill(str(number))
        expect(badge(panel, own)).to_have_text(str(trace["steps"][number]["changed"][own]))
        if own == "jw":
            expect(badge(panel, "j")).to_have_count(0)


@pytest.mark.combinations(2)
@pytest.mark.parametrize(("way", "file", "begins"), [
    ("Download as PNG", "provenance-graph.png", b"\x89PNG\r\n\x1a\n"),
    ("Download as SVG", "provenance-graph.svg", b"<svg"),
])  # fmt: skip
def test_the_graph_is_downloaded(page: Page, explorer: Explorer, way: str, file: str, begins: bytes) -> None:
    explorer.graphs.show("Provenance")
    page.get_by_role("button", name="View of the provenance graph").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=way).click()
    assert download.value.suggested_filename == file
    content = download.value.path().read_bytes()
    assert content.startswith(begins)
    assert len(content) > 2000
