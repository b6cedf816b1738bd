"""A run's progress for a person at a shell."""

from __future__ import annotations

from typing import Any, TextIO

from heddle.cli.output import is_quiet

STEP = 0.1


class ProgressLines:
    """One line that is rewritten on a terminal; elsewhere a line per phase and per tenth of the work."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._phase: str | None = None
        self._next = 0.0
        self._open = False

    def __call__(self, event: dict[str, Any]) -> None:
        if event["event"] != "progress" or is_quiet():
            return
        phase, fraction = str(event["phase"]), event.get("fraction")
        if not self._terminal and phase == self._phase and (fraction is None or fraction < self._next):
            return
        self._phase = phase
        self._next = (fraction or 0.0) + STEP
        share = f"{fraction:4.0%} " if fraction is not None else ""
        text = f"{share}{event['message']}"
        self._open = self._terminal
        self._stream.write(f"\r\x1b[K{text}" if self._terminal else f"{text}\n")
        self._stream.flush()

    def end(self) -> None:
        """Clears the line that was rewritten, so that what follows stands there."""
        if self._open:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._open = False
