"""The system calls by which a process in a mount namespace of its own arranges what it sees of the files."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from contextlib import suppress

MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2
SYS_MOUNT_SETATTR = 442  # The same number on every architecture.
AT_FDCWD = -100
AT_RECURSIVE = 0x8000
MOUNT_ATTR_RDONLY = 1
NOTHING = "/dev/null"
"""Stands in the place of a hidden file."""


class MountAttributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user_namespace"))


def mount(
    libc: ctypes.CDLL, source: str | None, target: str, kind: str | None, flags: int, options: str | None = None
) -> bool:
    texts = (text.encode() if text is not None else None for text in (source, target, kind))
    data = options.encode() if options is not None else None
    return int(libc.mount(*texts, ctypes.c_ulong(flags), data)) == 0


def unmount(libc: ctypes.CDLL, target: str) -> None:
    libc.umount2(target.encode(), MNT_DETACH)


def set_read_only(libc: ctypes.CDLL, path: str, read_only: bool, *, recursive: bool) -> bool:
    attributes = (
        MountAttributes(MOUNT_ATTR_RDONLY, 0, 0, 0) if read_only else MountAttributes(0, MOUNT_ATTR_RDONLY, 0, 0)
    )
    arguments = (path.encode(), AT_RECURSIVE if recursive else 0, ctypes.byref(attributes))
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    return int(libc.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, *arguments, size)) == 0


def arrange_view(libc: ctypes.CDLL, hidden: Sequence[str], visible: Sequence[str]) -> bool:
    """Empty folders and files in the place of what is hidden, but for what of it is visible, in any depth: the longest
    path that leads to a file decides. Whether it could be done for all."""
    ranks = dict.fromkeys(hidden, False) | {path: True for path in visible if os.path.exists(path)}
    # Opened before anything lies over it: the descriptors lead to what was there.
    opened = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path, shown in ranks.items() if shown}
    nothing = os.open(NOTHING, os.O_PATH | os.O_CLOEXEC)
    done = True
    for path in sorted(ranks, key=lambda each: (each.count("/"), each)):
        above = max((other for other in ranks if path.startswith(f"{other}/")), key=len, default=None)
        seen_so_far = above is None or ranks[above]
        if ranks[path] and not seen_so_far:
            done = show(libc, path, opened[path]) and done
        elif not ranks[path] and seen_so_far and os.path.lexists(path):
            done = hide(libc, path, nothing) and done
    for descriptor in (*opened.values(), nothing):
        os.close(descriptor)
    return done


def hide(libc: ctypes.CDLL, path: str, nothing: int) -> bool:
    if os.path.isdir(path):
        return mount(libc, "tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=700")
    return mount(libc, f"/proc/self/fd/{nothing}", path, None, MS_BIND)


def show(libc: ctypes.CDLL, path: str, descriptor: int) -> bool:
    """In an empty folder, in which nothing leads to it."""
    if os.path.isdir(f"/proc/self/fd/{descriptor}"):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with suppress(FileExistsError):
            os.mknod(path, 0o600)
    return mount(libc, f"/proc/self/fd/{descriptor}", path, None, MS_BIND | MS_REC)
