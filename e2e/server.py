"""Starts the service as a person does, on a free port, with a data folder that ends with the tests."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
# Both are seconds on a free machine, minutes on a busy one.
START_SECONDS = 300.0
STOP_SECONDS = 120.0


class Server:
    """A context manager. ``log`` holds what the service printed; ``environment`` adds HEDDLE_* settings."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.log = data / "server.log"
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        # Journeys of several processes need not wait for each other's timed runs.
        private = {"HEDDLE_DATA_DIRECTORY": str(data), "HEDDLE_TIMING_LOCK": str(data / "timing.lock")}
        quick = {"HEDDLE_RUN_CHILD_MODULE": "e2e.quick_child", "HEDDLE_COMPILE_PROCESSES": "1"}
        # A busy machine is slow, not wrong.
        patient = {"HEDDLE_COMPILE_SECONDS": "60"}
        self._environment = {**os.environ, **quick, **patient, **environment, **private}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Starts the service (again) and waits until it is ready."""
        command = [sys.executable, "-m", "heddle_server.cli", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise AssertionError(f"the service did not become ready:\n{self.log.read_text()}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Ends the service as Ctrl+C does; what is left of it after that is killed."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            raise AssertionError(f"the service did not stop:\n{self.log.read_text()}") from None
        finally:
            self._process = None

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _ready(self) -> bool:
        try:
            with urlopen(f"{self.url}/readyz", timeout=2) as answer:
                # Journeys that run plans find the machine that times them.
                return bool(answer.status == 200 and json.load(answer)["measuring"] != "starting")
        except (URLError, OSError):
            return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
