"""First code of every child process: waits for its order, puts limits on itself, then becomes the module that does the
work.

Run as ``python -m heddle_server.engine.children.sandbox`` with an order on stdin: one line of JSON that the service
writes, with the module's name, the limits, and the folder in which its job lies as a file. Nothing of it comes from a
person. With the machine's timing lock and a module as arguments it loads that module before the order comes: a program
of our own, which has seen no data of anybody. Otherwise it imports nothing heavy, so that the limits hold from the
start.

Where the system allows namespaces there are three processes: the outer one, which the worker knows; the first of a PID
namespace, whose end takes everything in it along; and the one that works. Elsewhere there is one, under limits.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import resource
import runpy
import signal
import struct
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any, NoReturn

from heddle_server.engine.children.confinement import namespaces
from heddle_server.engine.children.confinement.devices import list_devices
from heddle_server.engine.children.confinement.file_rules import restrict_files
from heddle_server.engine.children.confinement.overlay import pass_on
from heddle_server.engine.children.confinement.system_calls import refuse_system_calls
from heddle_server.engine.children.outcome import EXIT_OUT_OF_MEMORY
from heddle_server.engine.quiet_time import in_turn

JOB = "job.json"
LOADING_WAIT_SECONDS = 20.0
"""What loading waits at most for rounds that are timed on this machine."""

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38


def main() -> None:
    end_with_parent()
    if sys.argv[1:]:
        load(Path(sys.argv[1]), sys.argv[2])
        del sys.argv[1:]
    order = received_order()
    # While all folders can be listed: Python lists one again that has changed, and the rules for files hide what a
    # checkout has beside the server's data.
    importlib.util.find_spec(order["module"])
    limits = order["limits"]
    confinement = namespaces.enter()
    places = namespaces.Places(**order["places"])
    devices = tuple(list_devices(limits["graphics"]))
    if confinement.processes == "own":
        # In the child from here on; the outer process stays behind in this call.
        status = become_first_of_namespace()
        changes = namespaces.arrange_files(confinement, os.getcwd(), limits, places, devices)
        pass_on(changes, order["teller"])
        become_worker(status)
    else:
        os.close(order["teller"])
    apply_limits(limits)
    if confinement.file_system == "open":
        restrict_by_rules(confinement, places, devices)
    if refuse_system_calls():
        confinement.system_calls = "filtered"
    print(json.dumps({"event": "sandbox", "sandbox": {**confinement.to_document(), "limits": limits}}), flush=True)
    try:
        runpy.run_module(order["module"], run_name="__main__", alter_sys=True)
    except MemoryError:
        os._exit(EXIT_OUT_OF_MEMORY)


def load(timing_lock: Path, module: str) -> None:
    """Ahead of the order, while no round is timed on this machine. Who has threads then could not leave the namespaces
    of the worker: it begins once more, without."""
    # Threads of ours come with a run, in whose plan their number stands.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        in_turn(timing_lock, time.monotonic() + LOADING_WAIT_SECONDS, importlib.import_module, module)
        loaded = number_of_threads() == 1
    except Exception:
        traceback.print_exc()
        loaded = False
    del os.environ["OPENBLAS_NUM_THREADS"]
    if not loaded:
        os.execv(sys.executable, [sys.executable, "-P", "-m", "heddle_server.engine.children.sandbox"])


def number_of_threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return threading.active_count()


def received_order() -> dict[str, Any]:
    """Whoever waits for one in vain ends. Behind it stdin is the job's file."""
    text = b""
    while piece := os.read(0, 65_536):
        text += piece
    if not text:
        os._exit(0)
    order: dict[str, Any] = json.loads(text)
    os.chdir(order["directory"])
    os.environ.update(HOME=order["directory"], TMPDIR=order["directory"])
    job = os.open(JOB, os.O_RDONLY)
    os.dup2(job, 0)
    os.close(job)
    return order


def restrict_by_rules(confinement: namespaces.Confinement, places: namespaces.Places, devices: tuple[str, ...]) -> None:
    """Where the system does not let a child have its own view of the files."""
    if restrict_files([places.cache, *places.writable, os.getcwd()], places.hidden, places.readable, devices):
        confinement.file_system, confinement.devices = "rules", "few"
        confinement.data = confinement.home = "hidden"


def apply_limits(limits: dict[str, Any]) -> None:
    caps = {
        resource.RLIMIT_CPU: limits["processor_seconds"],
        resource.RLIMIT_FSIZE: limits["file_bytes"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_NPROC: limits["threads"],
        resource.RLIMIT_CORE: 0,
    }
    if limits["bound_addresses"]:
        caps[resource.RLIMIT_AS] = limits["memory_bytes"]
    for kind, cap in caps.items():
        _, hard = resource.getrlimit(kind)
        # At the harder limit of processor time the system kills without a word; before it says why.
        harder = cap + 1 if kind == resource.RLIMIT_CPU else cap
        soft, hard = (cap, harder) if hard == resource.RLIM_INFINITY else (min(cap, hard), min(harder, hard))
        resource.setrlimit(kind, (soft, hard))


def end_with_parent() -> None:
    """Where the system can: when the worker that started us is killed, so are we."""
    if sys.platform == "linux":
        parent = os.getppid()
        set_process(PR_SET_PDEATHSIG, signal.SIGKILL)
        set_process(PR_SET_NO_NEW_PRIVS, 1)
        if os.getppid() != parent:
            os._exit(1)


def set_process(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def become_first_of_namespace() -> int:
    """Returns in the first process of the new namespace, with the descriptor on which it tells how the work ended; the
    outer one waits for that and ends likewise."""
    read, write = os.pipe()
    first = os.fork()
    if first:
        os.close(write)
        end_likewise(first, read)
    os.close(read)
    set_process(PR_SET_PDEATHSIG, signal.SIGKILL)
    return write


def become_worker(write: int) -> None:
    """Returns in the process that works; the first one collects orphans until that ends, and tells how it ended."""
    worker = os.fork()
    if not worker:
        os.close(write)
        return
    while True:
        pid, status = os.wait()
        if pid == worker:
            os.write(write, struct.pack("i", status))
            os._exit(0)


def end_likewise(first: int, read: int) -> NoReturn:
    """Ends as the work ended: with its exit status, or by its signal."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for descriptor in (0, 1, 2):
        os.close(descriptor)  # The end of the work must be the end of its output.
    told = os.read(read, 4)
    _, status = os.waitpid(first, 0)
    if len(told) == 4:
        (status,) = struct.unpack("i", told)
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        os._exit(code)
    if -code != signal.SIGKILL:
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    os._exit(1)


if __name__ == "__main__":
    main()
