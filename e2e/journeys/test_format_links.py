"""Journey: links that were given out, with every macro of a format, open in the page and compile."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer
from e2e.server import ROOT

LINKS: list[dict[str, Any]] = json.loads((ROOT / "tests" / "data" / "links" / "formats.json").read_text("utf-8"))


def test_links_with_every_macro_open_and_compile(explorer: Explorer, page: Page) -> None:
    field = page.get_by_label("Levels of A", exact=True)
    for link in LINKS:
        page.evaluate("fragment => { location.hash = fragment; }", link["fragment"])
        expect(field).to_have_value(link["plan"]["tensors"]["A"]["format"])
        explorer.expect_compiled()
        if "fill" in link["plan"]["tensors"]["A"]:
            expect(page.get_by_text("Where A stores nothing, it is inf.")).to_be_visible()
