"""What a first visit to the explorer costs, in a real browser that has nothing of it yet, one command:

python benchmarks/first_view.py [--visits 5] [--json FILE]

Starts the service with its own data folder and measures, as it is and over a slow line with a slow processor: the
seconds until the frame with the code of the plan has been painted, the requests and their bytes on the line, and what
moves though nobody has touched it (Chromium's layout shift). Seconds are those of an idle machine only.
Needs the page (npm --prefix frontend run build) and a Chromium (HEDDLE_CHROMIUM, else one on the PATH).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, sync_playwright

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))

from e2e.server import Server
from tools.browser import ensure_browser

MOST = {"requests": 20.0, "kB": 300.0, "shift": 0.02}


@dataclass(frozen=True, slots=True)
class Line:
    """How a visitor comes: bits per second and ms there and back (0: as they are), times the processor is slower."""

    bits: int
    round_trip: int
    slower: int
    seconds: float
    """Until there is code, at most."""


LINES = {
    "as it is": Line(0, 0, 1, 1.5),
    "1.6 Mbit/s, 4 times slower": Line(1_600_000, 150, 4, 4.0),
}

WATCH = """
window.shifted = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: 'layout-shift', buffered: true});
const observer = new MutationObserver(() => {
  if (!document.querySelector('section[aria-label="Code"] .code-line')) return;
  observer.disconnect();
  // A message that is sent in a frame arrives when the frame has been painted.
  requestAnimationFrame(() => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => { window.codeAfter = performance.now() / 1000; };
    port2.postMessage(null);
  });
});
observer.observe(document, {subtree: true, childList: true});
"""


def visit(browser: Browser, url: str, line: Line) -> dict[str, float]:
    """Seconds until there is code, requests, kB and shift of a visit with an empty cache."""
    context = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    if line.bits > 0:
        bytes_a_second = line.bits / 8
        session.send(
            "Network.emulateNetworkConditions",
            {
                "offline": False,
                "latency": line.round_trip,
                "downloadThroughput": bytes_a_second,
                "uploadThroughput": bytes_a_second,
            },
        )
    session.send("Emulation.setCPUThrottlingRate", {"rate": line.slower})
    sizes: dict[str, float] = {}

    def begin(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = 0

    def end(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", begin)
    session.on("Network.loadingFinished", end)
    page.goto("/")
    page.wait_for_function("() => window.codeAfter !== undefined")
    page.wait_for_load_state("networkidle")
    seconds, shift = page.evaluate("[codeAfter, shifted]")
    context.close()
    return {"seconds": seconds, "requests": len(sizes), "kB": sum(sizes.values()) / 1000, "shift": shift}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=5, help="visits over each line")
    parser.add_argument("--json", type=Path, help="write the samples and the facts about the machine to this file")
    options = parser.parse_args()
    if options.visits < 1:
        parser.error("--visits is at least 1")
    samples: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=ensure_browser(), args=arguments)
        for name, line in LINES.items():
            samples[name] = [visit(browser, server.url, line) for _ in range(options.visits)]
        browser.close()
    print(f"{'':28}{'median':>10}{'at most':>10}")
    for name, visits in samples.items():
        for what, most in {"seconds": LINES[name].seconds, **MOST}.items():
            median = float(np.median([visit[what] for visit in visits]))
            print(f"{name:28}{median:10.3g}{most:10.3g}  {what}")
    load = os.getloadavg()[0]
    print(f"{options.visits} visits each; {os.cpu_count()} cores, load {load:.1f}, {platform.platform()}")
    if options.json is not None:
        facts = {"cores": os.cpu_count(), "load": load, "platform": platform.platform()}
        lines = {name: asdict(line) for name, line in LINES.items()}
        report = {"date": datetime.now(UTC).isoformat(), "machine": facts, "lines": lines, "visits": samples}
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
