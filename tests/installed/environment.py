"""A fresh Python environment beside the checkout, which knows nothing of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

SECONDS = 600
needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("gcc", "clang"))), reason="the C compiler of this checkout is a Python package"
)
"""Of the machine: another environment does not have what is installed in the checkout's."""


class Environment:
    """``home`` is where its user's files go, and where its programs run."""

    def __init__(self, folder: Path, wheels: Path) -> None:
        self.folder, self._wheels = folder, wheels
        self.home = folder / "home"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        self.home.mkdir(mode=0o755)
        self.python = folder / "bin" / "python"
        self.heddle = folder / "bin" / "heddle"

    def adopt(self, *names: str) -> None:
        """Packages as the checkout's own environment has them: where the suite runs there may be no index."""
        for name in names:
            for file in distribution(name).files or ():
                source, target = Path(str(file.locate())), self.packages / file
                if ".." not in file.parts and source.is_file():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(source, target)

    def install(self, *requirements: str, index: bool = True) -> None:
        """By the pip of the checkout, whose cache of packages all environments share. Without an ``index`` what these
        ask for must be there already."""
        command = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "--no-input", "--quiet"]
        command += ["--no-compile", "--disable-pip-version-check", "--find-links", str(self._wheels), *requirements]
        command += [] if index else ["--no-index"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
        assert done.returncode == 0, done.stderr

    @property
    def packages(self) -> Path:
        (folder,) = self.folder.glob("lib/python3*/site-packages")
        return folder

    @property
    def variables(self) -> dict[str, str]:
        """Without what a shell of the checkout says of Heddle and of Python."""
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        return {"PATH": path, "HOME": str(self.home), "OMP_WAIT_POLICY": "passive"}

    def run(self, *command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(word) for word in command],
            cwd=self.home,
            env={**self.variables, **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )

    def evaluate(self, program: str, **variables: str) -> str:
        """What a Python program prints; its error fails the test."""
        done = self.run(self.python, "-c", program, **variables)
        assert done.returncode == 0, done.stderr
        return done.stdout
