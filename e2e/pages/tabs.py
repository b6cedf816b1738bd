"""Tabs of a pane, the rest of which stand behind *More* until they are opened once."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect


def show_tab(pane: Locator, title: str) -> None:
    """Opens a tab of a pane, wherever it stands."""
    tab = pane.get_by_role("tab", name=title, exact=True)
    more = pane.get_by_role("button", name=re.compile("^More: ")).first
    expect(tab.or_(more).first).to_be_visible()
    if tab.count() == 0:
        more.click()
        pane.page.get_by_role("menuitem", name=re.compile(f"^{re.escape(title)}")).click()
    else:
        tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")
