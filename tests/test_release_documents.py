"""What goes out with a release names that release."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from heddle.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
WITHOUT_UNIX = """
import os, sys
sys.modules |= dict.fromkeys(("fcntl", "grp", "pwd", "resource", "termios"))
del os.sched_getaffinity, os.fork
import numpy as np
import heddle as hd
for options in ({}, {"schedule": "auto"}):
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, target="interpreter", options=options)
    print(kernel(A=np.eye(3), x=np.arange(3.0)).to_numpy())
print(len(hd.legal(kernel)) > 5)
"""


def test_the_changelog_begins_with_the_version_that_is_made() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert re.fullmatch(rf"\[Unreleased\]: {VERSION}|\[{VERSION}\] - \d{{4}}-\d\d-\d\d", headings[0])
    kinds = re.findall(r"^### (.*)$", text, re.MULTILINE)
    assert kinds
    assert set(kinds) <= KINDS


def test_the_citation_is_of_this_version() -> None:
    """The fields that the schema of CFF 1.2.0 asks for, and ours."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "authors", "title"} <= citation.keys()
    assert (citation["cff-version"], citation["version"], citation["license"]) == ("1.2.0", VERSION, "MIT")
    assert all(author["name"] for author in citation["authors"])


def test_extras_are_described_where_people_install() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    rows = re.findall(r"^\| (`[^|]*`) \|", (ROOT / "docs/reference/installing.md").read_text(), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([a-z0-9]+)`", row)} == set(extras)


def test_the_interpreter_needs_nothing_of_unix() -> None:
    """As docs/reference/installing.md says of Windows."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_UNIX], capture_output=True, text=True, check=True)
    assert done.stdout == "[0. 1. 2.]\n[0. 1. 2.]\nTrue\n"
