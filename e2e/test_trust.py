"""What stands on the page is what counts: no input out of sight, no number that is not used, one plan in all panes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.pages.tabs import show_tab
from e2e.pages.window import resize

MTTKRP = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"


def test_an_operand_that_becomes_the_result_leaves_its_data_behind_and_says_so(explorer: Explorer, page: Page) -> None:
    explorer.run.choose_generator("A", "rmat")
    explorer.schedule.write("")
    explorer.expression.write(MTTKRP)
    explorer.expect_compiled()
    note = page.get_by_role("list", name="No longer in the plan")
    expect(note).to_contain_text("A is the result now. Its input (R-MAT) and its format csr are no longer in the plan.")
    expect(explorer.run.input_of("A")).to_have_count(0)
    expect(explorer.formats.of("A")).to_have_value("dense")
    note.get_by_role("button", name="Undo the edit").click()
    explorer.expect_compiled()
    expect(explorer.run.input_of("A")).to_have_value("generator rmat")
    expect(explorer.formats.of("A")).to_have_value("csr")
    expect(note).to_have_count(0)


def test_a_number_that_cannot_be_used_holds_the_run_with_its_reason(explorer: Explorer, page: Page) -> None:
    explorer.run.choose_generator("A", "uniform")
    explorer.expect_compiled()
    for label, value, reason in (
        ("size of i", "1000000000000", "A, size of i: At most 2\u202f147\u202f483\u202f647."),
        ("size of i", "-3", "A, size of i: At least 0."),
        ("size of i", "abc", "A, size of i: “abc” is not a number."),
        ("Nonzeros", "9e8", "A, Nonzeros: At most 30\u202f000\u202f000."),
    ):
        explorer.run.set_parameter("A", label, value)
        expect(explorer.run.button).to_be_disabled()
        expect(explorer.run.button).to_have_accessible_description(reason)
        page.keyboard.press("Control+Enter")
        explorer.run.set_parameter("A", label, "64")
        expect(explorer.run.button).to_be_enabled()
    expect(explorer.run.cancel).to_have_count(0)
    # A size that the file of another tensor fixes is filled in, and follows it.
    explorer.run.choose_generator("x", "dense")
    explorer.run.choose_dataset("A", "karate")
    size = explorer.run.pane.get_by_role("group", name="Generator of x").get_by_label("size of j")
    expect(size).to_have_value("34")
    expect(size).to_have_accessible_description("as in A")
    expect(size).not_to_be_editable()


def test_all_panes_draw_the_plan_before_a_refused_command_and_say_so(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("split(i, i0, i1, 16)\nparallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()
    explorer.schedule.write("split(i, i0, i1, 16)\nparallelize(j, CPUThread, NoRaces)")
    explorer.expect_errors()
    words = "After command 1: command 2 is refused."
    understand = page.get_by_role("region", name="Understand", exact=True)
    expect(explorer.code.pane).to_contain_text(words)
    expect(explorer.code.text).not_to_contain_text("#pragma omp parallel")
    expect(explorer.code.text).to_contain_text("16")
    for tab in ("Graphs", "Provenance", "Space", "Lattice", "Filmstrip"):
        show_tab(understand, tab)
        expect(understand).to_contain_text(words)
    understand.get_by_role("tab", name="Space", exact=True).click()
    understand.get_by_role("button", name="Workers").click()
    expect(understand).to_contain_text("No loop runs in parallel")
    expect(explorer.run.button).to_be_disabled()
    explorer.expression.write("y(i) = A(i,")
    explorer.expect_errors()
    for pane in (understand, explorer.code.pane):
        expect(pane).to_contain_text("From the last plan that compiled.")


def test_undo_survives_a_reload_and_back_returns_from_an_example(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("split(i, i0, i1, 8)")
    explorer.expect_compiled()
    explorer.formats.choose("A", "dcsr")
    explorer.expect_compiled()
    page.reload()
    explorer.expect_compiled()
    page.get_by_role("button", name="Undo", exact=True).click()
    explorer.expect_compiled()
    expect(explorer.formats.of("A")).to_have_value("csr")
    explorer.choose_example("SpMV by columns")
    expect(explorer.formats.of("A")).to_have_value("csc")
    page.go_back()
    explorer.expect_compiled()
    explorer.schedule.expect_text("split(i, i0, i1, 8)")
    expect(explorer.formats.of("A")).to_have_value("csr")
    page.get_by_role("button", name="Undo", exact=True).click()
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)")


@pytest.mark.combinations(2)
@pytest.mark.parametrize("width", [1440, 390])
def test_a_very_long_expression_keeps_the_page_and_gets_its_message(
    explorer: Explorer, page: Page, console: Console, width: int
) -> None:
    console.expect("status of 400")
    resize(page, width)
    header = page.get_by_role("banner").bounding_box()
    explorer.expression.write(("y(i) = " + " + ".join(["A(i,j) * x(j)"] * 900))[:13_000])
    expect(explorer.status).to_contain_text("1 error")
    message = page.get_by_text("the expression has 13000 characters, the limit is 1024", exact=True)
    expect(message).to_be_in_viewport()
    expect(explorer.schedule.box).to_be_in_viewport()
    assert page.get_by_role("banner").bounding_box() == header
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.needs_server("GET /{path}")
def test_an_unknown_address_is_a_page_with_a_way_home(visitor: Explorer, page: Page, console: Console) -> None:
    console.expect("status of 404")
    page.goto("/nonsense")
    expect(page.get_by_role("heading", name="There is no page at this address")).to_be_visible()
    page.get_by_role("link", name="Open Heddle").click()
    visitor.expect_compiled()
