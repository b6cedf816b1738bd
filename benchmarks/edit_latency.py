"""Milliseconds from a key to the code and to all panels, in a real browser, one command:

python benchmarks/edit_latency.py [--edits 40] [--json FILE]

Starts the service with its own data folder, opens the explorer with the iteration and the provenance graph and the
code in sight, and types one letter of a variable's name again and again, each time one that was never there, so that
nothing comes from a cache, with a quick typist's pause between two keys. A time begins with the key and ends when the
frame with the new name has been painted: with it in the code, which comes first, and in both graphs and the code.
Needs the page (npm --prefix frontend run build) and a Chromium (HEDDLE_CHROMIUM, else one on the PATH).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import string
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
    "SpMV": ("y(i) = A(i,j) * x(j)", {"A": {"format": "csr"}}, "split(i, zqz, zr, 32)"),
    "MTTKRP": ("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": {"format": "csf"}}, "split(j, zqz, zr, 8)"),
}
"""Expression, formats, and a schedule whose NAME loses its last letter to each key."""

NAME = "zqz"
LETTERS = [letter for letter in string.ascii_letters + string.digits if letter != "z"]
BETWEEN_KEYS_MS = 150
P95_TO_REACH = {"code": 100.0}

BEEN_HERE = """
if (location.protocol === 'http:') localStorage['heddle.preferences.1'] ??= JSON.stringify({toured: true});
"""

WATCH = """name => new Promise(resolve => {
  const places = {code: ['Code'], all: ['Iteration graph', 'Provenance graph', 'Code']};
  const times = {};
  let start = null;
  const has = label => document.querySelector(`section[aria-label="${label}"]`)?.textContent.includes(name);
  // A message that is sent in a frame arrives when the frame has been painted.
  const painted = then => requestAnimationFrame(() => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(null);
  });
  const observer = new MutationObserver(() => {
    if (start === null) return;
    for (const [what, labels] of Object.entries(places)) {
      if (!labels.every(has)) continue;
      delete places[what];
      painted(() => {
        times[what] = performance.now() - start;
        if (Object.keys(times).length === 2) resolve(times);
      });
    }
    if (Object.keys(places).length === 0) observer.disconnect();
  });
  observer.observe(document.body, {subtree: true, childList: true, characterData: true});
  document.addEventListener('keydown', () => { start = performance.now(); }, {capture: true, once: true});
})"""


def measure(page: Page, name: str, edits: int) -> dict[str, list[float]]:
    """Milliseconds of each edit to the code and to all panels; the first three warm up and are left out."""
    expression, tensors, schedule = PLANS[name]
    document = {"expression": expression, "tensors": tensors, "schedule": [schedule]}
    page.goto("about:blank")
    page.goto("/#j1." + urllib.parse.quote(json.dumps(document)))
    page.wait_for_selector(".compile-words[data-phase=done]")
    page.get_by_role("textbox", name="Schedule", exact=True).focus()
    page.keyboard.press("Home")
    for _ in range(schedule.index(NAME) + len(NAME)):
        page.keyboard.press("ArrowRight")
    times: dict[str, list[float]] = {"code": [], "all": []}
    for letter in LETTERS[: edits + 3]:
        page.keyboard.press("Shift+ArrowLeft")
        page.wait_for_timeout(BETWEEN_KEYS_MS)
        page.evaluate(f"void (window.shown = ({WATCH})({json.dumps(NAME[:-1] + letter)}))")
        page.keyboard.press(letter)
        for what, milliseconds in page.evaluate("window.shown").items():
            times[what].append(float(milliseconds))
    return {what: sample[3:] for what, sample in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=40, help="measured edits of each plan, 58 at most")
    parser.add_argument("--json", type=Path, help="write the samples and the facts about the machine to this file")
    options = parser.parse_args()
    if not 1 <= options.edits <= len(LETTERS) - 3:
        parser.error(f"--edits goes from 1 to {len(LETTERS) - 3}")
    samples: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=ensure_browser(), args=arguments)
        context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900})
        context.add_init_script(BEEN_HERE)
        page = context.new_page()
        page.set_default_timeout(60_000)
        for name in PLANS:
            samples[name] = measure(page, name, options.edits)
        browser.close()
    load = os.getloadavg()[0]
    print(f"{'':16}{'median':>12}{'p95':>12}{'to reach':>12}   ms from a key")
    for name, times in samples.items():
        for what, sample in times.items():
            median, p95 = np.percentile(sample, [50, 95])
            print(f"{name:8}{what:8}{median:12.0f}{p95:12.0f}{P95_TO_REACH.get(what, ''):>12}")
    print(f"{options.edits} edits each; {os.cpu_count()} cores, load {load:.1f}, {platform.platform()}")
    if options.json is not None:
        facts = {"cores": os.cpu_count(), "load": load, "platform": platform.platform()}
        report = {"date": datetime.now(UTC).isoformat(), "machine": facts, "edits_ms": samples}
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
