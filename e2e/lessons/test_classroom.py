"""Journey: a teacher makes a class, two students join it in browsers of their own, and what they do is in the table; a
solution goes to the projector; everything is deleted."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from e2e.accessibility import violations
from e2e.conftest import BEEN_HERE, WAIT_MILLISECONDS
from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.server import Server
from heddle_server.lessons.receipts import read_receipt

SIZE: ViewportSize = {"width": 1440, "height": 900}
EVIL = "<img src=x onerror=alert(1)>"


def open_dialog(page: Page, way: str, name: str) -> Locator:
    page.get_by_role("button", name="Learn", exact=True).click()
    page.get_by_role("button", name=re.compile(f"^{way}")).click()
    return page.get_by_role("dialog", name=name)


def join(page: Page, invitation: str, nickname: str) -> None:
    page.goto(invitation)
    dialog = page.get_by_role("dialog", name="Lessons")
    dialog.get_by_label("Your nickname").fill(nickname)
    dialog.get_by_role("button", name="Join", exact=True).click()
    expect(dialog.get_by_text(f"You are {nickname} in the class Spring 2027")).to_be_visible()


def open_task(page: Page) -> Locator:
    page.get_by_role("dialog", name="Lessons").get_by_role("button", name="What a format stores").click()
    lesson = page.get_by_role("region", name="Lesson", exact=True)
    task = lesson.get_by_role("region", name="Task 2")
    task.get_by_role("button", name="Open its plan").click()
    Explorer(page).expect_compiled()
    return task


@pytest.mark.needs_server("POST /classrooms")
def test_a_class_from_its_code_to_the_projector(
    explorer: Explorer, browser: Browser, server: Server, console: Console, tmp_path: Path
) -> None:
    teacher = explorer.page
    room = open_dialog(teacher, "Teach a class", "Teach a class")
    room.get_by_label("Name of the class").fill("Spring 2027")
    room.get_by_role("button", name="Make a class").click()
    room = teacher.get_by_role("dialog", name="Spring 2027")
    expect(room.get_by_text("Nobody has joined yet.")).to_be_visible()
    room.get_by_role("button", name="Copy the link for students").click()
    expect(room.get_by_text("Copied: the link to join.")).to_be_visible()
    invitation = teacher.evaluate("navigator.clipboard.readText()")

    contexts, students = [], []
    for nickname in ("mina", EVIL):
        context = browser.new_context(base_url=server.url, viewport=SIZE, reduced_motion="reduce")
        contexts.append(context)
        context.add_init_script(BEEN_HERE)
        context.on("page", console.watch)
        page = context.new_page()
        page.set_default_timeout(WAIT_MILLISECONDS)
        join(page, invitation, nickname)
        students.append(page)
    mina, other = students
    task = open_task(mina)
    expect(task.get_by_text("Checks go to your teacher: you are mina in Spring 2027.")).to_be_visible()
    task.get_by_role("button", name="Check").click()
    expect(task.get_by_text("Failed:").first).to_be_attached()
    # Nothing is pressed on the teacher's side: the table follows.
    row = room.get_by_role("row", name=re.compile("mina"))
    expect(row.get_by_text("not done after 1 try")).to_be_attached()
    for page in students:
        if page is other:
            task = open_task(page)
        Explorer(page).formats.choose("A", "dcsr")
        Explorer(page).expect_compiled()
        task.get_by_role("button", name="Check").click()
        expect(task.get_by_text("Done, with gold.")).to_be_visible()
    expect(row.get_by_text(re.compile("^done after 2 tries.*, gold$"))).to_be_attached()
    expect(room.get_by_role("row", name=re.compile("onerror"))).to_be_visible()
    expect(room.get_by_text("1 student: a check failed")).to_be_visible()
    assert violations(teacher) == []

    with teacher.expect_download() as saving:
        room.get_by_role("button", name="Save as CSV").click()
    saving.value.save_as(tmp_path / "class.csv")
    with (tmp_path / "class.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert [(one["student"], one["result"], one["medals"]) for one in rows] == [
        (EVIL, "passed", "gold"), ("mina", "passed", "gold"),
    ]  # fmt: skip

    room.get_by_role("button", name=re.compile(r"^Solutions of task 1\.2")).click()
    groups = room.get_by_role("region", name="Solutions of task 1.2").get_by_role("listitem")
    expect(groups).to_have_count(1)
    expect(groups.first.get_by_text("2 students")).to_be_visible()
    groups.first.get_by_role("button", name="Show on the projector").click()
    expect(room).to_have_count(0)
    explorer.expect_compiled()
    expect(teacher.locator("html")).to_have_attribute("data-present", "")
    shown = teacher.evaluate("location.hash")
    receipt = read_receipt(f"https://host/?lesson=what-a-format-stores&task=no-empty-rows&seed=0{shown}")
    assert receipt.plan.tensors["A"].format == "dcsr"
    assert set(receipt.plan.inputs) == {"A"}

    leave(other)
    room = open_dialog_by_palette(teacher)
    room.get_by_role("button", name=re.compile("^Open Spring 2027")).click()
    room = teacher.get_by_role("dialog", name="Spring 2027")
    expect(room.get_by_role("row", name=re.compile("mina"))).to_be_visible()
    expect(room.get_by_role("row", name=re.compile("onerror"))).to_have_count(0)
    room.get_by_role("button", name="Delete the class").click()
    room.get_by_role("button", name="Delete it, with all that students submitted").click()
    expect(teacher.get_by_role("dialog", name="Teach a class")).to_be_visible()
    console.expect("status of 404")
    mina.get_by_role("button", name="Check").last.click()
    expect(mina.get_by_text("There is no class").first).to_be_visible()
    for context in contexts:
        context.close()


def leave(page: Page) -> None:
    page.get_by_role("button", name="All lessons").click()
    dialog = page.get_by_role("dialog", name="Lessons")
    dialog.get_by_role("button", name="Leave the class").click()
    dialog.get_by_role("button", name="Leave, and delete my data").click()
    expect(dialog.get_by_text("Join a class")).to_be_visible()


def open_dialog_by_palette(page: Page) -> Locator:
    page.keyboard.press("Control+k")
    page.keyboard.type("Teach a class")
    page.keyboard.press("Enter")
    return page.get_by_role("dialog", name="Teach a class")
