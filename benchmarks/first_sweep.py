"""From a click on Run to the first sweep that the page shows, in a real browser: a tensor of a generator, made, packed,
its kernels compiled and compared with NumPy. Nothing is in any cache but what the prediction before a run left there.
"""

from __future__ import annotations

import json
import os
import tempfile
import urllib.parse
from pathlib import Path
from time import perf_counter

from playwright.sync_api import expect, sync_playwright

from e2e.server import Server
from tools.browser import ensure_browser

PATIENCE = 120_000
"""Milliseconds."""


def first_sweep(nonzeros: int, rank: int = 16) -> float:
    """Seconds. Needs the page (npm --prefix frontend run build) and a Chromium."""
    document = {
        "algorithm": "cp-als",
        "inputs": {"X": {"generator": "uniform", "shape": [3000, 4000, 5000], "nnz": nonzeros, "seed": 1}},
        "parameters": {"rank": rank, "sweeps": 10, "tolerance": 0},
    }
    environment = {"HEDDLE_RUN_CHILD_MODULE": "heddle_server.worker.child"}
    with tempfile.TemporaryDirectory() as folder:
        environment["HEDDLE_CACHE"] = str(Path(folder) / "cache")
        with Server(Path(folder), **environment) as server, sync_playwright() as playwright:
            arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=ensure_browser(), args=arguments)
            page = browser.new_context(base_url=server.url).new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(f"/?decomposition#a1.{urllib.parse.quote(json.dumps(document))}")
            before = page.get_by_role("region", name="Before a run")
            expect(before).to_contain_text("X has", timeout=PATIENCE)
            run = page.get_by_role("button", name="Run", exact=True)
            begin = perf_counter()
            run.click()
            page.get_by_test_id("fit").wait_for()
            seconds = perf_counter() - begin
            browser.close()
    return seconds
