"""Processes that one of gcc's sanitizers is loaded into, and libraries that it watches."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compiler.codegen.native import build, has_gcc

ROOT = Path(__file__).parents[3]
ADDRESS = ("-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
# Functions of one text are its own even where libgomp, which is linked as well, has some of the same names.
THREADS = ("-std=gnu11", "-g1", "-fsanitize=thread", "-Wl,-Bsymbolic")
_OPENMP = Path(__file__).with_name("openmp_on_pthreads.c")

needs_gcc = pytest.mark.skipif(not has_gcc(), reason="the sanitizers' run-time libraries come with gcc")


def watched(text: str, sanitizer: str, *flags: str) -> Path:
    """The library of ``text``, compiled for ``address`` (with undefined behaviour) or ``thread``."""
    if sanitizer == "address":
        return build(text, *ADDRESS, *flags)
    return build(f"{text}\n{_OPENMP.read_text(encoding='utf-8')}", *THREADS, *flags)


def under(sanitizer: str, module: str, *arguments: str, threads: int = 2) -> subprocess.CompletedProcess[str]:
    """Runs a module of the tests in a process that ``address`` or ``thread`` watches; what it finds ends the process
    with a status. Skips the test where ThreadSanitizer cannot run."""
    prefix = _prefix() if sanitizer == "thread" else ()
    if prefix is None:
        pytest.skip("ThreadSanitizer cannot run here: no libtsan, or a kernel whose address layout it does not know")
    return _run((*prefix, sys.executable, "-m", module, *arguments), sanitizer, threads)


def _run(command: tuple[str, ...], sanitizer: str, threads: int) -> subprocess.CompletedProcess[str]:
    library = {"address": "libasan.so", "thread": "libtsan.so"}[sanitizer]
    path = subprocess.run(["gcc", f"-print-file-name={library}"], capture_output=True, text=True, check=True).stdout
    environment = {
        **os.environ,
        "LD_PRELOAD": path.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "TSAN_OPTIONS": "exitcode=66:halt_on_error=1",
        "OMP_NUM_THREADS": str(threads),
        "OPENBLAS_NUM_THREADS": "1",
    }
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)


@functools.cache
def _prefix() -> tuple[str, ...] | None:
    """What has to stand before a command for ThreadSanitizer to run it; None where it does not run at all."""
    setarch = shutil.which("setarch")
    for prefix in ((), (setarch, "-R")) if setarch else ((),):
        command = (*filter(None, prefix), sys.executable, "-c", "import ctypes; ctypes.CDLL(None).__tsan_init")
        if _run(command, "thread", 1).returncode == 0:
            return tuple(filter(None, prefix))
    return None
