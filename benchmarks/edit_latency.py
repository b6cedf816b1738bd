"""Milliseconds from an edit to all panels, in a real browser, one command:

python benchmarks/edit_latency.py [--edits 40] [--json FILE]

Starts the service with its own data folder, opens the explorer with the iteration and the provenance graph and the
code in sight, and changes the schedule again and again, each time to variables that were never there, so that nothing
comes from a cache. A time begins with the key and ends with the first frame that shows the new names in both graphs and
the code; it has the short pause in it for which the page waits for another key (compile-loop.ts, PAUSE_MS).
Needs the page (npm --prefix frontend run build) and a Chromium (HEDDLE_CHROMIUM, else one on the PATH).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import urllib.parse
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))

from e2e.server import Server
from tools.browser import ensure_browser

PLANS = {
    "SpMV": ("y(i) = A(i,j) * x(j)", {"A": {"format": "csr"}}, "split(i, {0}a, {0}b, 32)", 100.0),
    "MTTKRP": ("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": {"format": "csf"}}, "split(j, {0}a, {0}b, 8)", 100.0),
}
"""Expression, formats, schedule with a place for fresh names, and the p95 to reach in ms."""

BEEN_HERE = """
if (location.protocol === 'http:') localStorage['heddle.preferences.1'] ??= JSON.stringify({toured: true});
"""

WATCH = """name => new Promise(resolve => {
  let start = null;
  const parts = () => ['Iteration graph', 'Provenance graph', 'Code'].map(label =>
    document.querySelector(`section[aria-label="${label}"]`)?.textContent ?? '');
  const observer = new MutationObserver(() => {
    if (start === null || !parts().every(text => text.includes(name))) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
  });
  observer.observe(document.body, {subtree: true, childList: true, characterData: true});
  document.addEventListener('input', () => { start = performance.now(); }, {capture: true, once: true});
})"""


def measure(page: Page, name: str, edits: int) -> list[float]:
    """Milliseconds of each edit; the first three warm up and are left out."""
    expression, tensors, schedule, _ = PLANS[name]
    document = {"expression": expression, "tensors": tensors, "schedule": [schedule.format("w")]}
    page.goto("about:blank")
    page.goto("/#j1." + urllib.parse.quote(json.dumps(document)))
    page.wait_for_selector(".compile-words[data-phase=done]")
    box = page.get_by_role("textbox", name="Schedule", exact=True)
    times = []
    for number in range(edits + 3):
        fresh = f"n{number}"
        page.evaluate(f"void (window.shown = ({WATCH})({json.dumps(fresh + 'a')}))")
        box.fill(schedule.format(fresh))
        times.append(float(page.evaluate("window.shown")))
    return times[3:]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=40, help="measured edits of each plan")
    parser.add_argument("--json", type=Path, help="write the samples and the facts about the machine to this file")
    options = parser.parse_args()
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=ensure_browser(), args=arguments)
        context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900})
        context.add_init_script(BEEN_HERE)
        page = context.new_page()
        page.set_default_timeout(60_000)
        for name in PLANS:
            found[name] = measure(page, name, options.edits)
        browser.close()
    load = os.getloadavg()[0]
    print(f"{'':8}{'median':>12}{'p95':>12}{'to reach':>12}   ms from a key to all panels")
    for name, times in found.items():
        median, p95 = np.percentile(times, [50, 95])
        print(f"{name:8}{median:12.0f}{p95:12.0f}{PLANS[name][3]:12.0f}")
    print(f"{options.edits} edits each; {os.cpu_count()} cores, load {load:.1f}, {platform.platform()}")
    if options.json is not None:
        facts = {"cores": os.cpu_count(), "load": load, "platform": platform.platform()}
        report = {"date": datetime.now(UTC).isoformat(), "machine": facts, "edits_ms": found}
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
