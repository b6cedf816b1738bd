"""A scheduler and workers in processes of their own, each worker behind a network namespace where that is possible."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from tests.backend.serving import PATIENCE_SECONDS, ROOT, START_SECONDS


class Joined:
    """``scheduler`` or ``worker`` with these arguments; ``said`` is what it prints."""

    def __init__(self, folder: Path, name: str, *arguments: str, within: int | None = None) -> None:
        """``within`` is a process whose network namespace it joins."""
        self._log = folder / f"{name}.log"
        enter = [] if within is None else ["nsenter", f"--target={within}", "--net"]
        environment = {**os.environ, "HEDDLE_TIMING_LOCK": str(folder / "timing.lock"), "HEDDLE_WAITING_CHILD": "false"}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [*enter, sys.executable, "-m", "heddle_server.cli", *arguments],
                cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    @property
    def said(self) -> str:
        return self._log.read_text()

    def wait_for(self, pattern: str) -> re.Match[str]:
        deadline = time.monotonic() + START_SECONDS
        while (match := re.search(pattern, self.said)) is None:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.05)
        return match

    @property
    def has_run(self) -> bool:
        with contextlib.suppress(psutil.Error):
            below = psutil.Process(self.process.pid).children(recursive=True)
            return any("heddle_server.engine.children.sandbox" in " ".join(one.cmdline()) for one in below)
        return False

    def kill(self) -> None:
        """All its processes at once, as when the machine goes away."""
        with contextlib.suppress(psutil.NoSuchProcess):
            for one in [*psutil.Process(self.process.pid).children(recursive=True), psutil.Process(self.process.pid)]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.kill()
        self.process.wait()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE_SECONDS)


class Namespace:
    """A network namespace with one cable to here: ``ours`` is our end's address, ``theirs`` the other's.

    Raises OSError or CalledProcessError where the system does not allow it.
    """

    def __init__(self, number: int) -> None:
        self.ours, self.theirs = f"10.213.{number}.1", f"10.213.{number}.2"
        self._cable = f"heddle{number}"
        self._holder = subprocess.Popen(["unshare", "--net", "sleep", "3600"])
        try:
            self._wait_until_apart()
            inside = ["nsenter", f"--target={self._holder.pid}", "--net"]
            for command in (
                ["ip", "link", "add", self._cable, "type", "veth", "peer", "name", "cable", "netns", str(self.pid)],
                ["ip", "address", "add", f"{self.ours}/30", "dev", self._cable],
                ["ip", "link", "set", self._cable, "up"],
                [*inside, "ip", "link", "set", "lo", "up"],
                [*inside, "ip", "address", "add", f"{self.theirs}/30", "dev", "cable"],
                [*inside, "ip", "link", "set", "cable", "up"],
            ):
                subprocess.run(command, check=True, capture_output=True)
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self._holder.pid

    def _wait_until_apart(self) -> None:
        here = os.readlink("/proc/self/ns/net")
        deadline = time.monotonic() + 10
        while os.readlink(f"/proc/{self.pid}/ns/net") == here:
            if self._holder.poll() is not None or time.monotonic() > deadline:
                raise OSError("the system does not allow network namespaces")
            time.sleep(0.02)

    def close(self) -> None:
        subprocess.run(["ip", "link", "del", self._cable], check=False, capture_output=True)
        self._holder.kill()
        self._holder.wait()
