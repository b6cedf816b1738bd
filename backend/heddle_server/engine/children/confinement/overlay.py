"""The cache of a child as a file system of its own: it shows what lies in the cache, and takes changes up to a bound.

The first process of the child's namespaces, which has seen nothing of anybody, arranges it and passes a descriptor of
the folder with the changes on to the worker (:mod:`heddle_server.engine.children.private_cache`). Whatever else lies
there goes with its last descriptor.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket

from heddle_server.engine.children.confinement.mounts import MS_NODEV, MS_NOSUID, mount, unmount

MOST_INODES = 20_000


def lay_over(libc: ctypes.CDLL, cache: str, place: str, cache_bytes: int) -> int | None:
    """Makes the folder ``cache`` one that shows what lies there, and takes changes up to so many bytes into a file
    system of its own. Returns a descriptor of the folder with the changes; None where the system does not allow it.
    ``place`` is an empty folder, which is covered afterwards."""
    options = f"size={cache_bytes},nr_inodes={MOST_INODES},mode=700"
    if not mount(libc, "tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, options):
        return None
    # What it notes beside files are attributes that everybody may set, on older systems those of root alone.
    for notes in ("userxattr", ""):
        changes = _mount(libc, cache, os.path.join(place, notes or "root"), notes)
        if changes is not None:
            return changes
    unmount(libc, place)
    return None


def _mount(libc: ctypes.CDLL, cache: str, place: str, notes: str) -> int | None:
    folders = {"upperdir": os.path.join(place, "changes"), "workdir": os.path.join(place, "work")}
    for folder in folders.values():
        os.makedirs(folder, 0o700)
    opened = {
        name: os.open(path, os.O_RDONLY | os.O_DIRECTORY) for name, path in {"lowerdir": cache, **folders}.items()
    }
    # By descriptors: a comma or a colon in a path would end an option.
    options = [f"{name}=/proc/self/fd/{descriptor}" for name, descriptor in opened.items()]
    mounted = mount(libc, "overlay", cache, "overlay", MS_NOSUID | MS_NODEV, ",".join(filter(None, [*options, notes])))
    done = mounted and _moves_folders(cache)
    if mounted and not done:
        unmount(libc, cache)
    for name, descriptor in opened.items():
        if not (done and name == "upperdir"):
            os.close(descriptor)
    return opened["upperdir"] if done else None


def _moves_folders(cache: str) -> bool:
    """What compilers do once their results are whole, and older systems do not allow everybody there."""
    first, second = (os.path.join(cache, f".tmp-{name}") for name in ("first", "second"))
    try:
        os.mkdir(first)
        os.rename(first, second)
        os.rmdir(second)
    except OSError:
        return False
    return True


def pass_on(descriptor: int | None, teller: int) -> None:
    """To the worker, which has the other end of ``teller``; both are closed here."""
    with socket.socket(fileno=teller) as end:
        if descriptor is not None:
            with contextlib.suppress(OSError):
                socket.send_fds(end, [b"."], [descriptor])
            os.close(descriptor)
