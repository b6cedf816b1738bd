"""Journey: sparse formats as types. A row changes its length, and memory and the sum in the address follow; the sum is
kept; work-groups come of the rows in seven steps; the program runs on a real matrix and is opened by somebody else."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from e2e.accessibility import violations
from e2e.console import Console
from e2e.pages.explorer import Explorer
from heddle.runtime.devices import opencl_devices

TRIANGLE = "nFun(n => fun(L: [i -> [double]_{i+1}]_n => L :>> map(reduce(+, 0.0))))"
LISTS = (
    "nFun(n => nFun(m => fun(lengths: [int]_n => fun(cols: [i -> [int]_{toNat(lengths@i)}]_n => "
    "fun(vals: [i -> [double]_{toNat(lengths@i)}]_n => fun(xs: [double]_m => zip(cols, vals) :>> "
    "map(fun(row => zip(row.1, row.2) :>> map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0)))))))))"
)
WORK_GROUPS = (
    "sums(vals, memo)",
    "splitUpJoin(map1, 16)",
    "mapWorkgroup(map3)",
    "dealReduce(reduce1, 8)",
    "mapLater(deal1)",
    "fuse(map4)",
    "mapLocal(map4)",
    "toLocal(map4)",
)


def panel_of(page: Page, title: str) -> Locator:
    """What the tab shows; it is reached by key, for a list of tabs that scrolls may move under the pointer."""
    understand = page.get_by_role("region", name="Understand", exact=True)
    tab = understand.get_by_role("tab", name=title)
    tab.press("Enter")
    expect(tab).to_have_attribute("aria-selected", "true")
    return understand.get_by_role("region", name=title)


def check_addresses(panel: Locator, lengths: list[int]) -> None:
    """Every element is at the sum of the lengths in front of its row, and as far in it."""
    buffer = panel.get_by_role("region", name="Flat buffer").get_by_role("listitem")
    expect(buffer).to_have_count(sum(lengths))
    for row, length in enumerate(lengths):
        for place in range(length):
            panel.get_by_role("button", name=f"Element {place} of row {row}").click()
            address = sum(lengths[:row]) + place
            expect(panel.get_by_role("status").locator("strong")).to_have_text(str(address))
            expect(buffer.nth(address)).to_have_attribute("data-marked", "true")


def test_an_address_is_the_sum_of_the_lengths_in_front(explorer: Explorer, page: Page) -> None:
    """docs/sources.toml V14."""
    explorer.choose_example("A triangle, packed by rows")
    panel = panel_of(page, "Types as memory")
    check_addresses(panel, [1, 2, 3, 4])
    assert violations(page) == []
    # Another length is another program: rows, buffer, address and code follow.
    length = panel.get_by_label("Length of row i")
    length.fill("2*i")
    length.press("Enter")
    explorer.expect_errors()  # take(i + 1) is no longer as long as the row
    explorer.expression.write(TRIANGLE.replace("i+1", "2*i"))
    explorer.expect_compiled()
    check_addresses(panel, [0, 2, 4, 6])
    expect(panel.get_by_role("status")).to_contain_text("i*i - i + j")


def test_a_sum_disappears_rule_by_rule(explorer: Explorer, page: Page) -> None:
    """docs/sources.toml V13."""
    explorer.choose_example("A triangle, packed by rows")
    explorer.expression.write(TRIANGLE)
    explorer.expect_compiled()
    panel = panel_of(page, "Types as memory")
    derivation = panel.get_by_role("list", name="Derivation").get_by_role("listitem")
    expect(derivation).to_have_count(2)
    expect(derivation.nth(0)).to_have_attribute("data-rule", "linear")
    expect(derivation.nth(1)).to_have_attribute("data-rule", "constant")
    additions = panel.get_by_role("table", name="Additions")
    counts = {"loop": "n(n − 1)/26", "memo": "n4", "closed": "00"}
    for strategy, count in counts.items():
        expect(additions.locator(f"[data-strategy={strategy}]")).to_contain_text(count)
    # Each way to find it is another code, of so many additions.
    code = explorer.code.text
    for strategy, how, then in (
        ("loop", "added up in a loop for each row", "start += "),
        ("memo", "added up once, before the kernel runs", "L_start["),
        ("closed", "a formula", "i * i"),
    ):
        panel.get_by_label(f"{strategy} {how}").check()
        explorer.expect_compiled()
        expect(code).to_contain_text(then)
        expect(additions.locator("[aria-current=true]")).to_have_attribute("data-strategy", strategy)
        expect(additions.locator("[aria-current=true]")).to_contain_text(counts[strategy])
        expect(panel.get_by_role("note")).to_have_count(1 if strategy == "memo" else 0)
        if strategy == "memo":
            expect(panel.get_by_role("note")).to_contain_text("_start = 0 1 3 6 10")
            expect(panel.get_by_role("note")).to_contain_text("these are the offsets of CSR")
    expect(code).not_to_contain_text("L_start[")


def test_a_pattern_its_type_and_its_loop(explorer: Explorer, page: Page) -> None:
    page.get_by_label("Language of the expression").select_option("patterns")
    explorer.expression.write(LISTS)
    explorer.expect_compiled()
    # The cursor tells the type of what it is on.
    said = page.get_by_role("status", name="Type under the cursor")
    explorer.expression.box.press("Control+Home")
    expect(said).to_have_text("The type of what the cursor is on stands here.")
    explorer.expression.box.press("Control+End")
    for _ in range(len(LISTS) - LISTS.index("row.2") - len("row.")):
        page.keyboard.press("ArrowLeft")
    expect(said).to_have_text("row.2: [double]_{lengths@row_i}")
    # A pattern is pinned to its loop, and the loop lights the pattern.
    tree = panel_of(page, "Pattern tree")
    outer = tree.get_by_role("button", name="map1")
    outer.click()
    expect(outer).to_have_attribute("aria-pressed", "true")
    expect(explorer.code.lit_names().first).to_have_text("row_i")
    outer.click()
    expect(outer).to_have_attribute("aria-pressed", "false")
    page.mouse.move(0, 0)
    expect(explorer.code.lit_names()).to_have_count(0)
    explorer.code.name("row_i").hover()
    expect(outer).to_have_attribute("data-linked", "")
    assert violations(page) == []
    page.get_by_role("button", name="As index notation").click()
    bridge = page.get_by_role("dialog", name="As index notation")
    expect(bridge.get_by_role("list", name="Derivation").get_by_role("listitem").first).to_be_visible()
    assert violations(page) == []


def test_from_the_length_of_a_row_to_work_groups(explorer: Explorer, page: Page) -> None:
    page.get_by_label("Language of the expression").select_option("patterns")
    explorer.expect_compiled()
    explorer.schedule.write("")
    explorer.expression.write(LISTS)
    explorer.expect_compiled()
    panel = panel_of(page, "Types as memory")
    expect(panel.get_by_text("No rule removes this sum.")).to_be_visible()
    panel.get_by_label("row 1", exact=True).fill("2")
    buffer = panel.get_by_role("region", name="Flat buffer").get_by_role("listitem")
    expect(buffer).to_have_count(9)
    panel.get_by_role("button", name="Element 1 of row 2").click()
    said = "2 + 2 = 4 in the rows before it, and 1 before it in its own row."
    expect(panel.get_by_role("status")).to_contain_text(said)
    panel.get_by_label("memo added up once, before the kernel runs").check()
    explorer.schedule.expect_text("sums(vals, memo)")
    expect(panel.get_by_role("note")).to_contain_text("vals_start = 0 2 4 7 9")
    # Seven steps from rows to work-groups, each taken only where its law holds.
    explorer.run.target.select_option("opencl")
    for taken in range(1, 8):
        explorer.schedule.write("\n".join(WORK_GROUPS[: 1 + taken]))
        explorer.expect_compiled()
    text = page.get_by_role("listbox", name="OpenCL code, line by line")
    expect(text).to_contain_text("barrier(")
    expect(text).to_contain_text("_start[")


@pytest.mark.skipif(not opencl_devices.devices(), reason="no OpenCL device here")
@pytest.mark.needs_server("POST /runs")
def test_work_groups_run_on_a_real_matrix_and_are_shared(
    visitor: Explorer, page: Page, browser: Browser, console: Console
) -> None:
    plan = {"version": 2, "language": "patterns", "expression": LISTS, "schedule": WORK_GROUPS, "target": "opencl"}
    page.goto(page.request.post("/api/v1/links", data={"plan": plan}).json()["url"])
    visitor.expect_compiled()
    visitor.run.open_form()
    arguments = visitor.run.pane.get_by_role("region", name="Arguments")
    arguments.get_by_role("button", name="Take the arguments from a matrix").click()
    expect(arguments.get_by_label("Argument lengths")).to_have_value("A.lengths")
    visitor.run.choose_dataset("A", "bcsstk13")
    visitor.run.start()
    visitor.run.expect_verified()
    link = visitor.share.make_link()
    stranger = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    other = Explorer(stranger.new_page())
    console.watch(other.page)
    other.page.goto(link)
    other.expect_compiled()
    other.schedule.expect_text("\n".join(WORK_GROUPS))
    expect(other.run.outcome).to_contain_text("Stored result of")
    stranger.close()
