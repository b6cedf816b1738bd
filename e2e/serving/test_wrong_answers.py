"""Answers of a wrong shape, from any transport: an error in the pane that asked, and the page around it stays."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.console import Console
from e2e.shared_tab import WAIT_MILLISECONDS, SharedTab

GROUPS = {
    "catalogue": (
        *("languages", "targets", "commands", "formats", "quantities", "examples", "generators", "baselines"),
        *("methods", "collections", "datasets", "machine", "machines", "version", "lessons"),
    ),
    "compile": ("compile",),
    "pictures": (
        *("legal", "trace", "storage", "composition", "previews", "tiles", "account", "explanations", "bridge"),
        "fusion",
    ),
    "results": ("tuned", "tuned/lookup", "runs/measured", "experiments"),
}
SHAPES = ("{}", "null", "[3]", '{"ok":true}')


@pytest.mark.combinations(16)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.needs_server("POST /tuned/lookup")
def test_a_wrong_answer_takes_no_more_than_its_pane(shared_tab: SharedTab, group: str, shape: str) -> None:
    console = Console()  # React says there what its boundaries caught
    page = shared_tab.lend(console, toured=True)
    try:
        show_all_tabs(page, GROUPS[group], shape)
    finally:
        shared_tab.take_back(page, console, passed=True)


def show_all_tabs(page: Page, routes: Sequence[str], shape: str) -> None:
    def answer(asked: Route) -> None:
        asked.fulfill(status=200, content_type="application/json", body=shape)

    page.route(re.compile(rf"/api/v1/({'|'.join(routes)})(\?.*)?$"), answer)
    page.set_default_timeout(WAIT_MILLISECONDS)
    page.goto("/")
    page.locator(".compile-words, header [role=alert], .panel-message").first.wait_for()
    for pane in ("Understand", "Code", "Run"):
        region = page.get_by_role("region", name=pane, exact=True)
        for tab in region.get_by_role("tab").all():
            title = tab.inner_text()
            tab.dispatch_event("click")
            expect(page.locator(".page"), f"{title}: {json.dumps(shape)}").to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".page > header, .page > [role=alert]").first).to_be_visible()
    expect(page.get_by_role("region", name="Define", exact=True)).to_be_visible()
