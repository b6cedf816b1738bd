"""Bytecode in the place of modules: no visitor's browser compiles what never changes.

Half of the seconds until the compiler answers went into compiling Python's own library, NumPy and Heddle."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from heddle_server.places import PACKAGE
from heddle_server.static.archive import Files, pack

PROGRAM = PACKAGE / "static" / "compile.mjs"
COMPILE_SECONDS = 600
"""Ten on a free machine; a busy one is slow, not wrong."""


class BuildError(Exception):
    """The folder cannot be written; the text is for a person."""


def compile_modules(archives: Mapping[str, Files], pyodide: Path) -> dict[str, Files]:
    """The archives with bytecode in the place of modules, where Node.js is here to make it; the browser compiles them
    else. Raises BuildError."""
    node = shutil.which("node")
    if node is None:
        return dict(archives)
    sources = {f"{archive}/{name}": text for archive, files in archives.items() for name, text in files.items()}
    modules = {name: text for name, text in sources.items() if name.endswith(".py")}
    with tempfile.TemporaryDirectory() as scratch:
        packed, out = Path(scratch) / "sources.tar.gz", Path(scratch) / "compiled"
        packed.write_bytes(pack(modules))
        command = [node, str(PROGRAM), str(pyodide), str(packed), str(out)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise BuildError(
                f"Compiling the modules for the browser took longer than {COMPILE_SECONDS} s. Try again when the "
                "machine has less to do."
            ) from None
        if done.returncode != 0:
            raise BuildError(f"The modules cannot be compiled for the browser:\n{done.stderr[-2000:]}")
        return {archive: _with_bytecode(files, out / archive) for archive, files in archives.items()}


def _with_bytecode(files: Files, compiled: Path) -> Files:
    rest = {name: content for name, content in files.items() if not name.endswith(".py")}
    modules = {path.relative_to(compiled).as_posix(): path.read_bytes() for path in sorted(compiled.rglob("*.pyc"))}
    return dict(sorted({**rest, **modules}.items()))
