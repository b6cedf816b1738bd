"""Journey: a comprehension typed, broken and mended; layers fused and searched for a faster schedule; the search opened
in another browser (docs/sources.toml V21)."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.accessibility import violations
from e2e.console import Console
from e2e.legibility import unreadable
from e2e.pages.explorer import Explorer
from e2e.pages.tabs import show_tab
from e2e.pages.window import resize

MM = "def mm(float(M,K) A, float(K,N) B) -> (C) { C(m,n) +=! A(m,kk) * B(kk,n) }"
MLP = """def mlp(float(B,I) X, float(H,I) V, float(O,H) W) -> (y) {
    t(b,h) +=! X(b,i) * V(h,i)
    h1(b,h) = fmaxf(t(b,h), 0)
    y(b,o) +=! h1(b,h) * W(o,h) }"""


def test_a_product_is_typed_its_ranges_are_seen_and_a_mistake_is_mended(explorer: Explorer, page: Page) -> None:
    page.get_by_label("Language of the expression").select_option("comprehension")
    explorer.expect_compiled()
    explorer.expression.type(MM)
    explorer.expect_compiled()
    inlays = page.locator(".cm-range")
    expect(inlays).to_have_text([" ∈ 0:M", " ∈ 0:N", " Σ 0:K"])
    page.get_by_role("tab", name="Ranges", exact=True).click()
    ranges = page.get_by_role("region", name="Ranges", exact=True)
    expect(ranges.get_by_role("cell", name="0 <= kk < K")).to_have_count(2)
    # Two rows further in A: a mistake for no size, and the ranges follow.
    explorer.expression.write(MM.replace("A(m,kk)", "A(m,kk+2)"))
    explorer.expect_compiled()
    expect(inlays.nth(2)).to_have_text(" Σ 0:K - 2")
    explorer.expression.write(MM.replace("+=!", "="))
    explorer.expect_errors()
    expect(explorer.expression.problems).to_contain_text("kk is only on the right: say how the values are combined")
    explorer.expression.fixes.first.click()
    explorer.expect_compiled()
    expect(explorer.expression.box).to_contain_text("+=! A(m,kk")
    expect(inlays).to_have_text([" ∈ 0:M", " ∈ 0:N", " Σ 0:K"])
    assert violations(page) == []


@pytest.mark.needs_server("POST /searches")
def test_layers_are_fused_searched_and_the_search_opens_elsewhere(
    visitor: Explorer, page: Page, browser: Browser, console: Console
) -> None:
    shapes = {"X": [8, 16], "V": [12, 16], "W": [10, 12]}
    plan = {
        "version": 2,
        "expression": MLP,
        "language": "comprehension",
        "tensors": {name: {"shape": shape} for name, shape in shapes.items()},
        "view": {"front": "run"},
    }
    visitor.open(f"/#j1.{quote(json.dumps(plan))}")
    visitor.expect_compiled()
    visitor.schedule.write("together(b, b2)\ntogether(h, h2)\ntogether(b, b3)")
    visitor.expect_compiled()
    page.get_by_role("tab", name="Schedule tree", exact=True).click()
    tree = page.get_by_role("region", name="Schedule tree", exact=True)
    expect(tree.get_by_role("img")).to_have_accessible_name(re.compile(r"h1\(b,h\) is read as h1\(b,h.?\), b: 0"))
    pane = page.get_by_role("region", name="Run", exact=True)
    show_tab(pane, "Tuner")
    tuner = pane.get_by_role("region", name="Tuner")
    # What a search begins with, however slow the machine is: with 2 seconds another strategy may time nothing.
    tuner.get_by_label("Strategy").select_option("rules")
    tuner.get_by_role("button", name="Search for a schedule").click()
    expect(tuner.get_by_role("table").filter(has_text="Relative to the fastest found")).to_be_visible(timeout=180_000)
    genes = tuner.get_by_role("region", name="Candidate").get_by_role("rowheader")
    expect(genes.filter(has_text="fusion")).to_have_count(1)
    points = tuner.locator(".tuner-point")
    drawn = points.count()
    assert drawn > 0
    show = tuner.get_by_role("group", name="What nothing beats in both").get_by_role("button").first
    show.press("Enter")
    expect(show).to_have_attribute("aria-pressed", "true")
    tuner.get_by_text("Genes of all schedules", exact=True).press("Enter")
    tuner.get_by_label("What the values came to of").select_option("fusion")
    values = tuner.get_by_role("group", name="Values of the gene")
    only = values.get_by_role("button", disabled=False).first
    only.press("Enter")
    expect(only).to_have_attribute("aria-pressed", "true")
    assert violations(page) == []
    for width in (390, 1440):
        resize(page, width)
        assert unreadable(page) == [], width
    link = tuner.get_by_role("link", name="Link to this search").get_attribute("href")
    assert link is not None
    stranger = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    other = Explorer(stranger.new_page())
    console.watch(other.page)
    other.open(link)
    shown = other.page.get_by_role("region", name="Tuner")
    expect(shown.locator(".tuner-point")).to_have_count(drawn)
    shown.get_by_role("button", name="into the editor").first.click()
    other.expect_compiled()
    stranger.close()
