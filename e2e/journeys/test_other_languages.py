"""Journey: a newcomer chooses another language for the expression: what it has works, and what it lacks is said."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from e2e.accessibility import violations
from e2e.pages.explorer import Explorer
from e2e.pages.window import resize
from heddle.frontends.table import front_end_of


def test_patterns_show_their_code_and_take_steps(explorer: Explorer, page: Page) -> None:
    page.get_by_label("Language of the expression").select_option("patterns")
    explorer.expect_compiled()
    explorer.schedule.write("")
    explorer.expression.write(front_end_of("patterns").example)
    explorer.expect_compiled()
    expect(explorer.code.text).to_contain_text("total += xs[i] * A[m * row_i + i];")
    for title in ("Loops, structured", "Loops, flat"):
        explorer.code.show(title)
        expect(explorer.code.pane).to_contain_text("for row_i in [0, n)")
    # The graph of a program without statements is its tree of patterns; other tabs say what to open instead.
    understand = page.get_by_role("region", name="Understand", exact=True)
    expect(understand.get_by_role("tab", name="Graphs")).to_have_attribute("aria-selected", "true")
    expect(understand.get_by_role("region", name="Pattern tree")).to_contain_text("map1")
    understand.get_by_role("tab", name="Space").click()
    expect(understand).to_contain_text("becomes loops directly")
    understand.get_by_role("button", name="Types as memory").click()
    expect(understand.get_by_role("tab", name="Types as memory")).to_have_attribute("aria-selected", "true")
    # Nothing offers what only statements have. The rules choose steps of its own.
    page.get_by_role("button", name="Choose a schedule for me").click()
    explorer.schedule.expect_text("vectorReduce(reduce1)")
    expect(explorer.code.pane).to_contain_text("on CPUVector reduce(+: total)")
    explorer.schedule.write("")
    for name in ("Paste from TACO", "Rows", "Step"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(explorer.schedule.box).to_contain_text("splitUpJoin(map1, 4)")
    # Steps of its own may come next: one is taken, and the code follows.
    page.get_by_role("button", name="What may come next").click()
    steps = page.get_by_role("region", name="What may come next")
    steps.locator("summary").filter(has_text="splitUpJoin").click()
    steps.get_by_role("group", name="splitUpJoin: can be applied here").get_by_role("button").first.click()
    explorer.schedule.expect_text("splitUpJoin(map1, 8)")
    expect(explorer.schedule.box.locator(".cm-command", has_text="splitUpJoin")).to_be_visible()
    explorer.expect_compiled()
    expect(explorer.code.pane).to_contain_text("i_piece")
    steps.get_by_role("button", name="map3", exact=True).click()
    expect(steps.locator("summary").filter(has_text="mapPar")).to_be_visible()
    assert violations(page) == []


@pytest.mark.needs_server("POST /runs")
def test_a_program_of_types_runs_on_a_real_matrix(explorer: Explorer, page: Page) -> None:
    page.get_by_label("Language of the expression").select_option("patterns")
    explorer.expect_compiled()
    explorer.run.open_form()
    arguments = explorer.run.pane.get_by_role("region", name="Arguments")
    expect(arguments.get_by_label("Argument offset")).to_have_value("A.pos")
    # Without them the page proposes the same, by the types alone.
    for name in ("offset", "cols", "vals", "xs"):
        arguments.get_by_label(f"Argument {name}").select_option(name)
    arguments.get_by_role("button", name="Take the arguments from a matrix").click()
    expect(arguments.get_by_label("Argument cols")).to_have_value("A.crd")
    expect(explorer.run.input_of("A")).to_have_value("generator uniform")
    explorer.run.input_of("A").select_option("dataset bcsstk13")
    explorer.run.start()
    explorer.run.expect_verified()
    expect(explorer.run.timings).to_contain_text("Heddle, y(i) = A(i,j) * xs(j)")


@pytest.mark.needs_server("POST /runs")
def test_the_first_comprehension_has_data_and_runs(explorer: Explorer, page: Page) -> None:
    page.get_by_label("Language of the expression").select_option("comprehension")
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()
    # Whoever comes back finds the plan that was left.
    explorer.schedule.write("parallelize(b, CPUThread, NoRaces)")
    page.get_by_label("Language of the expression").select_option("notation")
    explorer.expect_compiled()
    page.get_by_label("Language of the expression").select_option("comprehension")
    explorer.schedule.expect_text("parallelize(b, CPUThread, NoRaces)")


def test_a_long_name_leaves_room_for_the_choices_of_its_format(explorer: Explorer, page: Page) -> None:
    explorer.choose_example("A strided convolution")
    explorer.expect_compiled()
    for width in (1440, 1280, 1024, 390):
        resize(page, width)
        for tensor in ("I", "K", "O"):
            choice = explorer.formats.of(tensor).bounding_box()
            assert choice is not None
            assert choice["width"] > 70, (width, tensor)


def test_tabs_that_do_not_fit_are_reached_by_pointer(explorer: Explorer, page: Page) -> None:
    resize(page, 1280, 720)
    page.get_by_label("Language of the expression").select_option("patterns")
    explorer.expect_compiled()
    understand = page.get_by_role("region", name="Understand", exact=True)
    last = understand.get_by_role("tab", name="Filmstrip")
    further = understand.locator("[data-tip='More tabs after these']")
    tabs = understand.get_by_role("tablist")
    for _ in range(5):
        # Asked of the list itself: the button goes away only when the page has heard that it was scrolled.
        if tabs.evaluate("list => list.scrollLeft + list.clientWidth < list.scrollWidth - 1"):
            further.click()
    expect(last).to_be_in_viewport(ratio=0.9)
    expect(further).to_be_hidden()
    expect(understand.locator("[data-tip='More tabs before these']")).to_be_visible()
