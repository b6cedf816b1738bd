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

COMPILE = PACKAGE / "static" / "compile.mjs"
RECORD = PACKAGE / "static" / "record.mjs"


class BuildError(Exception):
    """The folder cannot be written; the text is for a person."""


def compile_modules(archives: Mapping[str, Files], pyodide: Path) -> dict[str, Files]:
    """The archives with bytecode in the place of modules, where Node.js is here to make it; the browser compiles them
    else. Raises BuildError."""
    sources = {f"{archive}/{name}": text for archive, files in archives.items() for name, text in files.items()}
    modules = {name: text for name, text in sources.items() if name.endswith(".py")}
    with tempfile.TemporaryDirectory() as scratch:
        packed, out = Path(scratch) / "sources.tar.gz", Path(scratch) / "compiled"
        packed.write_bytes(pack(modules))
        if not _run_in_node(COMPILE, pyodide, packed, out):
            return dict(archives)
        return {archive: _with_bytecode(files, out / archive) for archive, files in archives.items()}


def compiled_at_start(python: Path, pyodide: Path) -> Files:
    """What is compiled while the modules of the folder ``python`` are imported, by its place in their archive: methods
    that ``dataclasses`` writes, and grammars. Nothing without Node.js. Raises BuildError."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch)
        _run_in_node(RECORD, pyodide, python, out)
        return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def _run_in_node(program: Path, *arguments: Path) -> bool:
    """Whether Node.js is here. Raises BuildError where the program fails."""
    node = shutil.which("node")
    if node is None:
        return False
    command = [node, str(program), *(str(argument) for argument in arguments)]
    # Without a limit of time: a busy machine is slow, not wrong, and whoever waits can interrupt.
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"The modules cannot be compiled for the browser:\n{done.stderr[-2000:]}")
    return True


def _with_bytecode(files: Files, compiled: Path) -> Files:
    rest = {name: content for name, content in files.items() if not name.endswith(".py")}
    modules = {path.relative_to(compiled).as_posix(): path.read_bytes() for path in sorted(compiled.rglob("*.pyc"))}
    return dict(sorted({**rest, **modules}.items()))
