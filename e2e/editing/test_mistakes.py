"""Journey 2: a mistake is underlined where it stands, explained with the names at hand, and everything else stays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.scenes import PLAIN, Scene

WRONG_COMMANDS = (
    ("split(k, k0, k1, 32)", "k", ["k", "i", "j"]),
    ("parallelize(j, CPUThread, NoRaces)", "NoRaces", ["j", "y(i)", "parallelize i"]),
    ("pos(j, p, x)", "x", ["dense", "pos(j, p, A)"]),
    ("splitt(i, i0, i1, 32)", "splitt", ["Did you mean", "split"]),
    ("reorder(j, i)", "reorder(j, i)", ["A is stored i→j", "Store A as csc"]),
)


@pytest.mark.every_commit
def test_a_wrong_command_is_underlined_and_explained_and_one_press_repairs_it(explorer: Explorer) -> None:
    for schedule, underlined, message in WRONG_COMMANDS:
        explorer.schedule.write(schedule)
        for word in message:
            expect(explorer.schedule.problems).to_contain_text(word)
        explorer.expect_errors()
        expect(explorer.schedule.squiggles.first).to_contain_text(underlined)
        expect(explorer.code.text).to_contain_text("A2_pos")
        expect(explorer.graphs.iteration.area).to_be_visible()

    explorer.schedule.fixes.first.click()
    expect(explorer.schedule.problems).to_have_count(0)
    explorer.expect_compiled()
    expect(explorer.formats.of("A")).to_have_value("csc")

    explorer.schedule.write("split(i, i0, i1, 32)\nunroll(q, 2)")
    explorer.schedule.problems.get_by_role("button", name="Command 2").click()
    expect(explorer.schedule.box).to_be_focused()


def test_a_wrong_format_or_expression_keeps_the_last_code(explorer: Explorer) -> None:
    explorer.formats.write_levels("A", "crs")
    explorer.expect_errors()
    expect(explorer.formats.problems("A")).to_contain_text("csr")
    explorer.formats.write_levels("A", "csr")
    explorer.expect_compiled()
    explorer.expression.write("y(i) = A(i,")
    explorer.expect_errors()
    expect(explorer.expression.problems).to_be_visible()
    expect(explorer.code.text).to_contain_text("A2_pos")
    expect(explorer.code.pane).to_contain_text("From the last plan that compiled")


def test_a_link_to_a_plan_that_never_compiled_says_why(visitor: Explorer, page: Page) -> None:
    """No tensor has a row yet that could say it."""
    Scene(PLAIN | {"tensors": {"A": {"format": "block(4,4)"}}}).open(page)
    problems = page.get_by_role("list", name="Problems in the formats")
    expect(problems).to_contain_text("there is no format block(4,4) (format of A)")
    problems.get_by_role("button", name="Use bcsr(4,4) for A").click()
    visitor.expect_compiled()
    expect(problems).to_have_count(0)


def test_a_schedule_of_ten_thousand_lines_is_refused_clearly(explorer: Explorer, console: Console) -> None:
    console.expect("status of 400")
    explorer.schedule.paste("\n".join("unroll(i, 2)" for _ in range(10_000)))
    expect(explorer.status).to_contain_text("1 error")
    expect(explorer.page.get_by_text("the schedule has 10000 commands, the limit is 256", exact=True)).to_be_visible()
    expect(explorer.run.button).to_be_disabled()
    explorer.schedule.paste("split(i, i0, i1, 32)")  # through the editor, which draws only what is in sight
    explorer.expect_compiled()
