"""One server per data directory: two would take each other's runs for interrupted ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heddle_server.file_lock import open_private, try_lock
from heddle_server.start_failure import CannotStartError


@contextmanager
def server_lock(directory: Path) -> Iterator[None]:
    """Raises CannotStartError when another server has the directory."""
    descriptor = open_private(directory / "server.lock")
    try:
        if not try_lock(descriptor):
            raise CannotStartError(
                f"Another Heddle server is using the data directory {directory.resolve()}. "
                "Stop it, or give this server another directory with --data-directory."
            )
        yield
    finally:
        os.close(descriptor)
