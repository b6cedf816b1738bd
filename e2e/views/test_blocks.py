"""Journey: formats that store blocks are changed in the level builder as others are, and run with the new sizes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from e2e.pages.explorer import Explorer
from e2e.pages.storage import Storage


@pytest.mark.needs_server("POST /runs")
def test_block_size_and_window_of_a_sliced_format_are_chosen_and_run(explorer: Explorer) -> None:
    explorer.schedule.write("")
    explorer.formats.choose("A", "sell(8,64)")
    storage = Storage(explorer.page)
    storage.show("A")
    expect(storage.builder.get_by_role("listitem")).to_have_count(4)
    expect(storage.panel).to_contain_text(
        "i is stored in blocks of 8: i / 8 is the block, i mod 8 the place inside it."
    )
    storage.set_number("Block size of i", 2)
    storage.expect_array("A1_rows", [2, 0, 3, 1])
    expect(storage.panel.get_by_label("Level 1 stores the blocks of dimension i")).to_have_text("⠿ i / 2")
    storage.set_number("Window of i", 3)
    problems = explorer.formats.problems("A")
    expect(problems).to_contain_text("rows are sorted within windows of whole slices, and a slice has 2 rows")
    problems.get_by_role("button", name="Use sell(2,4) for A").click()
    expect(storage.panel.get_by_label("Window of i")).to_have_value("4")
    storage.set_number("Window of i", 2)
    storage.expect_array("A1_rows", [0, 1, 2, 3])
    expect(explorer.formats.of("A").locator("option:checked")).to_have_text("sell(2,2)")
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()


def test_a_format_in_blocks_gets_other_kinds_and_another_order(explorer: Explorer) -> None:
    explorer.schedule.write("")
    explorer.formats.choose("A", "sell(8)")
    storage = Storage(explorer.page)
    storage.show("A")
    kinds = storage.panel.get_by_label("Kind of level 4", exact=True)
    expect(kinds.get_by_role("option")).to_have_text(["optional", "runs"])
    storage.choose_kind(4, "runs")
    expect(explorer.formats.of("A")).to_have_value("sell-runs(8)")
    explorer.formats.choose("A", "bcsr(4,4)")
    storage.set_number("Block size of j", 2)
    storage.panel.get_by_role("button", name="Move dimension j outwards").click()
    expect(explorer.formats.levels_of("A")).to_have_value("dense, compressed, dense(4), dense(2) : 1,0,1,0")
    expect(storage.panel.get_by_label("Level 1 stores the blocks of dimension j")).to_have_text("⠿ j / 4")
    explorer.expect_compiled()
