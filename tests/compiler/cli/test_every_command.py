"""What every command has: one table of statuses, one prefix, -o, --quiet, --version, near names, and widths."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heddle.cli import program
from heddle.cli.completion import SHELLS
from heddle.cli.output import printed_into
from heddle.cli.source import SourceError
from heddle.version import VERSION
from heddle_server.cli import command_parsers
from tests.search_path import ROOT

SERVERS = {"serve", "scheduler", "worker", "openapi"}
GRAPH = ["compile", "-e", "y(i) = x(i)", "--emit", "graph"]


def ended(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        status = program.main(list(words))
    except SystemExit as ending:
        status = ending.code if isinstance(ending.code, int) else -1
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.parametrize("command", sorted({*command_parsers(), "compile", "link", "completion"} - {"openapi"}))
def test_help_is_asked_for_in_two_ways(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, text, _ = ended(capsys, command, "--help")
    assert status == 0
    assert ended(capsys, "help", command) == (0, text, "")
    actions = command in ("lesson", "tuned")
    if command not in SERVERS and not actions:
        assert all(option in text for option in ("--output FILE", "--quiet", "--version"))


@pytest.mark.parametrize(
    ("words", "status", "part"),
    [
        (["frob"], 2, "heddle: there is no command 'frob'"),
        (["help", "compil"], 2, "Did you mean compile?"),
        (["compile", "--emt", "c"], 2, "heddle: compile: there is no option or argument --emt; did you mean --emit?"),
        (
            ["run", "plan.json", "--threads", "0"],
            2,
            "there is no option or argument --threads; heddle run --help says more",
        ),
        (["tuned", "lst"], 2, "did you mean list?"),
        (["lesson", "check", "--sedes", "3"], 2, "heddle: lesson check: there is no option"),
        (["run"], 2, "heddle: run: the following arguments are required: plan; heddle run --help says more"),
        (["run", "/no/plan"], 1, "heddle: /no/plan does not exist"),
        (["link", "/no/plan"], 1, "heddle: /no/plan does not exist"),
        (["bench", "--plan", "/no/plan"], 1, "heddle: /no/plan does not exist"),
        (["lesson", "check", "/no/lesson"], 1, "heddle: /no/lesson does not exist"),
        (["lesson", "check", "--seeds", "x"], 2, "expected the data of 1 to 1000 students, found x"),
        (["serve", "--port", "x"], 2, "a port is between 0 and 65535, found x"),
        (["tune"], 2, "heddle: tune: name a plan to tune"),
        (["completion", "tcsh"], 2, "expected one of bash, zsh, fish, found tcsh"),
    ],
)
def test_mistakes_have_a_prefix_and_a_status(
    words: list[str], status: int, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ended(capsys, *words)
    assert (code, out) == (status, "")
    assert err.startswith("heddle: ")
    assert part in err


def test_the_version_and_the_statuses_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--version"], ["version"], ["compile", "--version"], ["run", "--version"]):
        assert ended(capsys, *words) == (0, f"heddle {VERSION}\n", "")
    assert "Exit statuses: 0 done, 1 refused" in " ".join(ended(capsys, "help")[1].split())


@pytest.mark.parametrize("columns", [40, 80])
def test_help_is_as_wide_as_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    longest = max(map(len, ended(capsys, "help")[1].splitlines()))
    assert longest <= columns


def test_what_is_printed_goes_into_a_file_that_is_there_once_it_is_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "graph"
    status, out, _ = ended(capsys, *GRAPH, "-o", str(file))
    assert (status, out) == (0, "")
    assert file.read_text(encoding="utf-8") == ended(capsys, *GRAPH)[1]
    assert ended(capsys, "compile", "-e", "y(i) =", "-o", str(file))[0] == 1
    assert "∀i" in file.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(("name", "part"), [("no/graph", "cannot be written: No such file"), (".", "is a folder")])
def test_an_output_that_cannot_be_is_told_before_the_work(
    name: str, part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = ended(capsys, "run", "/no/plan", "-o", str(tmp_path / name))
    assert status == 1
    assert part in err


def test_a_device_stays_what_it_is_and_a_link_leads_where_it_led(tmp_path: Path) -> None:
    """``-o /dev/null`` writes into it: a file of that name would be the end of it."""
    nowhere, link, file = tmp_path / "nowhere", tmp_path / "link", tmp_path / "graph"
    nowhere.symlink_to(os.devnull)
    file.write_text("old")
    link.symlink_to(file)
    for output in (nowhere, link):
        assert program.main([*GRAPH, "-o", str(output)]) == 0
        assert output.is_symlink()
    assert "∀i" in file.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph", "link", "nowhere"]


def test_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No space left"), printed_into(str(tmp_path / "out")):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
@pytest.mark.parametrize("words", [["help"], GRAPH, ["compile", "--help"]])
def test_a_full_output_is_told(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "heddle", *words],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="shells of Windows close no streams")
def test_a_closed_output_is_told() -> None:
    line = f'"{sys.executable}" -m heddle compile -e "y(i) = x(i)" >&-'
    done = subprocess.run(["/bin/sh", "-c", line], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "the standard output is closed" in done.stderr


def test_an_interruption_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(words: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "_start", interrupted)
    assert ended(capsys, "compile") == (130, "", "heddle: interrupted\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, text, _ = ended(capsys, "completion", shell)
    assert status == 0
    for command in (*command_parsers(), "compile", "link"):
        assert command in text
    assert "emit" in text
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=text, text=True, check=True)


def test_bash_completes_a_command_and_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    text = ended(capsys, "completion", "bash")[1]
    ask = 'COMP_WORDS=({words}) COMP_CWORD={place}; _heddle; printf "%s\\n" "${{COMPREPLY[@]}}"'
    cases = (("heddle comp", 1, "compile"), ("heddle run --in", 2, "--input"), ("heddle tuned l", 2, "list"))
    for words, place, found in cases:
        script = text + ask.format(words=words, place=place)
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd="/")
        assert found in done.stdout.split()


def test_facts_and_lists_are_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEDDLE_DATA_DIRECTORY", str(tmp_path))
    for words in (["lesson", "facts", "--json"], ["compile", "-e", "y(i) = x(i)", "--json"]):
        status, out, _ = ended(capsys, *words)
        assert status == 0
        value: Any = json.loads(out)
        assert value


def test_a_link_of_a_folder_holds_the_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"expression": "y(i) = x(i)"}')
    status, out, _ = ended(capsys, "link", str(plan), "--folder", "https://example.org/heddle")
    assert status == 0
    assert out.startswith("https://example.org/heddle/#j1.")
    status, out, _ = ended(
        capsys, "link", str(plan), "--folder", "https://example.org/heddle", "--embed", "code", "--json"
    )
    assert "panes=code" in json.loads(out)["html"]
    assert ended(capsys, "link", str(plan), "--folder", "https://example.org", "--embed", "cod")[0] == 1
