"""Questions of tasks cannot be guessed: the service makes whoever tries wait, and asks another question."""

from __future__ import annotations

from typing import Any

from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle_server.lessons.condition import parse_condition, value_of
from heddle_server.lessons.course import lesson_named
from heddle_server.lessons.data import document_of, operands_of
from heddle_server.lessons.evidence import Evidence
from heddle_server.lessons.predicates.table import find
from heddle_server.services.guesses import FIRST_PAUSE, FORGOTTEN_AFTER, LONGEST_PAUSE, Guesses
from tests.backend.serving import Server

LESSON, TASK = QUESTION = ("what-a-format-stores", "which-row")
CHECK = f"/api/v1/lessons/{LESSON}/tasks/{TASK}/check"
SEED = 41


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def guess(guesses: Guesses, answer: str, who: str = "ann", seed: int = 7, passed: bool = False) -> float | bool:
    """The seconds to wait, or whether another question is asked from now on."""
    seconds = guesses.begin(who, QUESTION)
    return seconds if seconds else guesses.end(who, QUESTION, seed, answer, passed)


def test_the_pause_grows_after_three_wrong_answers() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    assert [guess(guesses, text) for text in "123"] == [False, False, True]
    pauses = []
    for number in range(12):
        seconds = guesses.begin("ann", QUESTION)
        pauses.append(seconds)
        clock.now += seconds
        assert guess(guesses, f"x{number}") in (True, False)
    assert pauses[:4] == [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE, 8 * FIRST_PAUSE]
    assert pauses[-1] == LONGEST_PAUSE
    assert guess(guesses, "1", who="ben") is False, "others do not wait"


def test_another_question_is_asked_after_each_three() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    seeds = []
    for number in range(7):
        seeds.append(guesses.seed(QUESTION, 7))
        guess(guesses, str(number))
        clock.now += LONGEST_PAUSE
    assert seeds[:3] == [7, 7, 7]
    assert len(set(seeds)) == 3
    assert seeds[3] == seeds[4] == seeds[5] != seeds[6]
    assert guesses.seed(QUESTION, 8) == 8


def test_the_same_answer_again_and_one_at_a_time() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    assert [guess(guesses, "1") for _ in range(9)] == [False] * 9
    assert guesses.seed(QUESTION, 7) == 7
    assert guesses.begin("ann", QUESTION) == 0
    assert guesses.begin("ann", QUESTION) > 0, "while one is checked"
    guesses.end("ann", QUESTION, 7, "2", None)
    assert guess(guesses, "3", passed=True) is False
    assert [guess(guesses, text) for text in "45"] == [False, True], "whoever was right has no pause"
    for text in "678":
        guess(guesses, text)
        clock.now += FORGOTTEN_AFTER + 1
    assert guesses.begin("ann", QUESTION) == 0


def right_row(seed: int) -> float:
    lesson = lesson_named(LESSON)
    assert lesson is not None
    task = lesson.task(TASK)
    assert task is not None
    evidence = Evidence(lower(parse_plan(document_of(task, seed))), operands_of(task, seed)[0])
    row = value_of(parse_condition("storage.segment(A, 4)"), lambda fact: find(fact, evidence))
    assert isinstance(row, int)
    return row


def asked(server: Server) -> Any:
    blocks = server.client.get(f"/api/v1/lessons/{LESSON}?seed={SEED}").json()["blocks"]
    return next(block["task"] for block in blocks if block["task"] and block["task"]["id"] == TASK)


def test_the_first_task_is_not_guessed_in_64_tries(server: Server) -> None:
    first = asked(server)
    assert first["seed"] == SEED
    right = right_row(SEED)
    rows = [row for row in range(64) if row != right]
    answers = []
    for row in rows:
        answers.append(server.client.post(CHECK, json={"plan": first["plan"], "seed": SEED, "answers": {"row": row}}))
    judged = [answer for answer in answers if answer.status_code == 200]
    held = [answer for answer in answers if answer.status_code == 429]
    assert len(judged) + len(held) == len(rows)
    assert len(judged) < 12, "the pause holds whoever tries one row after another"
    assert not any(answer.json()["passed"] for answer in judged)
    assert 1 <= int(held[0].headers["retry-after"]) <= FIRST_PAUSE
    assert held[0].json()["detail"].startswith("Several answers were wrong. Work it out from the data")
    (failed,) = [check for check in judged[2].json()["checks"] if not check["passed"]]
    assert failed["why"].startswith("That was the third wrong answer. The question is asked of other data now")
    other = asked(server)
    assert other["seed"] != SEED
    assert other["plan"] != first["plan"]
