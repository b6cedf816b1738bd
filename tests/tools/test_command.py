"""Commands of ./heddle start as modules do, and end in one line where they are interrupted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.search_path import ROOT, search_path


def run_module(folder: Path, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "weave.py").write_text(text)
    command = [sys.executable, "-P", "-m", "tools.command", "weave", *words]
    environment = {"PYTHONPATH": f"{search_path()}:{folder}"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_module_runs_as_the_program_and_gets_its_words(tmp_path: Path) -> None:
    text = "import sys\nprint(__name__, __spec__.name, sys.modules['__main__'].__name__, *sys.argv[1:])\nsys.exit(2)\n"
    done = run_module(tmp_path, text, "a", "--help")
    assert (done.returncode, done.stdout, done.stderr) == (2, "__main__ weave __main__ a --help\n", "")


def test_an_interruption_is_told_in_one_line(tmp_path: Path) -> None:
    done = run_module(tmp_path, "raise KeyboardInterrupt\n")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "heddle: interrupted\n")


def test_a_site_has_a_folder_before_it_is_built(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    command = [sys.executable, "-m", "docs.site.build", str(tmp_path / "file")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"heddle: {tmp_path / 'file'} cannot be the folder of the site: File exists\n"
