"""Renews requirements/runtime.txt, test.txt, docs.txt and devices.txt: ``.venv/bin/python -m tools.pins``.

To add or update a package: edit pyproject.toml or backend/pyproject.toml, ``.venv/bin/pip install`` what changed, run
this, commit the result. The files pin what these name and all that they need in turn, in the versions that .venv holds,
and the digests that the package index has for them. Whoever installs them gets these very files, or an error.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import Distribution, distribution

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tools.package_index import digests
from tools.paths import REQUIREMENTS, ROOT
from tools.python_environment import PIN

OLDEST_PYTHON = "3.11.0"
"""What every pinned version has to accept: Debian 12 has 3.11.2."""
X86 = ' ; platform_machine == "x86_64"'
HEADS = {
    "runtime": "# What the service and the compiler need. Made by `python -m tools.pins`.",
    "test": "# What `./heddle test` needs beyond runtime.txt. Made by `python -m tools.pins`.",
    "docs": "# What `./heddle docs` needs beyond runtime.txt. Made by `python -m tools.pins`.",
    "devices": "# OpenCL on a CPU, and CUDA to PTX, beyond runtime.txt. Made by `python -m tools.pins`.",
}
BY_HAND = ("c-compiler", "node", "package")
"""Files whose versions are chosen in the file itself; their digests are renewed with the others."""


def closure(roots: list[Requirement]) -> dict[str, str]:
    """Pins of the roots and of what they need here, by canonical name."""
    pins: dict[str, str] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    pending = list(roots)
    while pending:
        wanted = pending.pop()
        key = (canonicalize_name(wanted.name), frozenset(wanted.extras))
        if key in seen:
            continue
        seen.add(key)
        found = distribution(wanted.name)
        if not accepts_oldest_python(found):
            sys.exit(
                f"{wanted.name} {found.version} wants Python {found.metadata['Requires-Python']}, and ./heddle runs on "
                f"{OLDEST_PYTHON}: ask for an older version in pyproject.toml, and pip install it here."
            )
        pins[key[0]] = f"{found.metadata['Name']}=={found.version}"
        for text in found.requires or []:
            need = Requirement(text)
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *wanted.extras)):
                pending.append(need)
    return pins


def accepts_oldest_python(package: Distribution) -> bool:
    """Whether a package that is installed here can be installed where Python is the oldest that ./heddle accepts."""
    asked = package.metadata.get_all("Requires-Python") or [""]
    return SpecifierSet(asked[0]).contains(OLDEST_PYTHON)


def declared() -> dict[str, list[str]]:
    """What the two projects ask for, by the file that pins it: ``runtime`` is all that the explorer can use."""
    compiler, service = (
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8")) for folder in (".", "backend")
    )
    extras, groups = compiler["project"]["optional-dependencies"], compiler["dependency-groups"]
    theirs = [text for text in service["project"]["dependencies"] if Requirement(text).name != "heddle-sparse"]
    return {
        "runtime": [*compiler["project"]["dependencies"], *extras["run"], *extras["mkl"], *theirs],
        "test": groups["test"],
        "docs": groups["docs"],
        "devices": [*extras["opencl"], *groups["nvrtc"]],
    }


def renewed() -> dict[str, str]:
    """The new text of each requirements file, by its name."""
    texts = declared()
    runtime = _lines(texts["runtime"], {})
    files = {"runtime": runtime} | {name: _lines(texts[name], runtime) for name in ("test", "docs", "devices")}
    return {name: "\n".join((HEADS[name], *lines.values(), "")) for name, lines in files.items()}


def _lines(texts: list[str], known: Mapping[str, str]) -> dict[str, str]:
    """The pins of these requirements by name, without those that are ``known`` already."""
    needs = [Requirement(text) for text in texts]
    everywhere = closure([need for need in needs if "platform_machine" not in str(need.marker)])
    pins = sorted(closure(needs).items())
    return {name: pin if name in everywhere else pin + X86 for name, pin in pins if name not in known}


def with_digests(text: str) -> str:
    """The same requirements, each with the digests of its files: those in the text are asked for anew."""
    lines = []
    for line in text.splitlines():
        if line.startswith("    --hash="):
            continue
        pin = line.removesuffix(" \\")
        lines.append(pin)
        if (found := PIN.fullmatch(pin)) is not None:
            lines += (f"    --hash={digest}" for digest in digests(found["name"], found["version"]))
    return (
        "\n".join(
            f"{line} \\" if following.startswith("    --hash=") else line
            for line, following in zip(lines, [*lines[1:], ""], strict=True)
        )
        + "\n"
    )


if __name__ == "__main__":
    by_hand = {name: (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8") for name in BY_HAND}
    for file, content in (renewed() | by_hand).items():
        (REQUIREMENTS / f"{file}.txt").write_text(with_digests(content), encoding="utf-8")
