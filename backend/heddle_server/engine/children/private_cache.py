"""What the worker keeps of a child's changes of the cache of runs, once nothing of the child is left: what it knows.

The changes lie in a file system of the child's own (:mod:`heddle_server.engine.children.confinement.overlay`), and go
with it.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

from heddle.runtime.native.cache import key_file, limit_bytes, seal_name
from heddle.runtime.native.cache_folder import cache_of_runs, write_atomically
from heddle.runtime.native.secret_file import secret
from heddle_server.engine.children.run_cache import DEEPEST, IN_TREES, KERNEL, KEY, LARGEST_NOTE, NOTE

MOST_FILES = 2000
"""Of each kind: a run of ours changes some dozens."""


def keep_changes(receiver: socket.socket) -> None:
    """Copies what the worker knows into the cache of runs, where a child has passed on its changes."""
    receiver.setblocking(False)
    try:
        _, descriptors, *_ = socket.recv_fds(receiver, 1, 1)
    except OSError:
        return
    for descriptor in descriptors:
        try:
            _copy(descriptor, cache_of_runs())
        finally:
            os.close(descriptor)


def _copy(changes: int, cache: Path) -> None:
    for name, content in _list_files(changes, NOTE, LARGEST_NOTE):
        if not KEY.fullmatch(name):
            with contextlib.suppress(OSError):
                write_atomically(cache / name, content)
    with contextlib.suppress(OSError):
        mine = secret(key_file(cache))
        for name, content in _list_files(changes, KERNEL, limit_bytes()):
            path = cache / name
            if seal_name(mine, path.name.partition(".")[0], content) != path.name:
                continue
            if path.is_file() and path.read_bytes() == content:
                os.utime(path)
            else:
                write_atomically(path, content)
        for name, content in _list_files(changes, IN_TREES, limit_bytes()):
            write_atomically(cache / name, content)


def _list_files(root: int, names: re.Pattern[str], most: int) -> Iterator[tuple[str, bytes]]:
    """Files by such names with at most so many bytes, of the folder that the descriptor is of. No link is followed on
    the way to one, also where a process that is not yet gone makes some just now."""
    left = MOST_FILES
    for folder, inner, files, descriptor in os.fwalk(".", dir_fd=root, follow_symlinks=False):
        if folder.count("/") >= DEEPEST:
            inner.clear()
        for name in files:
            path = os.path.normpath(os.path.join(folder, name))
            if names.fullmatch(path) and left:
                left -= 1
                with contextlib.suppress(OSError):
                    content = _read(descriptor, name, most)
                    if content is not None:
                        yield path, content


def _read(folder: int, name: str, most: int) -> bytes | None:
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        content = file.read(most + 1)
        return content if len(content) <= most else None
