"""What an operator should know before strangers come: said once, when the server starts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

# Files that container engines leave in the root of a container.
MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))


def start_warnings() -> list[str]:
    if getattr(os, "geteuid", lambda: 1)() == 0 and not in_container(os.environ):
        return [
            "it runs as root: whoever broke out of a run would have the whole machine. Start it as a user of its own "
            "(docs/how-to/operate.md)."
        ]
    return []


def in_container(environment: Mapping[str, str], marks: tuple[Path, ...] = MARKS) -> bool:
    """Where root is not the machine's."""
    named = "container" in environment or "KUBERNETES_SERVICE_HOST" in environment
    return named or any(mark.exists() for mark in marks)
