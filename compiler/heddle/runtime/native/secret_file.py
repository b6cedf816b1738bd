"""Secrets that only this user of the machine may read: made once, and kept in a file."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

BYTES = 32


def secret(path: Path) -> bytes:
    """The secret in the file, which is made where there is none, or where another user could have read or chosen it.
    Of processes that make it at the same time all get the same one. Raises OSError where it cannot be kept."""
    for _ in range(3):
        content = read(path)
        if content is not None:
            return content
        make(path)
    raise OSError(f"{path} cannot be kept for this user alone")


def read(path: Path) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        status, content = os.fstat(file.fileno()), file.read(BYTES + 1)
    ours = status.st_uid == os.geteuid() and not status.st_mode & 0o077
    if ours and len(content) == BYTES:
        return content
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    return None


def make(path: Path) -> None:
    """Under its name at once and whole, unless another process was first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(BYTES))
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
