"""What a screen reader says while somebody works: what has come to rest, with what is wrong, and no step in between."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, expect

from e2e.pages.explorer import Explorer

LISTEN = """
() => {
  window.heard = [];
  const regions = new Set();
  new MutationObserver(() => {
    for (const region of document.querySelectorAll('[role=status]')) {
      const text = region.textContent.trim();
      if (text !== '' && region.lastHeard !== text && regions.has(region)) window.heard.push(text);
      region.lastHeard = text;
      regions.add(region);
    }
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
}
"""


def test_typing_is_answered_once_it_rests_with_the_text_of_the_error(
    context: BrowserContext, explorer: Explorer
) -> None:
    page = explorer.page
    said = page.locator(".compile-status").get_by_role("status")
    expect(said).to_have_text("Compiled")
    page.evaluate(LISTEN)
    # The page's own time: on a busy machine a second may pass between two keys.
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    explorer.schedule.write("")
    explorer.schedule.box.click()
    for letter in "split(k, i0, i1, 32)":
        page.keyboard.press(letter)
        page.clock.run_for(40)
    page.clock.resume()
    explorer.expect_errors()
    expect(said).to_contain_text("1 error. `split(k, i0, i1, 32)`: there is no index variable k.")
    explorer.schedule.write("split(i, i0, i1, 32)")
    expect(said).to_have_text("Compiled")
    heard = [text for text in page.evaluate("window.heard") if "error" in text]
    assert len(heard) == 1
