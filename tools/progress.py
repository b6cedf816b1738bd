"""What a person sees while set-up works: one line per step, its progress, and on failure the end of its log."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.paths import LOGS, ROOT

HEARTBEAT_SECONDS = 15.0
TAIL_LINES = 30


class SetupError(Exception):
    """Set-up cannot go on; the message says what to do."""


def say(text: str) -> None:
    print(f"heddle: {text}", file=sys.stderr, flush=True)


def run(title: str, argv: Sequence[str | Path], *, advice: str, environment: Mapping[str, str] | None = None) -> None:
    """Runs a command from the repository root with its output in a log, showing the last line as progress.

    Raises :class:`SetupError` with the end of the log and ``advice`` when the command fails.
    """
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{'-'.join(re.findall('[a-z]+', title.lower())[:4])}.log"
    say(f"{title} …")
    started = time.monotonic()
    with log.open("w", encoding="utf-8") as sink:
        code = _stream([str(part) for part in argv], sink.fileno(), log, {**os.environ, **(environment or {})})
    if code == 0:
        say(f"{title}: done in {time.monotonic() - started:.0f} s")
    else:
        tail = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL_LINES:])
        raise SetupError(
            f"{title} failed (exit code {code}). The end of {log.relative_to(ROOT)}:\n\n{tail}\n\n{advice}"
        )


def _stream(argv: list[str], sink: int, log: Path, environment: dict[str, str]) -> int:
    try:
        process = subprocess.Popen(
            argv, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT, env=environment
        )
    except OSError as error:
        raise SetupError(f"cannot start {argv[0]}: {error}") from error
    finished = threading.Event()
    watcher = threading.Thread(target=_show_progress, args=(log, finished), daemon=True)
    watcher.start()
    try:
        return process.wait()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    finally:
        finished.set()
        watcher.join()


def _show_progress(log: Path, finished: threading.Event) -> None:
    """The newest line of the log: rewritten in place on a terminal, now and then elsewhere."""
    terminal = sys.stderr.isatty()
    width = shutil.get_terminal_size().columns - 1 if terminal else 120
    shown = ""
    while not finished.wait(0.3 if terminal else HEARTBEAT_SECONDS):
        line = _last_line(log)
        if line and line != shown:
            shown = line
            text = f"        {line}"[:width]
            sys.stderr.write(f"\r\033[K{text}" if terminal else f"{text}\n")
            sys.stderr.flush()
    if terminal and shown:
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


def _last_line(log: Path) -> str:
    with log.open("rb") as source:
        source.seek(max(0, log.stat().st_size - 2000))
        lines = source.read().decode("utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
