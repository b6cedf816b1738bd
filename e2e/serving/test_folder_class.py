"""A class without a server: a student does a task in a folder, hands in the receipt, and the teacher grades it."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from e2e.conftest import BEEN_HERE
from e2e.console import Console
from e2e.folder_host import FolderHost
from e2e.lessons.test_lessons import open_lesson
from e2e.pages.explorer import Explorer
from e2e.server import ROOT
from e2e.shared_tab import WAIT_MILLISECONDS, new_context


def test_a_task_is_done_in_a_folder_and_its_receipt_is_graded(
    browser: Browser, console: Console, host: FolderHost, tmp_path: Path
) -> None:
    student = new_context(browser, host.address)
    student.add_init_script(BEEN_HERE)
    student.on("page", console.watch)
    page = student.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    explorer = Explorer(page)
    explorer.open(host.address)
    lesson = open_lesson(page, "What a format stores")
    task = lesson.get_by_role("region", name="Task 2")
    task.get_by_role("button", name="Open its plan").click()
    explorer.expect_compiled()
    task.get_by_role("button", name="Check").click()
    expect(task.get_by_text("storage.positions(A, 1) is 64 positions")).to_be_visible()
    explorer.formats.choose("A", "dcsr")
    explorer.expect_compiled()
    task.get_by_role("button", name="Check").click()
    expect(task).to_have_attribute("data-done", "")
    task.get_by_role("button", name="Copy a receipt").click()
    receipt = page.evaluate("navigator.clipboard.readText()")
    assert receipt.startswith(f"{host.address}?")

    # What was done goes to another browser as a link.
    page.get_by_role("button", name="Learn", exact=True).click()
    page.get_by_role("button", name="Do the lessons").click()
    page.get_by_role("button", name="Copy my progress as a link").click()
    progress = page.evaluate("navigator.clipboard.readText()")
    assert progress.startswith(f"{host.address}?progress=")
    student.close()
    elsewhere = new_context(browser, host.address)
    elsewhere.on("page", console.watch)
    other = elsewhere.new_page()
    other.set_default_timeout(WAIT_MILLISECONDS)
    Explorer(other).open(progress)
    other.get_by_role("dialog", name="Lessons").get_by_role("button", name="What a format stores").click()
    again = other.get_by_role("region", name="Lesson", exact=True).get_by_role("region", name="Task 2")
    expect(again).to_have_attribute("data-done", "")
    elsewhere.close()

    table = tmp_path / "receipts.csv"
    forged = receipt.replace(urlsplit(receipt).fragment, "plan=z1.AAAA")
    with table.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerows([("student", "receipt"), ("Ada", receipt), ("Eve", forged)])
    command = [sys.executable, "-m", "heddle_server.cli", "grade", str(table)]
    graded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    ada, eve = (next(line for line in graded.stdout.splitlines() if name in line) for name in ("Ada", "Eve"))
    assert "no-empty-rows" in ada, graded.stdout
    assert "passed" in ada, graded.stdout
    assert "bad receipt" in eve, graded.stdout
