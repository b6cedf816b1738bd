"""Every lesson as a student does it: each task with a solution, which is done, and with a wrong plan, which gets the
check that it fails and the hint that helps."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, expect

from backend.lessons.course import course
from backend.lessons.data import document_of
from backend.lessons.judge import COMPILES, answers_of, plan_of_attempt
from backend.lessons.lesson import Attempt, Lesson, Task
from backend.lessons.task_reader import plan_document
from e2e.pages.explorer import Explorer
from e2e.test_lessons import open_lesson

SEED = 3
STUDENT = f"""localStorage.setItem('heddle.lessons.1', '{{"seed":{SEED},"done":{{}}}}')"""
PATIENCE = 30_000
"""Milliseconds of a check on a busy machine."""


def attempt_in_page(explorer: Explorer, lesson: Lesson, task: Task, attempt: Attempt) -> Locator:
    """The task in the page, after its check of the attempt's plan and answers."""
    explorer.page.context.add_init_script(STUDENT)
    plan = plan_document(attempt.plan, document_of(task, SEED))
    explorer.open(f"/#j1.{quote(json.dumps(plan))}")
    explorer.wait_until_settled()
    shown = open_lesson(explorer.page, lesson.title)
    region = shown.get_by_role("region", name=f"Task {lesson.tasks.index(task) + 1}")
    expect(region).to_be_visible(timeout=PATIENCE)
    answers = answers_of(attempt, task, plan_of_attempt(task, attempt, SEED), SEED)
    for question, field in zip(task.questions, region.locator(".lesson-question").all(), strict=True):
        answer = answers.get(question.name, "")
        text = f"{answer:g}" if isinstance(answer, float) else str(answer)
        if question.choices:
            field.locator("select").select_option(text)
        else:
            field.locator("input").fill(text)
    region.get_by_role("button", name="Check").click()
    expect(region.locator(".lesson-checks")).to_be_visible(timeout=PATIENCE)
    return region


@pytest.mark.combinations(6)
@pytest.mark.parametrize("lesson", course(), ids=lambda lesson: lesson.id)
def test_a_lesson_is_done_by_its_solutions(explorer: Explorer, lesson: Lesson) -> None:
    for task in lesson.tasks:
        region = attempt_in_page(explorer, lesson, task, task.solutions[0])
        expect(region.locator(".lesson-passed")).to_be_visible()
        expect(region).to_have_attribute("data-done", "")


@pytest.mark.combinations(6)
@pytest.mark.parametrize("lesson", course(), ids=lambda lesson: lesson.id)
def test_a_wrong_plan_of_a_lesson_gets_its_check_and_its_hint(explorer: Explorer, lesson: Lesson) -> None:
    for task in lesson.tasks:
        wrong = task.wrong[0]
        region = attempt_in_page(explorer, lesson, task, wrong.attempt)
        said = {check.text: check.say or check.text for check in task.checks} | {COMPILES: "The plan compiles."}
        failed = region.locator(".lesson-checks li:not([data-passed])")
        expect(failed.filter(has_text=said[wrong.fails].replace("`", ""))).to_have_count(1)
        expect(region.locator(".lesson-passed")).to_have_count(0)
        if wrong.shows is None or "/" in wrong.shows:
            continue  # no hint, or the code of a refusal, which the editor shows
        hint = region.locator(".lesson-hint").filter(has_text=wrong.shows.replace("`", ""))
        for _ in task.hints:
            if hint.count() == 0:
                region.get_by_role("button", name="hint").click()
        expect(hint.first).to_be_visible()
