"""The table of refused system calls: what must be in it, and that its numbers are the system's."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from heddle.runtime.native.toolchain import discover
from heddle_server.engine.children.confinement.system_calls import (
    ARCHITECTURES,
    CLONE,
    CLONE3,
    REFUSED,
    SECCOMP,
    SOCKET,
)

WAYS_OUT = frozenset(
    {
        "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen", "fsmount",
        "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "bpf", "perf_event_open",
        "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "add_key", "request_key", "keyctl",
        "open_by_handle_at", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot",
    }
)  # fmt: skip


def test_the_ways_through_which_holes_were_reached_are_refused() -> None:
    assert set(REFUSED) >= WAYS_OUT


@pytest.mark.skipif(sys.platform != "linux", reason="calls of Linux")
def test_the_numbers_are_those_of_the_system() -> None:
    machine = ARCHITECTURES.get(os.uname().machine)
    if machine is None:
        pytest.skip("no filter for this architecture")
    column, _ = machine
    ours = {name: numbers[column] for name, numbers in REFUSED.items()}
    for name, numbers in (("clone", CLONE), ("clone3", CLONE3), ("socket", SOCKET), ("seccomp", SECCOMP)):
        ours[name] = numbers[column]
    source = "#include <sys/syscall.h>\n" + "\n".join(f"@{name} SYS_{name}" for name in ours)
    command = [*discover().command, "-E", "-P", "-x", "c", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    theirs = {name: int(number) for name, number in re.findall(r"^@(\w+) (\d+)$", done.stdout, re.MULTILINE)}
    if done.returncode or "unshare" not in theirs:
        pytest.skip("this system has no headers of its calls")
    # Headers may be older than the newest calls.
    assert {name: number for name, number in ours.items() if name in theirs} == theirs
    assert len(theirs) > 40
