"""``pip install "heddle-sparse[server]"`` and ``heddle serve``: the whole explorer, without git, Node or a build."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect, sync_playwright

from e2e.pages.explorer import Explorer
from tests.installed.environment import SECONDS, Environment
from tests.search_path import ROOT

WAIT_MILLISECONDS = 60_000
PLAN = {
    "version": 2,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "inputs": {"A": {"dataset": "bcsstk13"}},
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("server") / "environment", wheels)
    environment.install("heddle-sparse[server]")
    return environment


@pytest.fixture(scope="module")
def url(installed: Environment) -> Iterator[str]:
    """The address that the program says once it listens; a busy machine is slow, not wrong."""
    log = installed.home / "serve.log"
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [installed.heddle, "serve", "--port", "0"],
            cwd=installed.home,
            env={**installed.variables, "PYTHONUNBUFFERED": "1"},
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    deadline = time.monotonic() + SECONDS
    while (said := re.search(r"Heddle is at (http://\S+)", log.read_text())) is None:
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)
    yield said[1]
    process.send_signal(signal.SIGTERM)
    assert process.wait(SECONDS) == 0, log.read_text()


def answer(url: str, path: str) -> Any:
    with urlopen(f"{url}{path}", timeout=SECONDS) as response:
        assert response.status == 200
        return json.load(response)


def test_the_page_and_all_that_it_lists_are_there(url: str) -> None:
    with urlopen(f"{url}/", timeout=SECONDS) as response:
        assert response.status == 200
        assert b"/assets/index-" in response.read()
    server = ROOT / "backend" / "heddle_server"
    assert len(answer(url, "/api/v1/lessons")) == len(list((ROOT / "lessons").glob("*.md")))
    assert len(answer(url, "/api/v1/examples")) == len(list((server / "examples").glob("*.json")))
    datasets = json.dumps(answer(url, "/api/v1/datasets"))
    assert all(file.stem in datasets for file in (server / "datasets").glob("*.mtx"))
    assert len(answer(url, "/api/v1/experiments")) > 5


def test_files_go_to_the_folders_of_the_user(installed: Environment, url: str) -> None:
    assert answer(url, "/readyz")["status"] == "ok"
    assert (installed.home / ".local" / "share" / "heddle" / "heddle.sqlite3").is_file()
    assert not (installed.home / ".heddle").exists()


def test_commands_of_the_explorer_work_and_mkl_names_its_extra(installed: Environment) -> None:
    (installed.home / "plan.json").write_text(json.dumps(PLAN))
    done = installed.run(installed.heddle, "run", "plan.json", "--json")
    assert done.returncode == 0, done.stderr
    assert "MKL is not installed: pip install heddle-sparse[mkl]" in done.stdout
    assert installed.run(installed.heddle, "lesson", "facts").stdout.startswith("storage.bytes(tensor)")
    checked = installed.run(installed.heddle, "lesson", "check", "--help")
    assert checked.returncode == 0


def test_a_student_does_a_lesson_in_the_browser(url: str) -> None:
    chromium = os.environ.get("HEDDLE_CHROMIUM")
    if chromium is None:
        pytest.skip("HEDDLE_CHROMIUM is not set")
    expect.set_options(timeout=WAIT_MILLISECONDS)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        page = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900}).new_page()
        page.add_init_script("localStorage['heddle.preferences.1'] ??= JSON.stringify({toured: true})")
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        explorer = Explorer(page)
        explorer.open()
        explorer.expect_compiled()
        explorer.formats.choose("A", "dcsr")
        explorer.expect_compiled()
        page.get_by_role("button", name="Learn", exact=True).click()
        page.get_by_role("button", name=re.compile("^Do the lessons")).click()
        page.get_by_role("dialog", name="Lessons").get_by_role("button", name="What a format stores").click()
        lesson = page.get_by_role("region", name="Lesson", exact=True)
        lesson.get_by_role("button", name="64", exact=True).click()
        expect(lesson.get_by_text("It is: 65.")).to_be_visible()
        browser.close()
    assert errors == []
