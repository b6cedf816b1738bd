"""Which files a child process may open, where the system does not let it have a view of its own: Landlock, which needs
no privileges (``landlock(7)``).

Rules only permit. What is hidden is what no rule names: the folders beside the path that leads to it are permitted one
by one.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from heddle_server.engine.children.confinement.devices import FOLDER, SHARED_MEMORY

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # The same numbers on every architecture.
ASK_VERSION = 1
BENEATH_PATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIRECTORY = 1 << 0, 1 << 1, 1 << 2, 1 << 3
# Removing and making what folders hold (bits 4 to 12); moving it between folders; making files shorter.
CHANGE_FOLDERS = 0b1_1111_1111 << 4
MOVE, SHORTEN = 1 << 13, 1 << 14
SINCE = {MOVE: 2, SHORTEN: 3}
LOOK = EXECUTE | READ_FILE | READ_DIRECTORY
FOR_FILES = EXECUTE | READ_FILE | WRITE_FILE | SHORTEN
# What a process says of itself is written to, but nothing is made there.
PROCESSES = "/proc"


class Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def restrict_files(
    writable: Iterable[str], hidden: Iterable[str], readable: Iterable[str], devices: Iterable[str]
) -> bool:
    """From here on, in this process and all that it starts; whether the system allows it. The process must have given
    up new privileges before."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)
    if version < 1:
        return False
    handled = LOOK | WRITE_FILE | CHANGE_FOLDERS
    handled |= sum(right for right, since in SINCE.items() if version >= since)
    asked = ctypes.c_uint64(handled)
    rules = libc.syscall(CREATE_RULESET, ctypes.byref(asked), ctypes.c_size_t(8), 0)
    if rules < 0:
        return False
    try:
        without = [Path(each) for each in (*hidden, FOLDER)]
        permitted = [(path, LOOK) for root in ("/", *readable) for path in list_visible(without, Path(root))]
        permitted += [(path, LOOK | WRITE_FILE | SHORTEN) for path in (PROCESSES, *devices)]
        permitted += [(path, handled) for path in (*writable, SHARED_MEMORY)]
        for path, rights in permitted:
            permit(libc, rules, path, rights & handled)
        return bool(libc.syscall(RESTRICT_SELF, rules, 0) == 0)
    finally:
        os.close(rules)


def permit(libc: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    """A path that is not there, or that may not be looked at, is not permitted either. Nor is a link: it could lead to
    what is hidden, and what it leads to has a rule of its own."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = Beneath(rights if os.path.isdir(path) else rights & FOR_FILES, descriptor)
        libc.syscall(ADD_RULE, rules, BENEATH_PATH, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)


def list_visible(hidden: list[Path], root: Path) -> Iterator[str]:
    """Folders and files that are all that lies in ``root`` but what is hidden: the root itself, where nothing is."""
    inside = [folder for folder in hidden if folder.is_relative_to(root) and folder != root]
    leading = {parent for folder in inside for parent in folder.parents if parent.is_relative_to(root)}
    if not leading:
        yield str(root)
        return
    for folder in leading:
        if any(folder.is_relative_to(each) for each in inside):
            continue
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for path in (folder / name for name in names):
            if path not in leading and path not in hidden:
                yield str(path)
