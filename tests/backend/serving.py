"""A server in its own process, with a fake child in place of the one that measures.

It begins behind its imports (:mod:`tests.backend.warm_process`). :class:`ColdServer` begins as a person starts it, and
so do those of proofs, of the journeys and of the installed wheels.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.backend.warm_process import WarmProcess

ROOT = Path(__file__).resolve().parents[2]
# Seconds on a free machine, minutes on a busy one.
START_SECONDS = 300.0
# How long a test waits for what must happen, before it says what it saw instead. No test measures time by it.
PATIENCE_SECONDS = 120.0
OPERATOR = "a token of the operator"
SPMV = {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}


def plan(behaviour: str = "scipy", **more: Any) -> dict[str, Any]:
    """SpMV whose fake child behaves that way."""
    return {**SPMV, "run": {"baselines": [behaviour]}, **more}


class Server:
    def __init__(self, data: Path, **settings: object) -> None:
        self.data = data
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        chosen = {
            "data_directory": data,
            "timing_lock": data / "timing.lock",
            "run_child_module": "tests.backend.fake_child",
            "waiting_child": False,  # It loads what the fake one does not need.
            "compile_processes": 1,
            "visitor_queued": 100,
            "stop_seconds": 30,  # On a busy machine a stop takes longer than a person should wait.
            **settings,
        }
        self.environment = {**os.environ, **{f"HEDDLE_{name.upper()}": str(value) for name, value in chosen.items()}}
        self.process: WarmProcess | subprocess.Popen[bytes] | None = None
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE_SECONDS)

    @property
    def log(self) -> str:
        return (self.data / "server.log").read_text()

    def start(self, ready: bool = True) -> Server:
        """Returns when the server is ready and times runs, or without ``ready`` when it answers at all."""
        self.data.mkdir(parents=True, exist_ok=True)
        self.process = self._begin("serve", "--port", str(self.port))
        deadline = time.monotonic() + START_SECONDS
        while True:
            assert self.process.poll() is None, f"the server ended ({self.process.returncode}):\n{self.log}"
            assert time.monotonic() < deadline, f"the server did not become ready:\n{self.log}"
            try:
                answer = self.client.get("/readyz" if ready else "/healthz")
                if answer.status_code == 200 and answer.json().get("measuring") != "starting":
                    return self
            except httpx.TransportError:
                pass
            time.sleep(0.05)

    def _begin(self, *words: str) -> WarmProcess | subprocess.Popen[bytes]:
        return WarmProcess(words, self.environment, self.data / "server.log")

    def stop(self) -> None:
        """Ask the server to end, and wait until it has."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=PATIENCE_SECONDS)
        finally:
            self.kill()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def run(self, document: dict[str, Any], fresh: bool = True) -> str:
        answer = self.client.post("/api/v1/runs", json=document, params={"fresh": fresh})
        assert answer.status_code == 202, answer.text
        return str(answer.json()["id"])

    def view(self, run_id: str) -> dict[str, Any]:
        answer = self.client.get(f"/api/v1/runs/{run_id}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def wait(self, run_id: str, *states: str, seconds: float = PATIENCE_SECONDS) -> dict[str, Any]:
        """The run once it is in one of the states, or has ended."""
        ends = ("done", "failed", "refused", "cancelled", "timeout", "oom", "crashed", "lost")
        deadline = time.monotonic() + seconds
        while True:
            view = self.view(run_id)
            if view["state"] in states or view["state"] in ends:
                return view
            assert time.monotonic() < deadline, f"still {view['state']} after {seconds} s\n{self.log}"
            time.sleep(0.05)

    def sandboxes(self) -> list[psutil.Process]:
        """The child processes of the runs under way, outermost first, and what they started."""
        assert self.process is not None
        everything = psutil.Process(self.process.pid).children(recursive=True)
        outer = []
        for one in everything:
            with contextlib.suppress(psutil.NoSuchProcess):  # It may end meanwhile, or wait to be collected.
                if "heddle_server.engine.children.sandbox" in one.cmdline():
                    outer.append(one)
        with contextlib.suppress(psutil.NoSuchProcess):
            return [*outer, *(one for top in outer[:1] for one in top.children(recursive=True) if one not in outer)]
        return []

    def events(self, run_id: str, after: int | None = None) -> Iterator[tuple[str | None, str, Any]]:
        """(id, event, data) as they come, to the end of the stream."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        with self.client.stream("GET", f"/api/v1/runs/{run_id}/events", headers=headers) as answer:
            assert answer.status_code == 200
            fields: dict[str, str] = {}
            for line in answer.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "event" in fields:
                    yield fields.get("id"), fields["event"], json.loads(fields["data"])
                    fields = {}


class ColdServer(Server):
    """For what depends on the order in which a server imports and sets up."""

    def _begin(self, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "heddle_server.cli", *words]
        with (self.data / "server.log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )


def assert_ended(pid: int, seconds: float = PATIENCE_SECONDS) -> None:
    """The process is gone, or dead and only waits to be collected."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return
        except psutil.NoSuchProcess:
            return
        assert time.monotonic() < deadline, f"process {pid} still runs"
        time.sleep(0.05)
