"""Journey 1: open, change formats, write a schedule, and see at once what it does."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer


@pytest.mark.every_commit
def test_a_newcomer_finds_spmv_open_and_compiled(explorer: Explorer, page: Page) -> None:
    explorer.expect_compiled()
    explorer.expression.expect_text("y(i) = A(i,j) * x(j)")
    expect(explorer.formats.of("A")).to_have_value("csr")
    expect(explorer.formats.of("x")).to_have_value("dense")
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)")
    explorer.graphs.iteration.expect_variables("i0", "i1", "j")
    explorer.graphs.provenance.expect_variables("i", "i0", "i1", "j")
    expect(explorer.code.text).to_contain_text("#pragma omp parallel for")
    explorer.code.expect_roles("bounds", "guard", "recovery", "reduction")
    expect(page).to_have_title(re.compile("Heddle"))
    # The stages show the way from the notation to C.
    explorer.code.show("Stages")
    expect(explorer.code.stages.first).to_be_visible()
    assert explorer.code.stages.count() >= 6
    split = explorer.code.stages.filter(has_text="split").first
    split.click()
    expect(split).to_have_attribute("aria-current", "step")


ARRAYS = {
    "csr": (["A2_pos", "A2_crd"], ["A1_pos"]),
    "csc": (["A2_pos", "A2_crd"], ["A1_pos"]),
    "dcsr": (["A1_pos", "A1_crd", "A2_pos", "A2_crd"], []),
    "dense": (["A_vals"], ["A1_pos", "A2_pos", "A2_crd"]),
}
"""Of each format: the arrays that its code reads, and some that it does not have."""


def test_another_format_of_the_matrix_changes_the_code_and_is_undone(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.formats.choose("A", "dcsr")
    page.get_by_role("button", name="Undo").click()
    expect(explorer.formats.of("A")).to_have_value("csr")
    page.get_by_role("button", name="Redo").click()
    expect(explorer.formats.of("A")).to_have_value("dcsr")
    for preset, (arrays, absent) in ARRAYS.items():
        explorer.formats.choose("A", preset)
        explorer.expect_compiled()
        for array in arrays:
            expect(explorer.code.text).to_contain_text(array)
        for array in absent:
            expect(explorer.code.text).not_to_contain_text(array)
        order = ("j", "i") if preset == "csc" else ("i", "j")
        for depth, variable in enumerate(order, start=1):
            loop = re.compile(f"^Loop {depth}:")
            expect(explorer.graphs.iteration.node(variable)).to_have_attribute("aria-label", loop)


@pytest.mark.every_commit
def test_a_schedule_grows_command_by_command(explorer: Explorer) -> None:
    explorer.schedule.type("split(i,i0,i1,32)")
    explorer.expect_compiled()
    explorer.graphs.iteration.expect_variables("i0", "i1", "j")
    explorer.schedule.type("split(i,i0,i1,32)\nsplit(j,j0,j1,16)\nreorder(i0,j0,i1,j1)")
    explorer.expect_compiled()
    explorer.graphs.iteration.expect_variables("i0", "j0", "i1", "j1")
    expect(explorer.graphs.iteration.node("j0")).to_have_attribute("aria-label", re.compile("^Loop 2:"))


def test_nonzeros_shared_out_evenly_are_position_variables(explorer: Explorer) -> None:
    explorer.schedule.type("fuse(i,j,f)\npos(f,fpos,A)\nsplit(fpos,p0,p1,64)\nparallelize(p0,CPUThread,Atomics)")
    explorer.expect_compiled()
    explorer.graphs.iteration.expect_variables("p0", "p1")
    explorer.graphs.provenance.expect_variables("i", "j", "f", "fpos", "p0", "p1")
    explorer.graphs.provenance.expect_space("f", "coordinate")
    explorer.graphs.provenance.expect_space("fpos", "position")
    expect(explorer.code.text).to_contain_text("#pragma omp atomic")


def test_pointing_at_a_variable_lights_it_up_everywhere(explorer: Explorer, page: Page) -> None:
    expect(explorer.code.lit_names()).to_have_count(0)
    explorer.graphs.iteration.point_at("i0")
    expect(explorer.code.lit_names().first).to_have_text("i0")
    expect(explorer.graphs.provenance.node("i0")).to_have_attribute("data-linked", re.compile(".*"))
    expect(explorer.schedule.box.locator("[data-linked]").first).to_have_text("i0")
    expect(explorer.graphs.provenance.node("j")).not_to_have_attribute("data-linked", re.compile(".*"))
    page.get_by_role("heading", name="Formats").hover()
    expect(explorer.code.lit_names()).to_have_count(0)
    explorer.code.name("j").hover()
    expect(explorer.graphs.iteration.node("j")).to_have_attribute("data-linked", re.compile(".*"))
    expect(explorer.code.explanation).not_to_contain_text("Point at a line")
    # The keyboard lights it too, and Escape puts it out.
    explorer.graphs.iteration.node("i0").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    expect(explorer.graphs.provenance.node("i0")).to_have_attribute("data-linked", re.compile(".*"))
    page.keyboard.press("Escape")
    explorer.expression.box.focus()
    expect(explorer.graphs.provenance.node("i0")).not_to_have_attribute("data-linked", re.compile(".*"))
