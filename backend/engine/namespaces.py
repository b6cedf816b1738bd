"""Linux namespaces for a child process: no network, its own processes, and files that it cannot change.

Used through the system calls themselves, since neither bubblewrap nor a privileged helper is everywhere. Whatever the
system refuses is left out, and the result of the run says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from dataclasses import asdict, dataclass
from typing import Literal

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
EVERYTHING = CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET

MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
SYS_MOUNT_SETATTR = 442  # The same number on every architecture.
AT_FDCWD = -100
AT_RECURSIVE = 0x8000
MOUNT_ATTR_RDONLY = 1
SYS_CAPSET = {"x86_64": 126, "aarch64": 91}
CAPABILITY_VERSION_3 = 0x20080522
SHARED_MEMORY = "/dev/shm"


@dataclass(slots=True)
class Confinement:
    """What is in force. ``form`` sums it up: ``namespaces`` when processes, network and files are all apart."""

    network: Literal["none", "open"] = "open"
    processes: Literal["own", "shared"] = "shared"
    file_system: Literal["read-only", "open"] = "open"

    @property
    def form(self) -> str:
        apart = (self.network == "none", self.processes == "own", self.file_system == "read-only")
        return "namespaces" if all(apart) else "partial namespaces" if any(apart) else "limits"

    def to_document(self) -> dict[str, str | bool]:
        return {"form": self.form, "process_group": True, **asdict(self)}


class MountAttributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user_namespace"))


def enter() -> Confinement:
    """Leave the namespaces of the worker, as far as the system allows it. Processes started from here on are in the
    new PID namespace; the caller is not."""
    found = Confinement()
    if sys.platform != "linux":
        return found
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
                with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                    file.write(text)
            break
    else:
        return found
    found.network = "none"
    found.processes = "own" if flags == EVERYTHING else "shared"
    return found


def arrange_files(found: Confinement, scratch: str, scratch_bytes: int, writable: list[str]) -> None:
    """Everything read-only but ``writable`` and the working directory ``scratch``, which is a bounded file system in
    memory. Called in the first process of a PID namespace; afterwards it has no privileges."""
    libc = ctypes.CDLL(None, use_errno=True)
    private = mount(libc, None, "/", None, MS_REC | MS_PRIVATE)
    mount(libc, "proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    size = f"size={scratch_bytes},mode=700"
    made = [path for path in (scratch, SHARED_MEMORY) if mount(libc, "tmpfs", path, "tmpfs", MS_NOSUID, size)]
    kept = [path for path in writable if mount(libc, path, path, None, MS_BIND)]
    if private and scratch in made and len(kept) == len(writable) and set_read_only(libc, "/", True, recursive=True):
        for path in (*made, *kept):
            set_read_only(libc, path, False, recursive=False)
        found.file_system = "read-only"
    os.chdir(scratch)
    drop_capabilities(libc)


def mount(
    libc: ctypes.CDLL, source: str | None, target: str, kind: str | None, flags: int, options: str | None = None
) -> bool:
    texts = (text.encode() if text is not None else None for text in (source, target, kind))
    data = options.encode() if options is not None else None
    return int(libc.mount(*texts, ctypes.c_ulong(flags), data)) == 0


def set_read_only(libc: ctypes.CDLL, path: str, read_only: bool, *, recursive: bool) -> bool:
    attributes = (
        MountAttributes(MOUNT_ATTR_RDONLY, 0, 0, 0) if read_only else MountAttributes(0, MOUNT_ATTR_RDONLY, 0, 0)
    )
    arguments = (path.encode(), AT_RECURSIVE if recursive else 0, ctypes.byref(attributes))
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    return int(libc.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, *arguments, size)) == 0


def drop_capabilities(libc: ctypes.CDLL) -> None:
    """Without them even root could not mount anything writable again."""
    number = SYS_CAPSET.get(os.uname().machine)
    if number is not None:
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
        libc.syscall(number, header, (ctypes.c_uint32 * 6)())
