"""``heddle prove classroom``: 100 students do the course in one class behind one address, and their teacher watches.

An open model: students join and submit at times that are fixed beforehand, whatever the answers do. What they submit
are the solutions and the wrong plans of the lessons, each on the data that the class gave the student.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from heddle.plan import to_document
from heddle_server.lessons.course import course
from heddle_server.lessons.judge import plan_of_attempt
from heddle_server.lessons.lesson import Attempt, Task
from proofs.report import machine
from tests.backend.serving import PATIENCE_SECONDS, SPMV, ColdServer

ROOM = "/api/v1/classrooms"
JOIN_SECONDS = 0.3
"""For each student: a class of 100 has joined after 30 s."""
SUBMISSIONS_PER_STUDENT_SECOND = 1 / 20
WRONG_SHARE = 1 / 3
LOOKS_EVERY_SECONDS = 1.0
"""As the page asks (frontend/src/overlays/classroom/use-class.ts)."""
ALONE = 60
SUBMISSION_P95, ALONE_P95, LATE_MILLISECONDS = 1000.0, 150.0, 2000.0


@dataclass(frozen=True, slots=True)
class Work:
    """A task, with what may be submitted to it; ``passes`` for those that solve it."""

    lesson: str
    task: Task
    attempts: tuple[tuple[Attempt, bool], ...]


@dataclass(slots=True)
class Student:
    client: httpx.AsyncClient
    code: str
    key: str = ""
    number: int = 0
    seed: int = 0


@dataclass(slots=True)
class Seen:
    """Milliseconds, and what went wrong how often. ``pending`` has when a submission was answered that the teacher has
    not seen yet."""

    times: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    pending: dict[tuple[int, str, str], float] = field(default_factory=dict)

    def took(self, what: str, milliseconds: float) -> None:
        self.times.setdefault(what, []).append(milliseconds)


def works() -> list[Work]:
    """The tasks whose answers need not be computed for each student."""
    found = []
    for lesson in course():
        for task in lesson.tasks:
            both = [(one, True) for one in task.solutions] + [(one.attempt, False) for one in task.wrong]
            fixed = [pair for pair in both if not any(str(value).startswith("=") for value in pair[0].answers.values())]
            if any(passes for _, passes in fixed):
                found.append(Work(lesson.id, task, tuple(fixed)))
    return found


def chosen(work: Work, draw: random.Random) -> tuple[Attempt, bool]:
    wrong = [pair for pair in work.attempts if not pair[1]]
    right = [pair for pair in work.attempts if pair[1]]
    return draw.choice(wrong if wrong and draw.random() < WRONG_SHARE else right)


def submissions(students: int, seconds: float, draw: random.Random) -> Iterator[tuple[float, int, Work]]:
    """When, who, and for which task; nobody submits to one task twice."""
    pairs = [(student, work) for student in range(students) for work in works()]
    draw.shuffle(pairs)
    at = 0.0
    for student, work in pairs:
        if at > seconds:
            return
        yield at, student, work
        at += draw.expovariate(students * SUBMISSIONS_PER_STUDENT_SECOND)


async def join(student: Student, at: float, name: str, seen: Seen) -> None:
    await asyncio.sleep(at)
    await student.client.post("/api/v1/compile", json=SPMV)  # As the page does; it brings the browser's id.
    begun = time.monotonic()
    answer = await student.client.post(f"{ROOM}/{student.code}/students", json={"nickname": name})
    seen.took("join", 1000 * (time.monotonic() - begun))
    if answer.status_code != 201:
        seen.errors[f"join: {answer.status_code}"] += 1
        return
    made = answer.json()
    student.key, student.number, student.seed = made["key"], made["number"], made["seed"]


async def submit(student: Student, work: Work, draw: random.Random, seen: Seen, what: str) -> None:
    attempt, passes = chosen(work, draw)
    plan = to_document(plan_of_attempt(work.task, attempt, student.seed))
    body = {"lesson": work.lesson, "task": work.task.id, "plan": plan, "answers": dict(attempt.answers)}
    begun = time.monotonic()
    answer = await student.client.post(
        f"{ROOM}/{student.code}/submissions", json=body, headers={"Heddle-Key": student.key}
    )
    ended = time.monotonic()
    seen.took(what, 1000 * (ended - begun))
    if answer.status_code != 200:
        seen.errors[f"submission: {answer.status_code}"] += 1
    elif answer.json()["passed"] != passes:
        seen.errors[f"{work.lesson}/{work.task.id}: a plan that {'passes' if passes else 'fails'} did not"] += 1
    else:
        seen.pending[student.number, work.lesson, work.task.id] = ended


async def watch(client: httpx.AsyncClient, room: dict[str, str], seen: Seen, over: asyncio.Event) -> dict[str, Any]:
    """Looks as the page does; the last view, once everything is in it or nothing more comes."""
    view: dict[str, Any] = {}
    patience = time.monotonic() + PATIENCE_SECONDS
    while not over.is_set() or (seen.pending and time.monotonic() < patience):
        known = {"known": view["revision"]} if view else {}
        begun = time.monotonic()
        answer = await client.get(f"{ROOM}/{room['code']}", params=known, headers={"Heddle-Key": room["key"]})
        ended = time.monotonic()
        if answer.status_code != 200:
            seen.errors[f"view: {answer.status_code}"] += 1
        elif (found := answer.json()) is not None:
            seen.took("view", 1000 * (ended - begun))
            view = found
            for one in view["work"]:
                answered = seen.pending.pop((one["student"], one["lesson"], one["task"]), None)
                if answered is not None:
                    seen.took("until the teacher sees it", max(0.0, 1000 * (ended - answered)))
        if not over.is_set():
            patience = time.monotonic() + PATIENCE_SECONDS
        await asyncio.sleep(LOOKS_EVERY_SECONDS)
    return view


async def attend(url: str, students: int, seconds: float, alone: int) -> tuple[Seen, dict[str, Any]]:
    """One class; then checks of a student who is alone."""
    draw, seen, over = random.Random(7), Seen(), asyncio.Event()
    limits = httpx.Limits(max_connections=6)

    def browser() -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=url, timeout=PATIENCE_SECONDS, limits=limits)

    teacher = browser()
    await teacher.post("/api/v1/compile", json=SPMV)
    room = (await teacher.post(ROOM, json={"title": "Class of the proof"})).json()
    everybody = [Student(browser(), room["code"]) for _ in range(students)]
    planned = list(submissions(students, seconds, draw))
    watching = asyncio.create_task(watch(teacher, room, seen, over))
    joins = [join(one, draw.uniform(0, JOIN_SECONDS * students), f"s{n}", seen) for n, one in enumerate(everybody)]
    await asyncio.gather(*joins)

    async def later(at: float, student: int, work: Work) -> None:
        await asyncio.sleep(at)
        await submit(everybody[student], work, draw, seen, "submission")

    await asyncio.gather(*(later(*one) for one in planned))
    over.set()
    view = await watching
    await asyncio.sleep(2)
    again = planned[:alone]
    for number, (_, student, work) in enumerate(again):
        # The data of another student: nothing of it is remembered.
        await submit(everybody[(student + 1 + number) % students], work, draw, seen, "check alone")
    missing = len(seen.pending) - len(again)
    if missing > 0:
        seen.errors["submissions that the teacher never saw"] += missing
    deleted = await teacher.delete(f"{ROOM}/{room['code']}", headers={"Heddle-Key": room["key"]})
    if deleted.status_code != 200 or deleted.json() != {"students": students}:
        seen.errors[f"delete: {deleted.status_code} {deleted.text[:80]}"] += 1
    for one in (teacher, *(student.client for student in everybody)):
        await one.aclose()
    return seen, view


def percentile(times: list[float], share: float) -> float:
    return round(sorted(times)[int(share * (len(times) - 1))], 1)


def summary(seen: Seen) -> dict[str, Any]:
    return {
        what: {"times": len(times), **{str(share): percentile(times, share) for share in (0.5, 0.95, 1.0)}}
        for what, times in seen.times.items()
    }


def broken_limits(found: dict[str, Any], errors: dict[str, int]) -> list[str]:
    broken = [f"{what}: {times} times" for what, times in errors.items()]
    for what, share, most in (
        ("submission", "0.95", SUBMISSION_P95),
        ("check alone", "0.95", ALONE_P95),
        ("until the teacher sees it", "1.0", LATE_MILLISECONDS),
    ):
        took = found.get(what, {}).get(share)
        if took is None or took > most:
            broken.append(f"{what}: {took} ms at {share}, allowed {most:g} ms")
    return broken


def prove_classroom(students: int, seconds: float) -> tuple[dict[str, Any], list[str]]:
    """The measured milliseconds, and the limits that they break."""
    with tempfile.TemporaryDirectory() as folder:
        server = ColdServer(Path(folder) / "data", compile_processes=2).start()
        try:
            seen, view = asyncio.run(attend(server.url, students, seconds, ALONE))
        finally:
            server.stop()
    found, errors = summary(seen), dict(seen.errors)
    if len(view.get("students", ())) != students:
        errors["students who are not in the table"] = students - len(view.get("students", ()))
    proof = {"students": students, "seconds": seconds, "milliseconds": found, "errors": errors, "machine": machine()}
    return proof, broken_limits(found, errors)
