"""The devices that a child process may open: those that every program may, and the graphics devices where its target
runs on one. As root it could open disks and virtual machines too, whatever may be written to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from glob import glob

FOLDER = "/dev"
SHARED_MEMORY = "/dev/shm"
EVERYBODYS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
GRAPHICS = ("/dev/nvidia*", "/dev/dri", "/dev/kfd", "/dev/dxg")
LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}


def list_devices(graphics: bool) -> Iterator[str]:
    yield from EVERYBODYS
    yield SHARED_MEMORY
    if graphics:
        for pattern in GRAPHICS:
            yield from glob(pattern)


def link_streams() -> None:
    """What programs know of the process itself, in a folder of devices that was empty."""
    for name, target in LINKS.items():
        with suppress(OSError):
            os.symlink(target, f"{FOLDER}/{name}")
