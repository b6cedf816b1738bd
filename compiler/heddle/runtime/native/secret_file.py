"""Secrets that only this user of the machine may read: made once, and kept in a file."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

BYTES = 32
_PLAIN = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))
"""Bytes as they are, of no link, for no other program: as far as the system has flags for it."""
_HAS_MODES = os.name == "posix"
"""Elsewhere the folder of the user's caches is what keeps others out."""


def user_number() -> int:
    """Of this user; 0 where the system has no numbers of users."""
    return os.geteuid() if hasattr(os, "geteuid") else 0


def is_of_this_user(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


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
        descriptor = os.open(path, os.O_RDONLY | _PLAIN)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        status, content = os.fstat(file.fileno()), file.read(BYTES + 1)
    if is_of_this_user(status) and not (_HAS_MODES and status.st_mode & 0o077) and len(content) == BYTES:
        return content
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    return None


def make(path: Path) -> None:
    """Under its name at once and whole, unless another process was first."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(BYTES))
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
