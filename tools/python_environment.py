"""The Python environment in .venv. What is missing is read from the folder itself, so an existing one is adopted."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from pathlib import Path

from tools.lock import setup_lock
from tools.paths import IMPORT_FOLDERS, PYTHON, REQUIREMENTS, ROOT, VENV, site_packages
from tools.progress import SetupError, run

PIN = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;]+)(?:\s*;\s*platform_machine == \"(?P<machine>\w+)\")?")

COMPILE = """
import compileall, re, sys
# Some packages bring files of other versions of Python, which do not compile and which nobody imports either.
compiled = lambda workers: compileall.compile_dir(sys.argv[1], quiet=2, workers=workers, rx=re.compile(sys.argv[2]))
try:
    compiled(workers=0)
except OSError:  # no shared memory, which several processes need
    compiled(workers=1)
"""


def ensure_packages(*names: str) -> None:
    """Installs what ``requirements/<name>.txt`` pin and .venv lacks; contacts nothing when all is there."""
    if _environment_is_usable() and not _missing(names):
        _write_search_path()
        return
    with setup_lock("packages"):
        if not _environment_is_usable():
            _create_environment()
        _write_search_path()
        missing = _missing(names)
        if not missing:
            return
        _forget_cut_off_installations()
        argv: list[str | Path] = [PYTHON, "-m", "pip", "install", "--no-input", "--no-compile"]
        argv += ["--progress-bar", "off", "--require-hashes"]
        for name in names:
            argv += ["--requirement", REQUIREMENTS / f"{name}.txt"]
        run(
            f"Installing {len(missing)} Python package{'s' if len(missing) > 1 else ''} ({', '.join(names)})",
            argv,
            advice="Is the package index reachable? What is installed so far stays; run the same command again. If a "
            "hash does not match, that file is not the one that was pinned, and stays out.",
        )
        if still := _missing(names):
            raise SetupError(f"pip said it was done, but these are not in .venv: {', '.join(still)}")
        _compile_packages()


def _compile_packages() -> None:
    """To bytecode, on all cores: pip would do it on one, with the packages' own tests, which nobody imports."""
    run(
        "Compiling the packages",
        [PYTHON, "-c", COMPILE, site_packages(), f"^{re.escape(str(site_packages()))}/.*/tests?/"],
        advice="Is there room on the disk? Run the same command again.",
    )


def _environment_is_usable() -> bool:
    """False also when the Python behind .venv is gone or is another version now, and when creating it was cut off."""
    if not PYTHON.exists() or "pip" not in _installed():
        return False
    base = re.search(r"python(3\.\d+)$", PYTHON.resolve().name)
    return base is None or f"python{base[1]}" in site_packages().parts


def _create_environment() -> None:
    run(
        "Creating the Python environment .venv",
        [sys.executable, "-m", "venv", VENV],
        advice="On Debian or Ubuntu the venv module is a package of its own: apt-get install python3-venv",
    )


def _write_search_path() -> None:
    """So that `import heddle` works from any folder with .venv's Python, e.g. in a notebook. Each time, for a checkout
    that was set up when the packages lay elsewhere."""
    file, folders = site_packages() / "heddle.pth", "".join(f"{folder}\n" for folder in IMPORT_FOLDERS)
    if not file.is_file() or file.read_text() != folders:
        file.write_text(folders)


def _missing(names: tuple[str, ...]) -> list[str]:
    """The pins that apply to this machine and are not installed, as ``name==version``."""
    installed = _installed()
    pins = [pin for name in names for pin in read_pins(REQUIREMENTS / f"{name}.txt")]
    return [f"{name}=={version}" for name, version in pins if installed.get(_normal(name)) != version]


def read_pins(file: Path) -> list[tuple[str, str]]:
    """The (name, version) pairs of a requirements file that apply to this machine; the hashes of each are pip's."""
    pins = []
    for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        text = re.sub(r"\s+--hash=\S+", "", line.split("#")[0]).strip()
        if not text:
            continue
        pin = PIN.fullmatch(text)
        if pin is None:
            raise SetupError(f"{file.relative_to(ROOT)}: expected 'name==version', found {text!r}")
        if pin["machine"] in (None, platform.machine()):
            pins.append((pin["name"], pin["version"]))
    return pins


def _installed() -> dict[str, str]:
    """Completely installed packages by normalised name: pip writes RECORD last."""
    versions = {}
    for record in site_packages().glob("*.dist-info/RECORD"):
        name, _, version = record.parent.name.removesuffix(".dist-info").rpartition("-")
        versions[_normal(name)] = version
    return versions


def _forget_cut_off_installations() -> None:
    """pip takes a package without RECORD for installed, and cannot remove it either."""
    for folder in site_packages().glob("*.dist-info"):
        if not (folder / "RECORD").exists():
            shutil.rmtree(folder)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def search_path(given: str) -> str:
    """Where a command's Python finds modules: in Heddle, in its own packages, and then in the folders of ``given``, the
    caller's PYTHONPATH, where optional packages may be, such as PyTorch. None of them takes the place of ours."""
    own, packages = [str(folder) for folder in IMPORT_FOLDERS], str(site_packages())
    folders = dict.fromkeys(os.path.abspath(folder) for folder in given.split(os.pathsep) if folder)
    theirs = [folder for folder in folders if folder not in (*own, packages)]
    return os.pathsep.join([*own, packages, *theirs] if theirs else own)
