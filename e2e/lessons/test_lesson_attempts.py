"""Every lesson as a student does it: in each task a wrong plan, which gets the check that it fails and the hint that
helps, and then the solution, with which it is done. Plans come through the address, as links do."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, expect

from e2e.lessons.test_lessons import open_lesson
from e2e.pages.explorer import Explorer
from heddle_server.lessons.course import course
from heddle_server.lessons.data import document_of
from heddle_server.lessons.judge import COMPILES, answers_of, plan_of_attempt
from heddle_server.lessons.lesson import Attempt, Lesson, Task
from heddle_server.lessons.task_reader import plan_document

SEED = 3
STUDENT = f"""try {{ localStorage['heddle.lessons.1'] ??= '{{"seed":{SEED},"done":{{}}}}' }} catch {{}}"""
GO = """hash => new Promise(done => {
  addEventListener('hashchange', () => setTimeout(done, 0), {once: true});
  location.hash = hash;
})"""


def attempted(explorer: Explorer, region: Locator, task: Task, attempt: Attempt) -> None:
    """Opens the attempt's plan, answers as it does, and checks."""
    plan = plan_document(attempt.plan, document_of(task, SEED))
    explorer.page.evaluate(GO, f"j1.{quote(json.dumps(plan))}")
    answers = answers_of(attempt, task, plan_of_attempt(task, attempt, SEED), SEED)
    for question, field in zip(task.questions, region.locator(".lesson-question").all(), strict=True):
        answer = answers.get(question.name, "")
        text = f"{answer:g}" if isinstance(answer, float) else str(answer)
        if question.choices:
            field.locator("select").select_option(text)
        else:
            field.locator("input").fill(text)
    check = region.get_by_role("button", name="Check")
    if explorer.page.locator("meta[name=heddle-transport]").count():
        check.click()  # a folder answers without a request
    else:
        with explorer.page.expect_response(lambda one: one.url.endswith(f"/tasks/{task.id}/check")) as answered:
            check.click()
        sent = answered.value.request.post_data_json
        assert sent is not None
        assert sent["plan"].get("schedule", []) == plan.get("schedule", []), "the plan that was opened is checked"
    expect(region.get_by_role("button", name="Check", exact=True)).to_be_enabled()


def expect_refused(region: Locator, task: Task) -> None:
    """The first wrong plan's check is failed, and its hint comes when one asks for hints."""
    wrong = task.wrong[0]
    said = {check.text: check.say or check.text for check in task.checks} | {COMPILES: "The plan compiles."}
    failed = region.locator(".lesson-checks li:not([data-passed])")
    expect(failed.filter(has_text=said[wrong.fails].replace("`", ""))).to_have_count(1)
    expect(region.locator(".lesson-passed")).to_have_count(0)
    if wrong.shows is None or "/" in wrong.shows:
        return  # no hint, or the code of a refusal, which the editor shows
    hint = region.locator(".lesson-hint").filter(has_text=wrong.shows.replace("`", ""))
    for _ in task.hints:
        if hint.count() == 0:
            region.get_by_role("button", name="hint").click()
    expect(hint.first).to_be_visible()


@pytest.mark.combinations(20)
@pytest.mark.parametrize("lesson", course(), ids=lambda lesson: lesson.id)
def test_a_wrong_plan_is_refused_and_the_solution_is_done(visitor: Explorer, lesson: Lesson) -> None:
    visitor.page.add_init_script(STUDENT)
    visitor.page.goto("/")
    visitor.wait_until_settled()
    shown = open_lesson(visitor.page, lesson.title)
    for number, task in enumerate(lesson.tasks, 1):
        region = shown.get_by_role("region", name=f"Task {number}", exact=True)
        expect(region).to_be_visible()
        attempted(visitor, region, task, task.wrong[0].attempt)
        expect_refused(region, task)
        attempted(visitor, region, task, task.solutions[0])
        expect(region.locator(".lesson-passed")).to_be_visible()
        expect(region).to_have_attribute("data-done", "")
