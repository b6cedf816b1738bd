"""Journey: a slow run is explained in one sentence, whose repair is one press. What the service finds in a run depends
on how quiet the machine is, so the run comes from a link here, with the sentence that the service would say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.pages.explorer import Explorer

TEXT = "27,962 tiles of 3: the loop over the tiles of fpos costs more than what is in them. Try 256."
SMALL = "fuse(i, j, f)\npos(f, fpos, A)\nsplit(fpos, p0, p1, 3)\nparallelize(p0, CPUThread, Atomics)"
LARGE = SMALL.replace(", 3)", ", 256)")
DIAGNOSIS = {
    "rule": "small-tiles",
    "text": TEXT,
    "fix": {
        "title": "Tiles of 256",
        "schedule": LARGE.split("\n"),
        "expression": None,
        "formats": None,
        "options": None,
    },
}


@pytest.mark.needs_server("POST /runs")
def test_one_sentence_says_what_held_the_kernel_back_and_one_press_repairs_it(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write(SMALL)
    explorer.expect_compiled()
    explorer.run.compare_with()
    explorer.run.start()
    explorer.run.expect_verified()
    link = explorer.share.make_link()

    def diagnosed(route: Route) -> None:
        answer = route.fetch()
        body: dict[str, Any] = answer.json()
        body["run"]["result"]["diagnosis"] = DIAGNOSIS
        route.fulfill(response=answer, body=json.dumps(body))

    page.route("**/api/v1/links/*", diagnosed)
    explorer.open(link)
    note = explorer.run.outcome.get_by_role("note", name="Diagnosis")
    expect(note).to_contain_text(TEXT)
    expect(note).to_be_in_viewport()
    note.get_by_role("button", name="Tiles of 256").click()
    explorer.expect_compiled()
    explorer.schedule.expect_text(LARGE)
    # The sentence was about the plan that was run.
    expect(explorer.run.outcome).to_contain_text("This result belongs to an earlier plan.")
    expect(note.get_by_role("button", name="Tiles of 256")).to_have_count(0)
