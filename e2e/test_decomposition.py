"""A decomposition in the browser: defined, run, stopped, opened elsewhere, and each of its kernels in the explorer."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from e2e.accessibility import violations
from e2e.console import Console
from e2e.pages.explorer import Explorer


def test_a_decomposition_is_defined_run_stopped_shared_and_opened(
    page: Page, browser: Browser, console: Console
) -> None:
    page.goto("/?decomposition")
    form = page.get_by_role("form", name="Definition")
    form.get_by_label("Shape").fill("40, 50")
    form.get_by_label("Shape").fill("40, 0")
    expect(form.get_by_text("Expected 2 to 9 sizes")).to_be_visible()
    form.get_by_label("Shape").fill("30, 40, 50")
    form.get_by_label("Rank").fill("3")
    form.get_by_label("Sweeps at most").fill("10000")
    form.get_by_label("Tolerance of the fit").fill("0")
    form.get_by_role("button", name="Run", exact=True).press("Enter")
    expect(page.get_by_role("region", name="Fit", exact=True)).to_be_visible()
    form.get_by_role("button", name="Stop").click()

    result = page.get_by_role("region", name="Result", exact=True)
    expect(result).to_contain_text("It was stopped, and what was there is kept.")
    expect(result.get_by_role("row")).to_have_count(3)
    fit = page.get_by_test_id("fit").inner_text()
    kernels = page.get_by_role("region", name="Kernels", exact=True)
    expect(kernels).to_contain_text("3 kernels were compared with NumPy")
    # What is counted is what the formula says.
    said = re.search(r"places and (.+) entries", result.inner_text())
    assert said is not None
    entries = int(re.sub(r"\D", "", said[1]))
    contention = page.get_by_role("region", name="Atomic updates", exact=True).get_by_role("table")
    first = [
        re.sub(r"\D", "", cell) for cell in contention.get_by_role("row").nth(1).get_by_role("cell").all_inner_texts()
    ]
    assert int(first[0]) == 3 * entries
    assert int(first[2]) <= int(first[0])
    assert int(first[3]) == 0
    assert violations(page) == []

    with page.expect_download() as saved:
        result.get_by_role("link", name="Factors as .npz").click()
    assert saved.value.suggested_filename.endswith(".npz")
    expect(page).to_have_url(re.compile(r"\?decomposition=[\w-]+$"))
    stranger = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark")
    other = stranger.new_page()
    console.watch(other)
    other.goto(page.url)
    expect(other.get_by_test_id("fit")).to_have_text(fit)
    expect(other.get_by_role("form", name="Definition").get_by_label("Rank")).to_have_value("3")
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(other) == []
    stranger.close()

    with page.context.expect_page() as opened:
        kernels.get_by_role("link", name="Open mttkrp.1 in the explorer").click()
    explorer = Explorer(opened.value)
    explorer.expression.expect_text("V(j,r) = X(i,j,k) * A(i,r) * C(k,r)")
    explorer.expect_compiled()
