"""The lines of JSON that a child process writes on its standard output."""

from __future__ import annotations

import json
import os
from typing import Any, TextIO


def open_events() -> TextIO:
    """Events keep the real stdout; whatever a library prints goes to stderr."""
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return events


def write(events: TextIO, event: dict[str, Any]) -> None:
    events.write(json.dumps(event, allow_nan=False) + "\n")
    events.flush()
