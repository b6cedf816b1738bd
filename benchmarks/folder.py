"""What a visit to the explorer without a server costs, in a real browser, one command:

python benchmarks/folder.py [--json FILE]

Writes the folder, serves it as any host of files does, and measures: the bytes of a first visit as a host packs them
(gzip), when the page can be read and when it can be edited, each also in processor-seconds of the browser, an edit of
each example from the page's question to the compiler's answer and to the code on the screen, the memory of the
browser's Python after all lessons, and the requests of a second visit. Seconds of the clock are those of an idle
machine only; processor-seconds hardly depend on what else it does. Needs the page (npm --prefix frontend run build)
and a Chromium (HEDDLE_CHROMIUM, else one on the PATH).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import sys
import tempfile
import time
import urllib.parse
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))

from e2e.folder_host import PLACE, READY, FolderHost
from heddle_server.lessons.course import course
from heddle_server.services.catalogue import read_examples
from heddle_server.static.build import build
from tools.browser import ensure_browser

WANTED = {
    "first visit, MB": 10.0,
    "readable, s": 1.5,
    "editable, s": 6.0,
    "editable, processor-s": 5.0,
    "edit to answer, ms p95": 60.0,
    "Python after all lessons, MB": 150.0,
    "requests of a second visit": 0.0,
}
PACKED = {".js", ".mjs", ".wasm", ".json", ".css", ".html", ".svg", ".txt"}
"""What hosts compress; the rest is compressed already."""
ASKED_BY_THE_BROWSER = {"sw.js", "favicon.ico"}
MILLISECONDS = 300_000
ANSWERED = "() => replies.some(({path}) => path === '/compile')"

WATCH = """
localStorage['heddle.preferences.1'] ??= JSON.stringify({toured: true});
window.replies = [];
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    let asked = null;
    this.addEventListener('message', ({data}) => {
      if (data?.kind !== 'reply' || !asked) return;
      replies.push({...asked, ms: performance.now() - asked.at, bytes: data.bytes});
    });
    const post = this.postMessage.bind(this);
    this.postMessage = message => {
      if (message?.kind === 'ask') asked = {path: message.path, at: performance.now()};
      post(message);
    };
  }
};
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the numbers and the facts about the machine to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        root = Path(scratch)
        build(root / PLACE)
        host = FolderHost(root)
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=ensure_browser(), args=arguments)
        numbers = measure(browser, host, root / PLACE)
        browser.close()
        host.stop()
    load = os.getloadavg()[0]
    print(f"{'':32}{'measured':>10}{'wanted':>10}")
    for name, value in numbers.items():
        print(f"{name:32}{value:10.2f}{WANTED.get(name, float('nan')):10.1f}")
    print(f"{os.cpu_count()} cores, load {load:.1f}, {platform.platform()}")
    if options.json is not None:
        facts = {"cores": os.cpu_count(), "load": load, "platform": platform.platform()}
        report = {"date": datetime.now(UTC).isoformat(), "machine": facts, "numbers": numbers}
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    return 0


def measure(browser: Browser, host: FolderHost, folder: Path) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(WATCH)
    context.new_page().close()  # the browser's own processes have started
    numbers: dict[str, float] = {}
    worked, started = processor_seconds(), time.monotonic()
    page = context.new_page()
    page.set_default_timeout(MILLISECONDS)
    page.goto(host.address)
    page.get_by_role("listbox", name="C code, line by line").wait_for()
    numbers["readable, s"] = time.monotonic() - started
    numbers["readable, processor-s"] = processor_seconds() - worked
    page.get_by_role("textbox", name="Schedule", exact=True).fill("split(i, i0, i1, 16)")
    page.get_by_text("i0 * 16 + i1").first.wait_for()
    numbers["editable, s"] = time.monotonic() - started
    numbers["editable, processor-s"] = processor_seconds() - worked
    numbers["first visit, MB"] = sum(packed_bytes(folder, path) for path in set(host.asked)) / 1e6
    page.evaluate(READY)
    numbers |= edit_examples(page)
    numbers["Python after all lessons, MB"] = do_lessons(page)
    page.close()
    before = len(host.asked)
    again = context.new_page()
    again.set_default_timeout(MILLISECONDS)
    again.goto(host.address)
    again.get_by_role("textbox", name="Schedule", exact=True).fill("split(i, i0, i1, 64)")
    again.get_by_text("i0 * 64 + i1").first.wait_for()
    asked = [path.rpartition("/")[2] for path in host.asked[before:]]
    numbers["requests of a second visit"] = float(len([name for name in asked if name not in ASKED_BY_THE_BROWSER]))
    context.close()
    return numbers


def packed_bytes(folder: Path, asked: str) -> int:
    path = urllib.parse.unquote(asked.partition("?")[0]).removeprefix(f"/{PLACE}/") or "index.html"
    file = folder / path
    if not file.is_file():
        return 0
    content = file.read_bytes()
    return len(gzip.compress(content, 6)) if file.suffix in PACKED else len(content)


def edit_examples(page: Page) -> dict[str, float]:
    """Each example is opened, and its schedule taken away and written again."""
    answers: list[float] = []
    screens: list[float] = []
    processor: list[float] = []
    for example in read_examples():
        plan = dict(example["plan"])
        schedule = "\n".join(plan.get("schedule", ()))
        page.evaluate("replies.length = 0")
        page.evaluate("hash => void (location.hash = hash)", f"j1.{urllib.parse.quote(json.dumps(plan))}")
        page.wait_for_function(ANSWERED)
        page.wait_for_selector(".compile-words[data-phase=done]")
        box = page.get_by_role("textbox", name="Schedule", exact=True)
        if not schedule or box.count() == 0:
            continue
        page.wait_for_timeout(500)  # what explains the plan has been asked for
        for text in ("", schedule, "", schedule):
            page.evaluate("replies.length = 0")
            worked, started = processor_seconds(), time.monotonic()
            box.fill(text)
            page.wait_for_function(ANSWERED)
            page.wait_for_selector(".compile-words[data-phase=done]")
            screens.append((time.monotonic() - started) * 1000)
            processor.append((processor_seconds() - worked) * 1000)
            answers.append(page.evaluate("replies.find(({path}) => path === '/compile').ms"))
    return {
        "edit to answer, ms median": float(np.median(answers)),
        "edit to answer, ms p95": float(np.percentile(answers, 95)),
        "edit to screen, ms p95": float(np.percentile(screens, 95)),
        "edit, processor-ms p95": float(np.percentile(processor, 95)),
        "edits": float(len(answers)),
    }


def do_lessons(page: Page) -> float:
    """Opens all lessons, and the plan of each task; megabytes of the browser's Python after them."""
    for lesson in course():
        page.get_by_role("button", name="Learn", exact=True).click()
        page.get_by_role("button", name="Do the lessons").click()
        page.get_by_role("dialog", name="Lessons").get_by_role("button", name=lesson.title).first.click()
        shown = page.get_by_role("region", name="Lesson", exact=True)
        for number in range(1, len(lesson.tasks) + 1):
            task = shown.get_by_role("region", name=f"Task {number}", exact=True)
            task.get_by_role("button", name="Open its plan").click()
            page.wait_for_selector(".compile-words[data-phase=done]")
            task.get_by_role("button", name="Check", exact=True).click()
            task.locator(".lesson-checks, .lesson-passed").first.wait_for()
    replies: list[dict[str, Any]] = page.evaluate("replies")
    return float(replies[-1]["bytes"]) / 1e6


def processor_seconds() -> float:
    """Of all processes that descend from this one, without this one: those of the browser and of its driver."""
    parents: dict[int, tuple[int, float]] = {}
    ticks = os.sysconf("SC_CLK_TCK")
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(place.parent.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / ticks
    total = 0.0
    for process in parents:
        ancestor = process
        while ancestor in parents and ancestor != os.getpid():
            ancestor = parents[ancestor][0]
        if ancestor == os.getpid() and process != ancestor:
            total += parents[process][1]
    return total


if __name__ == "__main__":
    sys.exit(main())
