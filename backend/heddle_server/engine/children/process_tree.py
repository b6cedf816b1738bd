"""What a process and everything that it started use, read without looking at the machine's other processes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import psutil

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Usage:
    resident_bytes: int
    processes: int


def usage(pid: int, most: int) -> Usage:
    """Memory in use and number of processes of ``pid`` and its descendants, of which more than ``most`` are not looked
    at; nothing for a process that has ended."""
    if not Path(f"/proc/{pid}/task/{pid}/children").exists():
        return usage_elsewhere(pid)
    pending, resident, count = [pid], 0, 0
    while pending and count <= most:
        process = Path(f"/proc/{pending.pop()}")
        try:
            resident += int((process / "statm").read_text(encoding="utf-8").split()[1]) * PAGE_BYTES
            for thread in (process / "task").iterdir():
                pending += [int(child) for child in (thread / "children").read_text(encoding="utf-8").split()]
        except (OSError, IndexError):
            continue  # It ended meanwhile.
        count += 1
    return Usage(resident, count)


def usage_elsewhere(pid: int) -> Usage:
    """Where the system has no list of children."""
    try:
        process = psutil.Process(pid)
        tree = [process, *process.children(recursive=True)]
        return Usage(sum(int(member.memory_info().rss) for member in tree), len(tree))
    except psutil.Error:
        return Usage(0, 0)
