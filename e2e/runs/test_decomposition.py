"""A decomposition in the browser: defined, run, stopped, opened elsewhere, and each of its kernels in the explorer."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.accessibility import violations
from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.server import ROOT


@pytest.mark.needs_server("POST /runs")
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
    # What will be done is said before it is: as many entries as are then counted, and a plan for each role.
    before = page.get_by_role("region", name="Before a run")
    expect(before).to_contain_text("X has 30 × 40 × 50 places")
    expect(before.get_by_role("region", name="Table of methods").get_by_text("chosen")).to_have_count(3)
    expect(before.get_by_role("link", name="Open mttkrp.2 as predicted in the explorer")).to_be_visible()
    said = re.search(r"places and (.+) entries", before.inner_text())
    assert said is not None
    predicted = number(said[1])
    assert violations(page) == []
    form.get_by_role("button", name="Run", exact=True).press("Enter")
    expect(page.get_by_role("region", name="Fit", exact=True)).to_be_visible()
    form.get_by_role("button", name="Stop").click()
    expect(form.get_by_role("button", name="Stop")).to_be_disabled()

    result = page.get_by_role("region", name="Result", exact=True)
    expect(result).to_contain_text("You stopped it; the sweeps made so far are kept.")
    expect(result.get_by_role("row")).to_have_count(3)
    fit = page.get_by_test_id("fit").inner_text()
    kernels = page.get_by_role("region", name="Kernels", exact=True)
    expect(kernels).to_contain_text("3 kernels were compared with NumPy")
    # What is counted is what the formula says.
    said = re.search(r"places and (.+) entries", result.inner_text())
    assert said is not None
    entries = number(said[1])
    assert entries == predicted
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
    with page.expect_download() as saved:
        result.get_by_role("link", name="All of it as .json").click()
    assert saved.value.suggested_filename.endswith(".json")
    report = json.loads(saved.value.path().read_text())
    assert [len(rows) for rows in report["factors"]] == [30, 40, 50]
    assert f"{report['fit']:.6f}" == fit
    expect(page).to_have_url(re.compile(r"\?decomposition=[\w-]+$"))

    # A kernel lights its phase in the picture, in the bars and in the table of times: by its link, and by the pointer.
    cycle, times = (page.get_by_role("region", name=name, exact=True) for name in ("One sweep", "Time"))
    kernels.get_by_role("link", name="Open mttkrp.2 in the explorer").focus()
    expect(cycle.locator("span[data-linked]")).to_have_count(1)
    expect(times.locator("span[data-linked]")).to_have_count(1)
    expect(times.locator("tr[data-linked]")).to_contain_text("mttkrp.2")
    times.get_by_role("row", name="solve.1").hover()
    expect(kernels.locator("tr[data-linked]")).to_have_count(0)
    expect(cycle.locator("li[data-linked]")).to_contain_text("Solve")
    page.mouse.move(0, 0)
    expect(cycle.locator("li[data-linked]")).to_have_count(0)
    cycle.get_by_role("listitem").first.focus()
    expect(kernels.locator("tr[data-linked]")).to_have_count(3)
    # What was done once, beside a sweep; the fit over the time that it took.
    expect(page.get_by_test_id("sorting")).to_contain_text(re.compile(r"took .+ once, as long as .+ sweeps\."))
    curve = page.get_by_role("region", name="Fit", exact=True)
    over_sweeps = curve.locator("polyline").get_attribute("points")
    curve.get_by_role("checkbox", name="Over seconds").check()
    expect(curve).to_contain_text("a point at the end of each sweep")
    assert curve.locator("polyline").get_attribute("points") != over_sweeps
    assert violations(page) == []

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


def number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


@pytest.mark.needs_server("POST /runs")
def test_a_decomposition_goes_on_is_linked_embedded_and_computed_by_other_methods(
    page: Page, browser: Browser, console: Console
) -> None:
    page.goto("/?decomposition")
    form = page.get_by_role("form", name="Definition")
    form.get_by_label("Shape").fill("20, 30, 25, 15")
    form.get_by_label("Rank").fill("4")
    form.get_by_label("Sweeps at most").fill("3")
    form.get_by_label("Tolerance of the fit").fill("0")
    form.get_by_text("Kernels: method of each mode, shared products, other programs").click()
    form.get_by_label("Method of mode 1").select_option("rows")
    form.get_by_role("button", name="Run", exact=True).click()
    result = page.get_by_role("region", name="Result", exact=True)
    expect(result).to_contain_text("All sweeps were made.", timeout=60_000)
    kernels = page.get_by_role("region", name="Kernels", exact=True)
    expect(kernels.get_by_role("row", name="mttkrp.1")).to_contain_text("rows")

    # What it saves makes it again, to the bit.
    with page.expect_download() as saved:
        result.get_by_role("button", name="Reproducer as .json").click()
    command = [sys.executable, "-m", "heddle", "replay", str(saved.value.path())]
    replayed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "The same to the bit." in replayed.stdout, replayed.stdout + replayed.stderr
    assert replayed.returncode == 0

    # Atomic updates by their formulas: A = P·R, C at most 2 for each chunk of 128, times R, and B between 0 and A.
    entries = number(re.search(r"places and (.+?) entries", result.inner_text())[1])  # type: ignore[index]
    contention = page.get_by_role("region", name="Atomic updates", exact=True)
    for row in contention.get_by_role("table").get_by_role("row").all()[1:]:
        a, b, c, rows = (number(cell) for cell in row.get_by_role("cell").all_inner_texts()[:4])
        assert a == 4 * entries
        assert c <= 2 * -(-entries // 128) * 4
        assert 0 < b <= a
        assert rows == 0

    # Which rows these are, in every mode: the sentences of the pictures have the totals of the table.
    rows = contention.get_by_role("combobox", name="Rows of")
    rows.select_option("mttkrp.3")
    updates = contention.get_by_role("row", name="mttkrp.3").get_by_role("cell")
    for place, method in enumerate(("atomic", "tiled", "permuted")):
        picture = contention.locator(f"[data-method={method}]")
        expect(picture.locator("rect")).not_to_have_count(0)
        said = re.search(r"times R = ([\d\s]+);", picture.inner_text())
        assert said is not None
        assert number(said[1]) == number(updates.nth(place).inner_text())
    expect(contention.locator("[data-method=rows]")).to_contain_text("No row is updated atomically.")

    # The factors: a line for each component, a strip for each mode, with the rows that weigh most.
    factors = page.get_by_role("region", name="Factors", exact=True).get_by_role("table")
    expect(factors.get_by_role("row")).to_have_count(5)
    expect(factors.get_by_role("row").nth(1).get_by_role("cell")).to_have_count(4)
    expect(factors.get_by_role("cell").first).to_contain_text(re.compile(r"\d+: -?[\d.]+, "))
    expect(factors.locator("rect")).not_to_have_count(0)

    # Bytes of a product by rank: ((dR + 3)·8 + d·4)·P.
    bandwidth = page.get_by_role("region", name="Bandwidth")
    said = bandwidth.get_by_test_id("bytes")
    assert number(said.inner_text()) == ((4 * 4 + 3) * 8 + 4 * 4) * entries
    bandwidth.get_by_label("Rank R").press("ArrowRight")
    assert number(said.inner_text()) == ((4 * 5 + 3) * 8 + 4 * 4) * entries

    result.get_by_label("More sweeps").fill("4")
    result.get_by_role("button", name="Continue").click()
    expect(result).to_contain_text("It continued from sweep 3, with the same bits as without a pause.", timeout=60_000)
    expect(page.get_by_role("region", name="Fit", exact=True)).to_contain_text("after sweep 7.")
    assert violations(page) == []

    result.get_by_label("Address or id of another run").fill(page.url)
    result.get_by_role("button", name="Score").press("Enter")
    expect(result).to_contain_text("Score 1.000000 over 4 components")

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    result.get_by_role("button", name="Share").click()
    expect(result.get_by_text(re.compile(r"^(Copied|Copy it)"))).to_be_visible()
    link = re.search(r"https?://\S+/s/\w+", result.inner_text())
    assert link is not None
    fit = page.get_by_test_id("fit").inner_text()
    stranger = browser.new_context(viewport={"width": 390, "height": 800})
    other = stranger.new_page()
    console.watch(other)
    other.goto(link[0])
    expect(other.get_by_test_id("fit")).to_have_text(fit)
    expect(other.get_by_role("form", name="Definition").get_by_label("Sweeps at most")).to_have_value("7")
    other.goto(link[0].replace("/s/", "/embed/"))
    expect(other.get_by_role("heading", level=1)).to_contain_text("rank 4")
    expect(other.get_by_test_id("fit")).to_have_text(fit)
    assert violations(other) == []
    stranger.close()

    offers = form.get_by_role("region", name="Trees to choose from")
    tree = offers.get_by_role("button", name=re.compile(r"^Use \(")).first
    tree.click()
    form.get_by_role("button", name="Run", exact=True).click()
    expect(kernels.get_by_role("row", name=re.compile(r"^tree\."))).not_to_have_count(0, timeout=60_000)
    picture = page.get_by_role("region", name="Tree of partial products").get_by_role("table")
    expect(picture.get_by_role("row", name=re.compile(r"^tree\."))).not_to_have_count(0)
    expect(picture.get_by_role("row").nth(1).get_by_role("cell").nth(4)).not_to_have_text("–")


@pytest.mark.needs_server("POST /runs")
def test_counts_and_gradients_run_from_the_page(page: Page) -> None:
    """Of a generated tensor, and of a file of one's own."""
    page.goto("/?decomposition")
    form = page.get_by_role("form", name="Definition")
    result = page.get_by_role("region", name="Result", exact=True)
    form.get_by_label("Tensor").select_option("zipf")
    form.get_by_label("Shape").fill("12, 14, 16")
    form.get_by_label("Entries").fill("400")
    form.get_by_label("Rank").fill("2")
    form.get_by_label("Sweeps at most").fill("3")
    for algorithm, step in (("cp-apr", "Ratio"), ("cp-opt", "Search")):
        form.get_by_label("Algorithm").select_option(algorithm)
        form.get_by_label(re.compile("^Tolerance of the")).fill("0")
        form.get_by_role("button", name="Run", exact=True).click()
        expect(result).to_contain_text("conditions of an optimum within", timeout=60_000)
        expect(page.get_by_role("region", name="One sweep")).to_contain_text(step)
        assert page.get_by_role("region", name="One sweep").get_by_text("of the time").count() >= 2
        assert violations(page) == []

    entries = [f"{1 + i % 5} {1 + i % 7} {1 + i % 3} {1 + i % 4}.5" for i in range(105)]
    file = {"name": "mine.tns", "mimeType": "text/plain", "buffer": "\n".join(entries).encode()}
    with page.expect_file_chooser() as chooser:
        form.get_by_label("Tensor").select_option("Upload a file…")
    chooser.value.set_files([file])
    expect(form.get_by_label("Tensor").locator("option:checked")).to_have_text("mine.tns, 5 × 7 × 3")
    form.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Done after 3 sweeps.", exact=True).first).to_be_visible(timeout=60_000)
    expect(result).to_contain_text("X has 5 × 7 × 3 places and 105 entries")
    form.get_by_label("Tensor").select_option("From a collection…")
    collection = page.get_by_role("form", name="Collection for X")
    expect(collection.get_by_label("Collection")).to_contain_text("FROSTT")
    collection.get_by_role("button", name="Close").click()
    expect(form.get_by_label("Tensor").locator("option:checked")).to_have_text("mine.tns, 5 × 7 × 3")
