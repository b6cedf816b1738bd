"""Linux namespaces for a child process: no network, its own processes, and files that it cannot change.

Used through the system calls themselves, since neither bubblewrap nor a privileged helper is everywhere. Whatever the
system refuses is left out, and the result of the run says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Sequence
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
    """What is in force. ``form`` sums it up: ``namespaces`` when processes, network and files are all apart. ``data``
    are the server's own: its database, and files that are not the job's."""

    network: Literal["none", "open"] = "open"
    processes: Literal["own", "shared"] = "shared"
    file_system: Literal["read-only", "rules", "open"] = "open"
    data: Literal["hidden", "visible"] = "visible"
    system_calls: Literal["filtered", "all"] = "all"

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
    """Absolute paths: where the child may write, what is empty for it, and what of that it nevertheless reads."""

    writable: list[str]
    hidden: list[str]
    readable: list[str]


def arrange_files(confinement: Confinement, scratch: str, scratch_bytes: int, places: Places) -> None:
    """Everything read-only but what is writable and the working directory ``scratch``, which is a bounded file system
    in memory. Called in the first process of a PID namespace; afterwards it has no privileges."""
    libc, writable = ctypes.CDLL(None, use_errno=True), places.writable
    private = mount(libc, None, "/", None, MS_REC | MS_PRIVATE)
    mount(libc, "proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    if private and hide(libc, places.hidden, [*places.readable, *writable, scratch]):
        confinement.data = "hidden"
    size = f"size={scratch_bytes},mode=700"
    scratch_mounts = [path for path in (scratch, SHARED_MEMORY) if mount(libc, "tmpfs", path, "tmpfs", MS_NOSUID, size)]
    writable_mounts = [path for path in writable if mount(libc, path, path, None, MS_BIND)]
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


def hide(libc: ctypes.CDLL, hidden: Sequence[str], visible_paths: Sequence[str]) -> bool:
    """Empty folders in the place of those, but for what is kept of them; whether it could be done for all."""
    inside = [
        path
        for path in visible_paths
        if os.path.exists(path) and any(f"{path}/".startswith(f"{top}/") for top in hidden)
    ]
    opened = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path in inside]
    empty = [mount(libc, "tmpfs", top, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=700") for top in hidden]
    done = all(empty)
    for path, descriptor in opened:
        # The path now leads into the empty folder; the descriptor still to what was there.
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            os.makedirs(path, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDONLY, 0o600))
        done = mount(libc, f"/proc/self/fd/{descriptor}", path, None, MS_BIND) and done
        os.close(descriptor)
    return done


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
