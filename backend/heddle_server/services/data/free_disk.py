"""Whether there is room on the disk for what somebody wants to keep."""

from __future__ import annotations

import shutil

from heddle_server.problem import ProblemError
from heddle_server.settings import Settings


def require_disk(settings: Settings) -> None:
    """Raises ProblemError 507 below the floor, which is kept for runs under way and for ending them."""
    if shutil.disk_usage(settings.data_directory).free < settings.free_disk_bytes:
        raise full_disk()


def full_disk() -> ProblemError:
    detail = "The server keeps nothing new until there is space again. Compiling and reading go on."
    return ProblemError(507, "no-space", "The disk is full", detail)
