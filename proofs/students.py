"""A class that uses Heddle, for locust: an open model, in which everybody acts at a time fixed beforehand, whatever
the answers do. Slow answers therefore pile up, as they do in a class.

The timeline is that of one lesson for 100 students, scaled to ``--students``: all open the page in 30 s, then edit at a
steady rate; in the middle the teacher says "now", and everybody compiles the lesson's plan within 5 s, runs it within
10 s (ten different plans) and follows the run, shares it, and some upload data.
"""

from __future__ import annotations

import json
import random
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import gevent
from locust import User, events, task
from locust.contrib.fasthttp import FastHttpSession
from locust.env import Environment

# How long all students together take; a smaller class is quicker, at the same rate.
OPEN_SECONDS, COMPILE_SECONDS, RUN_SECONDS, SHARE_SECONDS = (0.01 * seconds for seconds in (30.0, 5.0, 10.0, 60.0))
EDITS_PER_STUDENT_SECOND = 0.1
# As many as a browser opens to one server.
CONNECTIONS = 6
PLANS, STUDENTS_PER_UPLOAD, UPLOAD_BYTES = 10, 10, 10_000_000
ENDED = ("done", "failed", "refused", "cancelled", "timeout", "oom", "crashed", "lost")


@events.init_command_line_parser.add_listener
def options(parser: Any) -> None:
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--lesson-seconds", type=float, default=120.0, help="length of the steady edits")
    parser.add_argument("--errors-file", default="", help="where to write what went wrong, and how often")


@events.quitting.add_listener
def keep_errors(environment: Environment) -> None:
    given = environment.parsed_options
    if given is not None and given.errors_file:
        found = {f"{one.name}: {one.error}": one.occurrences for one in environment.stats.errors.values()}
        Path(given.errors_file).write_text(json.dumps(found))


def plan(tile: int, number: int = 0) -> dict[str, Any]:
    """SpMV; every tile size is another plan."""
    made = {"generator": "uniform", "shape": [2000, 2000], "nnz": 20000, "seed": number}
    return {
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "schedule": [f"split(i, i0, i1, {tile})", "parallelize(i0, CPUThread, NoRaces)"],
        "inputs": {"A": made, "x": {"generator": "uniform", "seed": 1}},
        "run": {"baselines": ["scipy"], "threads": 1},
    }


def data_file(number: int) -> bytes:
    """A matrix of UPLOAD_BYTES; every number gives another one."""
    rows = UPLOAD_BYTES // 20
    head = f"%%MatrixMarket matrix coordinate real general\n{rows} {rows} {rows}\n".encode()
    return head + b"".join(b"%08d %08d %d\n" % (row + 1, row + 1, number) for row in range(rows))


class Class(User):
    """One user of locust is the whole class, so that all times are on one clock."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        given = environment.parsed_options
        assert given is not None
        self.count: int = given.students
        self.lesson: float = given.lesson_seconds
        self.random = random.Random(7)
        self.next_tile = 1000
        # Made before the lesson: all students are on one thread, and would stand still meanwhile.
        self.files = [data_file(number) for number in range(self.count // STUDENTS_PER_UPLOAD)]
        self.sessions = [
            FastHttpSession(
                environment.host, environment.events.request, self, concurrency=CONNECTIONS, network_timeout=180
            )
            for _ in range(self.count)
        ]

    @task
    def attend(self) -> None:
        acts = [gevent.spawn_later(at, act, *given) for at, act, *given in self.timeline()]
        for act in gevent.joinall(acts):
            if act.exception is not None:
                self.note("act of a student", 0.0, act.exception)
        self.environment.runner.quit()

    def timeline(self) -> list[Any]:
        """(seconds from now, action, arguments …)"""
        draw = self.random.uniform
        opened, compiled, ran, shared = (
            seconds * self.count for seconds in (OPEN_SECONDS, COMPILE_SECONDS, RUN_SECONDS, SHARE_SECONDS)
        )
        middle = opened + self.lesson / 2
        acts: list[Any] = []
        for number, session in enumerate(self.sessions):
            acts.append((draw(0, opened), self.open_page, session))
            acts.append((middle + draw(0, compiled), self.compile, session, plan(16), "compile cached"))
            acts.append((middle + compiled + draw(0, ran), self.click_run, session, number % PLANS))
            acts.append((middle + draw(0, shared), self.share, session, number))
        at = opened
        while (at := at + self.random.expovariate(self.count * EDITS_PER_STUDENT_SECOND)) < opened + self.lesson:
            self.next_tile += 1
            acts.append((at, self.compile, self.random.choice(self.sessions), plan(self.next_tile), "compile cold"))
        for number in range(len(self.files)):
            acts.append((opened + draw(0, self.lesson), self.upload, self.sessions[number], number))
        acts.append((0.0, self.compile, self.sessions[0], plan(16), "compile, first of the lesson"))
        return acts

    def open_page(self, session: FastHttpSession) -> None:
        session.get("/", name="page")
        for path in ("commands", "formats", "generators", "examples", "machine", "datasets"):
            session.get(f"/api/v1/{path}", name=f"page: {path}")

    def compile(self, session: FastHttpSession, document: dict[str, Any], name: str) -> None:
        with session.post("/api/v1/compile", json=document, name=name, catch_response=True) as answer:
            if answer.status_code == 200 and not json.loads(answer.text or "{}").get("ok"):
                answer.failure("the plan does not compile")

    def click_run(self, session: FastHttpSession, number: int) -> None:
        begun = time.monotonic()
        with session.post("/api/v1/runs", json=plan(32, number), name="run click", catch_response=True) as answer:
            if answer.status_code != 202:
                answer.failure(f"status {answer.status_code}: {answer.text}")
                return
            identity = json.loads(answer.text or "{}")["id"]
        state = self.follow(session, identity)
        waited = time.monotonic() - begun
        problem = None if state == "done" else RuntimeError(f"{state} after {waited:.0f} s")
        self.note("run, from click to result", waited, problem)

    def follow(self, session: FastHttpSession, identity: str) -> str:
        """The run's last state; notes how long each event of a changed state was on its way."""
        with session.get(f"/api/v1/runs/{identity}/events", stream=True, name="event stream") as answer:
            kind, state = "", "no stream"
            # Line by line as they come: what reads in pieces of a size would hold events back.
            while line := answer.stream.readline(b"\n"):
                field, _, value = line.decode().strip().partition(": ")
                if field == "event":
                    kind = value
                elif field == "data" and kind == "state":
                    told = json.loads(value)
                    state = told["state"]
                    moment = told["finished"] if state in ENDED else told["started"] if state == "running" else None
                    if moment is not None:
                        self.note("event", max(0.0, time.time() - datetime.fromisoformat(moment).timestamp()), None)
                elif field == "data" and kind == "end":
                    return state
        return state

    def share(self, session: FastHttpSession, number: int) -> None:
        session.post("/api/v1/links", json={"plan": plan(64, number)}, name="share link")

    def upload(self, session: FastHttpSession, number: int) -> None:
        name = f"/api/v1/datasets?name=class-{number}.mtx"
        session.put(name, data=self.files[number], name="upload of 10 MB")

    def note(self, name: str, seconds: float, problem: Exception | None) -> None:
        self.environment.events.request.fire(
            request_type="", name=name, response_time=1000 * seconds, response_length=0, exception=problem, context={}
        )
