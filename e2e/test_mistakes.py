"""Journey 2: a mistake is underlined where it stands, explained with the names at hand, and everything else stays."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from e2e.console import Console
from e2e.pages.explorer import Explorer


@pytest.mark.parametrize(
    ("schedule", "underlined", "message"),
    [
        ("split(k, k0, k1, 32)", "k", ["k", "i", "j"]),
        ("parallelize(j, CPUThread, NoRaces)", "NoRaces", ["j", "y(i)", "parallelize i"]),
        ("pos(j, p, x)", "x", ["dense", "pos(j, p, A)"]),
        ("reorder(j, i)", "reorder(j, i)", ["A is stored i→j", "Store A as csc"]),
        ("splitt(i, i0, i1, 32)", "splitt", ["Did you mean", "split"]),
    ],
)
def test_a_wrong_command_is_underlined_and_explained(
    explorer: Explorer, schedule: str, underlined: str, message: list[str]
) -> None:
    explorer.schedule.write(schedule)
    explorer.expect_errors()
    expect(explorer.schedule.squiggles.first).to_contain_text(underlined)
    for word in message:
        expect(explorer.schedule.problems).to_contain_text(word)
    expect(explorer.code.text).to_contain_text("A2_pos")
    expect(explorer.graphs.iteration.area).to_be_visible()


def test_a_repair_is_one_click(explorer: Explorer) -> None:
    explorer.schedule.write("reorder(j, i)")
    explorer.expect_errors()
    explorer.schedule.fixes.first.click()
    explorer.expect_compiled()
    expect(explorer.formats.of("A")).to_have_value("csc")
    expect(explorer.schedule.problems).to_have_count(0)


def test_the_number_of_the_command_jumps_to_it(explorer: Explorer) -> None:
    explorer.schedule.write("split(i, i0, i1, 32)\nunroll(q, 2)")
    explorer.expect_errors()
    explorer.schedule.problems.get_by_role("button", name="Command 2").click()
    expect(explorer.schedule.box).to_be_focused()


def test_an_expression_that_is_cut_off_keeps_the_last_code(explorer: Explorer) -> None:
    explorer.expression.write("y(i) = A(i,")
    explorer.expect_errors()
    expect(explorer.expression.problems).to_be_visible()
    expect(explorer.code.text).to_contain_text("A2_pos")
    expect(explorer.code.pane).to_contain_text("From the last plan that compiled")


def test_an_unknown_format_is_answered_with_the_known_ones(explorer: Explorer) -> None:
    explorer.formats.write_levels("A", "crs")
    explorer.expect_errors()
    expect(explorer.formats.problems("A")).to_contain_text("csr")


def test_a_schedule_of_ten_thousand_lines_is_refused_clearly(explorer: Explorer, console: Console) -> None:
    console.expect("status of 400")
    explorer.schedule.paste("\n".join("unroll(i, 2)" for _ in range(10_000)))
    expect(explorer.status).to_contain_text("1 error")
    expect(explorer.page.get_by_text("the schedule has 10000 commands, the limit is 256")).to_be_visible()
    expect(explorer.run.button).to_be_disabled()
    explorer.schedule.paste("split(i, i0, i1, 32)")  # through the editor, which draws only what is in sight
    explorer.expect_compiled()
