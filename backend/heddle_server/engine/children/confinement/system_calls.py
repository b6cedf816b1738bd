"""Takes system calls from a child process that no kernel needs, and through which holes in Linux were reached: a second
line behind namespaces, and the first one where there are none.

The filter is a program of classic BPF (``seccomp(2)``), written here instruction by instruction: it needs no library.
What is refused fails with EPERM, as without privileges, so that programs go on. The table has the numbers of
``asm/unistd.h``.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

# name: number on x86-64, on AArch64; None where the architecture lacks it.
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # New namespaces, in which a process is root and reaches code that checks for root; file systems.
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "swapon": (167, 224), "swapoff": (168, 225), "quotactl": (179, 60), "quotactl_fd": (443, 443), "acct": (163, 89),
    # Other processes.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "move_pages": (279, 239), "migrate_pages": (256, 238),
    # Large parts of the kernel that compute for programs.
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "fanotify_init": (300, 262), "modify_ldt": (154, None),
    # Files by number, past the folders that lead to them.
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # The machine.
    "reboot": (169, 142), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "iopl": (172, None), "ioperm": (173, None),
    "sethostname": (170, 161), "setdomainname": (171, 162), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "clock_adjtime": (305, 266), "adjtimex": (159, 171), "syslog": (103, 116), "vhangup": (153, 58),
}  # fmt: skip
CLONE = (56, 220)
CLONE3 = (435, 435)  # Its flags are in memory, where a filter cannot look: "not there", and libc uses clone.
SOCKET = (41, 198)
SECCOMP = (317, 277)
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
# Flags of clone for new namespaces of any kind.
NEW_NAMESPACES = 0x7E020000
# Within the machine, IPv4, IPv6, netlink. Not those of hypervisors, of cryptography in the kernel, and old networks.
FAMILIES = (1, 2, 10, 16)
FOREIGN_CALLS = 0x40000000  # x32, on x86-64.

LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, JUMP_IF_ANY, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
SET_MODE_FILTER = 1
# Filters of older kernels slow memory down otherwise, against leaks between processes that namespaces keep apart.
ALLOW_SPECULATION = 1 << 2


class Instruction(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32))


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(Instruction)))


Step = tuple[int, int, int, int]


def program(column: int, architecture: int) -> list[Step]:
    """(code, jump if so, jump if not, value)."""
    steps: list[Step] = [(LOAD, 0, 0, ARCHITECTURE), *unless(JUMP_IF_EQUAL, architecture, errno.ENOSYS)]
    steps += [(LOAD, 0, 0, NUMBER)]
    if column == 0:
        steps += when(JUMP_IF_AT_LEAST, FOREIGN_CALLS, errno.ENOSYS)
    for numbers in REFUSED.values():
        number = numbers[column]
        if number is not None:
            steps += when(JUMP_IF_EQUAL, number, errno.EPERM)
    steps += when(JUMP_IF_EQUAL, CLONE3[column], errno.ENOSYS)
    fork = [(LOAD, 0, 0, FIRST_ARGUMENT), *when(JUMP_IF_ANY, NEW_NAMESPACES, errno.EPERM), (RETURN, 0, 0, ALLOW)]
    steps += [(JUMP_IF_EQUAL, 0, len(fork), CLONE[column]), *fork]
    allowed = [step for family in FAMILIES for step in ((JUMP_IF_EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW))]
    talk = [(LOAD, 0, 0, FIRST_ARGUMENT), *allowed, (RETURN, 0, 0, ERROR | errno.EAFNOSUPPORT)]
    steps += [(JUMP_IF_EQUAL, 0, len(talk), SOCKET[column]), *talk]
    return [*steps, (RETURN, 0, 0, ALLOW)]


def when(test: int, value: int, error: int) -> list[Step]:
    return [(test, 0, 1, value), (RETURN, 0, 0, ERROR | error)]


def unless(test: int, value: int, error: int) -> list[Step]:
    return [(test, 1, 0, value), (RETURN, 0, 0, ERROR | error)]


def refuse_system_calls() -> bool:
    """From here on, in this process and all that it starts; whether the system allows it. The process must have given
    up new privileges before."""
    machine = ARCHITECTURES.get(os.uname().machine) if sys.platform == "linux" and sys.maxsize > 2**32 else None
    if machine is None:
        return False
    column, architecture = machine
    steps = program(column, architecture)
    instructions = (Instruction * len(steps))(*(Instruction(*step) for step in steps))
    filtering = Program(len(steps), instructions)
    libc = ctypes.CDLL(None, use_errno=True)
    return any(
        libc.syscall(SECCOMP[column], SET_MODE_FILTER, flags, ctypes.byref(filtering)) == 0
        for flags in (ALLOW_SPECULATION, 0)
    )
