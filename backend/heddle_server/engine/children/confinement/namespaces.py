"""Linux namespaces for a child process: no network, its own processes, and files that it cannot change.

Used through the system calls themselves, since neither bubblewrap nor a privileged helper is everywhere. Whatever the
system refuses is left out, and the result of the run says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from heddle_server.engine.children.confinement.devices import FOLDER, SHARED_MEMORY, link_streams
from heddle_server.engine.children.confinement.mounts import (
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_REC,
    arrange_view,
    mount,
    set_read_only,
)
from heddle_server.engine.children.confinement.overlay import lay_over

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
EVERYTHING = CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET

SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
CAPABILITY_VERSION_3 = 0x20080522


@dataclass(slots=True)
class Confinement:
    """What is in force. ``form`` sums it up: ``namespaces`` when processes, network and files are all apart. ``data``
    are the server's own: its database, and files that are not the job's. ``home`` is the user's, and with it whatever
    else is of no program: temporary files, other servers, sockets."""

    network: Literal["none", "open"] = "open"
    processes: Literal["own", "shared"] = "shared"
    file_system: Literal["read-only", "rules", "open"] = "open"
    data: Literal["hidden", "visible"] = "visible"
    home: Literal["hidden", "visible"] = "visible"
    devices: Literal["few", "all"] = "all"
    system_calls: Literal["filtered", "all"] = "all"
    cache: Literal["own", "shared"] = "shared"

    @property
    def form(self) -> str:
        apart = (self.network == "none", self.processes == "own", self.file_system == "read-only")
        return "namespaces" if all(apart) else "partial namespaces" if any(apart) else "limits"

    def to_document(self) -> dict[str, str | bool]:
        return {"form": self.form, "process_group": True, **asdict(self)}


def enter() -> Confinement:
    """Leave the namespaces of the worker, as far as the system allows it. Processes started from here on are in the
    new PID namespace; the caller is not."""
    confinement = Confinement()
    if sys.platform != "linux":
        return confinement
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    for flags in (EVERYTHING, CLONE_NEWNET):
        if user == 0 and libc.unshare(flags) == 0:
            break
        if libc.unshare(flags | CLONE_NEWUSER) == 0:
            for name, text in (
                ("setgroups", "deny"),
                ("uid_map", f"{user} {user} 1"),
                ("gid_map", f"{group} {group} 1"),
            ):
                with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w", encoding="utf-8") as file:
                    file.write(text)
            break
    else:
        return confinement
    confinement.network = "none"
    confinement.processes = "own" if flags == EVERYTHING else "shared"
    return confinement


@dataclass(frozen=True, slots=True)
class Places:
    """Absolute paths: its cache, where else the child may write, what is empty for it, and what of that it nevertheless
    reads."""

    cache: str
    writable: list[str]
    hidden: list[str]
    readable: list[str]


def arrange_files(
    confinement: Confinement, scratch: str, limits: Mapping[str, Any], places: Places, devices: Sequence[str]
) -> int | None:
    """Everything read-only but what is writable and the working directory ``scratch``, which is a bounded file system
    in memory, as is what changes of the cache where the system allows it: then a descriptor of that is returned. Called
    in the first process of a PID namespace; afterwards it has no privileges."""
    libc, writable = ctypes.CDLL(None, use_errno=True), [places.cache, *places.writable]
    private = mount(libc, None, "/", None, MS_REC | MS_PRIVATE)
    mount(libc, "proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    if private and arrange_view(libc, [*places.hidden, FOLDER], [*places.readable, *writable, scratch, *devices]):
        confinement.data = confinement.home = "hidden"
        confinement.devices = "few"
        link_streams()
    changes = lay_over(libc, places.cache, scratch, limits["cache_bytes"]) if private else None
    if changes is not None:
        confinement.cache = "own"
    size = f"size={limits['scratch_bytes']},mode=700"
    scratch_mounts = [path for path in (scratch, SHARED_MEMORY) if mount(libc, "tmpfs", path, "tmpfs", MS_NOSUID, size)]
    writable_mounts = [
        path
        for path in writable
        if (path == places.cache and changes is not None) or mount(libc, path, path, None, MS_BIND)
    ]
    if (
        private
        and scratch in scratch_mounts
        and len(writable_mounts) == len(writable)
        and set_read_only(libc, "/", True, recursive=True)
    ):
        for path in (*scratch_mounts, *writable_mounts):
            set_read_only(libc, path, False, recursive=False)
        confinement.file_system = "read-only"
    os.chdir(scratch)
    drop_capabilities(libc)
    return changes


def drop_capabilities(libc: ctypes.CDLL) -> None:
    """Without them even root could not mount anything writable again."""
    number = SYS_CAPSET.get(os.uname().machine)
    if number is not None:
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
        libc.syscall(number, header, (ctypes.c_uint32 * 6)())
