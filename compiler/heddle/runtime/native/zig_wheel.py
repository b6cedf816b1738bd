"""The ``ziglang`` wheel, a C compiler that pip installs. Its program is called itself: ``python -m ziglang`` starts
Python before every kernel that it builds, a third of the time that a short one takes."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path

WHEEL = "ziglang"


def program() -> Path | None:
    """The wheel's program, None where the wheel is not installed."""
    spec = importlib.util.find_spec(WHEEL)
    folders = [] if spec is None else spec.submodule_search_locations or []
    candidates = (Path(folder, "zig") for folder in folders)
    return next((path for path in candidates if os.access(path, os.X_OK)), None)


def called_by(command: Sequence[str]) -> bool:
    """Whether these first words of a command call the wheel, by its program or as a module of Python."""
    return WHEEL in command or (Path(command[0]).name == "zig" and Path(command[0]).parent.name == WHEEL)


def version() -> str:
    """Of the wheel, ``unknown`` where Python does not know it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(WHEEL)
    except PackageNotFoundError:
        return "unknown"
