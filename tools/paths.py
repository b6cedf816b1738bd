"""Where things are. Everything that set-up makes lies under these and is ignored by git."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMPORT_FOLDERS = (ROOT, ROOT / "compiler", ROOT / "backend")
"""Where Python finds this package, the compiler's and the service's."""
REQUIREMENTS = ROOT / "requirements"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
DOCS = ROOT / "docs"
SITE = ROOT / "build" / "docs"
"""The documents as a site."""
COMPILER = ROOT / "compiler" / "heddle"
FRONTEND = ROOT / "frontend"
NODE_MODULES = FRONTEND / "node_modules"
DIST = FRONTEND / "dist"
STATE = ROOT / ".heddle" / "setup"
LOGS = STATE / "logs"
REPORTS = STATE / "reports"


def site_packages() -> Path:
    """The package folder of .venv's Python, by what pyvenv.cfg says (it may not exist yet)."""
    configuration = VENV / "pyvenv.cfg"
    if configuration.exists():
        for line in configuration.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition("=")
            if key.strip() == "version":
                major, minor = value.strip().split(".")[:2]
                return VENV / "lib" / f"python{major}.{minor}" / "site-packages"
    return VENV / "lib" / "site-packages"
