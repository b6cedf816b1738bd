"""A C compiler for the kernels: the machine's own where it works, else the ziglang wheel."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from tools.lock import setup_lock
from tools.paths import PYTHON, STATE
from tools.progress import run, say
from tools.python_environment import ensure_packages

STAMP = STATE / "c-compiler"
PROGRAM = "#include <stdint.h>\n#include <math.h>\nint32_t main(void) { return 0; }\n"


def ensure_c_compiler() -> None:
    """Makes sure that the compiler's own search (compiler/heddle/runtime/native/toolchain.py) will find one that
    works."""
    for command in (shlex.split(os.environ.get("CC", "")), ["gcc"], ["clang"]):
        program = shutil.which(command[0]) if command else None
        if program and _works([program, *command[1:]]):
            return
    if _remembered() != "ziglang":
        _set_up_zig()
    ensure_packages("c-compiler")


def _set_up_zig() -> None:
    with setup_lock("c-compiler"):
        if _remembered() == "ziglang":  # another part of the suite was quicker
            return
        say("found no gcc or clang that can build a program; using the ziglang package")
        ensure_packages("c-compiler")
        run(
            "First use of zig, which builds its C library (about 20 s)",
            [PYTHON, "-c", "from heddle.runtime.native.toolchain import discover; print(discover().describe())"],
            advice="Install gcc and the C headers (Debian: apt-get install gcc libc6-dev), then run the same command.",
        )
        STAMP.write_text("ziglang", encoding="utf-8")


def _works(command: list[str]) -> bool:
    """Whether this compiler builds a program with the standard headers (Debian's gcc can come without them)."""
    identity = f"{shlex.join(command)} {Path(command[0]).stat().st_mtime_ns}"
    if _remembered() == identity:
        return True
    with tempfile.TemporaryDirectory(prefix="heddle-cc-") as folder:
        Path(folder, "probe.c").write_text(PROGRAM, encoding="utf-8")
        argv = [*command, "probe.c", "-o", "probe"]
        built = subprocess.run(argv, cwd=folder, capture_output=True, check=False, timeout=60).returncode == 0
    if built:
        STATE.mkdir(parents=True, exist_ok=True)
        STAMP.write_text(identity, encoding="utf-8")
    return built


def _remembered() -> str | None:
    return STAMP.read_text(encoding="utf-8") if STAMP.exists() else None
