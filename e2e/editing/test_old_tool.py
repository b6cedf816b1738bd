"""What people could not do in the web tool of the TACO compiler, each a journey that passes here.

Most of these journeys stand where their part of the page is tested; ``FAILURES`` says where, and a test keeps the list
true. What no other file tries is tried below.
"""

from __future__ import annotations

import importlib
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer

FAILURES: dict[str, tuple[str, ...]] = {
    "any edit clears the output": ("editing.test_mistakes.test_a_wrong_format_or_expression_keeps_the_last_code",),
    "another expression resets the schedule without a word": (
        "views.test_rows.test_a_schedule_survives_another_expression_with_its_broken_rows_marked",
    ),
    "rows cannot be reordered": ("views.test_rows.test_rows_move_by_keyboard_and_by_drag",),
    "there is no undo": (
        "editing.test_explore.test_another_format_of_the_matrix_changes_the_code_and_is_undone",
        "editing.test_commands.test_the_history_names_its_steps_and_goes_to_any",
    ),
    "with eleven rows, row 10 edits row 0": ("views.test_rows.test_with_more_than_eleven_rows_row_ten_edits_row_ten",),
    "errors are never attached to a row": (
        "editing.test_mistakes.test_a_wrong_command_is_underlined_and_explained_and_one_press_repairs_it",
        "views.test_rows.test_a_refused_row_explains_itself_and_is_mended_in_one_click",
    ),
    "the address has no version and omits settings": (
        "serving.test_share.test_the_address_bar_alone_restores_everything",
        "editing.test_old_tool.test_an_address_names_its_version_and_holds_every_setting",
    ),
    "no dimensions and no types": (
        "runs.test_run.test_a_generated_matrix_runs",
        "editing.test_old_tool.test_an_address_names_its_version_and_holds_every_setting",
    ),
    "it cannot run, verify or time": ("runs.test_run.test_a_real_matrix_is_verified_and_timed_beside_the_baselines",),
    "no stages": ("editing.test_explore.test_a_newcomer_finds_spmv_open_and_compiled",),
    "nothing says which command made which line": (
        "editing.test_explore.test_pointing_at_a_variable_lights_it_up_everywhere",
    ),
    "no picture of the iteration space": ("views.test_space.test_the_order_on_the_page_is_that_of_the_trace",),
    "no storage with data": (
        "views.test_storage.test_one_value_is_one_cell_one_leaf_and_its_segment",
        "views.test_storage.test_real_data_is_sampled_and_says_so",
    ),
    "text of a person becomes a command line": (
        "editing.test_old_tool.test_text_of_a_person_never_becomes_a_command",
        "runs.test_bad_inputs.test_text_of_a_person_is_never_markup",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_every_failure_has_its_journey(failure: str) -> None:
    for place in FAILURES[failure]:
        module, _, name = place.rpartition(".")
        assert callable(getattr(importlib.import_module(f"e2e.{module}"), name, None)), place


def test_an_address_names_its_version_and_holds_every_setting(explorer: Explorer, page: Page) -> None:
    explorer.formats.type_of("A").select_option("float32")
    explorer.run.choose_generator("A", "uniform")
    explorer.expect_compiled()
    expect(explorer.code.text).to_contain_text("const float* restrict A_vals")
    assert re.search(r"/#(plan=)?z1\.", page.url)
    page.goto("about:blank")
    page.go_back()
    explorer.expect_compiled()
    expect(explorer.formats.type_of("A")).to_have_value("float32")
    expect(explorer.run.input_of("A")).to_have_value("generator uniform")
    # A version that this page does not know is named, not misread.
    page.goto("about:blank")
    page.goto("/#q7.abc")
    expect(page.get_by_role("alert").first).to_contain_text("made by a newer version of Heddle")


def test_text_of_a_person_never_becomes_a_command(explorer: Explorer, tmp_path: Path) -> None:
    trace = tmp_path / "touched"
    for text in (f"y(i) = A(i,j) * x(j); $(touch {trace})", f"y(i) = `touch {trace}`", f"-f=A:ds -o={trace}"):
        explorer.expression.write(text)
        explorer.expect_errors()
    explorer.expression.write("y(i) = A(i,j) * x(j)")
    explorer.schedule.write(f'split(i, i0, i1, 32" ; touch {trace} ; ")')
    explorer.expect_errors()
    explorer.schedule.write("")
    explorer.expect_compiled()
    time.sleep(0.2)  # what a shell were started with would have run by now
    assert not trace.exists()
