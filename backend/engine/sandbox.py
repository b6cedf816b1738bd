"""First code of every child process: puts limits on itself, then becomes the module that does the work.

Run as ``python -m backend.engine.sandbox`` with the limits and the module's name in the environment, which the service
writes; nothing here comes from a person. It imports nothing heavy, so that the limits hold from the start.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import runpy
import signal
import sys
from typing import Any

from backend.engine.outcome import EXIT_OUT_OF_MEMORY

ENVIRONMENT = "HEDDLE_SANDBOX"

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38


def main() -> None:
    order = json.loads(os.environ.pop(ENVIRONMENT))
    print(json.dumps({"event": "sandbox", "sandbox": confine(order["limits"])}), flush=True)
    try:
        runpy.run_module(order["module"], run_name="__main__", alter_sys=True)
    except MemoryError:
        os._exit(EXIT_OUT_OF_MEMORY)


def confine(limits: dict[str, Any]) -> dict[str, Any]:
    """Apply the limits; returns what is in force, for the result."""
    end_with_parent()
    network = leave_network()
    caps = {
        resource.RLIMIT_AS: limits["memory_bytes"],
        resource.RLIMIT_CPU: limits["processor_seconds"],
        resource.RLIMIT_FSIZE: limits["file_bytes"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_NPROC: limits["processes"],
        resource.RLIMIT_CORE: 0,
    }
    for kind, cap in caps.items():
        _, hard = resource.getrlimit(kind)
        cap = cap if hard == resource.RLIM_INFINITY else min(cap, hard)
        resource.setrlimit(kind, (cap, cap))
    return {"process_group": True, "network": network, "limits": limits}


def end_with_parent() -> None:
    """Where the system can: when the worker that started us is killed, so are we."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        parent = os.getppid()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def leave_network() -> str:
    """Move into an empty network where the system allows it; says which it is."""
    if sys.platform != "linux":
        return "open"
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0:
        return "none" if libc.unshare(CLONE_NEWNET) == 0 else "open"
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        return "open"
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        # Being ourselves in there too is a courtesy to tools that ask who they are; nothing depends on it.
        with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    return "none"


if __name__ == "__main__":
    main()
