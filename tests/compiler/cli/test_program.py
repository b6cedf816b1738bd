"""The program ``heddle`` with and without the explorer beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import heddle as hd
from heddle.cli import program
from heddle.version import VERSION
from heddle_server.cli import parser
from tools.__main__ import COMMANDS

ROOT = Path(__file__).resolve().parents[3]
COMPILER_ALONE = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
PRINTED = r"""
import json, sys
from heddle.cli.streams import escape_what_has_no_letter
escape_what_has_no_letter()
print(json.dumps("1 µs … \U0001d11e", ensure_ascii=False))
print("…", file=sys.stderr)
"""


def heddle(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The program where the compiler is and the explorer is not."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "heddle", *arguments],
        capture_output=True,
        text=True,
        env=COMPILER_ALONE,
        check=False,
    )


def test_the_version_is_said_once() -> None:
    assert hd.__version__ == VERSION
    assert heddle("--version").stdout == f"heddle {VERSION}\n"


def test_a_command_of_the_explorer_names_what_to_install() -> None:
    done = heddle("serve", "--port", "0")
    assert done.returncode == 2
    assert done.stderr == (
        'heddle: serve is a command of the explorer, which is not installed: pip install "heddle-sparse[server]"\n'
    )
    assert 'need the explorer (pip install "heddle-sparse[server]"):\n  heddle serve ' in heddle().stdout


def test_a_command_of_the_repository_says_where_it_works(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["test"]) == 2
    assert "test is for working on Heddle itself: run ./heddle test in a clone of its repository." in (
        capsys.readouterr().err
    )


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["servee"]) == 2
    assert capsys.readouterr().err == (
        "heddle: there is no command 'servee'. Did you mean serve? heddle help lists them all.\n"
    )


def test_the_commands_are_those_of_the_service_and_of_the_repository(capsys: pytest.CaptureFixture[str]) -> None:
    """What ./heddle can do, an installation can, or says where it works."""
    service = next(action for action in parser()._actions if action.dest == "command")
    assert set(program.SERVICE_COMMANDS) == set(service.choices or ())
    assert set(COMMANDS) - {*program.COMPILER_COMMANDS} <= {*program.SERVICE_COMMANDS, *program.REPOSITORY_COMMANDS}
    assert program.main(["help"]) == 0
    listed = capsys.readouterr().out
    assert all(f"  heddle {name} " in listed for name in ("compile", *program.SERVICE_COMMANDS))


def test_compile_prints_and_the_service_parses(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["compile", "--expression", "y(i)=A(i,j)*x(j)", "-f", "A:csr", "--emit", "c"]) == 0
    assert "int32_t kernel(" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="0"):
        program.main(["lesson", "check", "--help"])
    assert "students whose data are tried" in capsys.readouterr().out


def test_a_reader_that_has_seen_enough_ends_it_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-S", "-m", "heddle", "help"], stdout=write, stderr=subprocess.PIPE, env=COMPILER_ALONE
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


def test_an_output_without_a_letter_for_it_gets_its_escape_which_json_reads() -> None:
    environment = {**COMPILER_ALONE, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-c", PRINTED]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert json.loads(done.stdout) == "1 µs … \U0001d11e"
    assert done.stderr == "\\u2026\n"


def test_any_other_broken_pipe_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended every command without a word, a server that was starting as well."""

    def broken(words: list[str]) -> int:
        raise BrokenPipeError("a worker's")

    monkeypatch.setattr(program, "_start", broken)
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)
    with pytest.raises(BrokenPipeError, match="a worker's"):
        program.main(["serve"])
