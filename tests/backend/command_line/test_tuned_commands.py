"""``heddle tuned``: what is known, from the shell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn

import pytest

from heddle.plan import to_document
from heddle.tuning.known.store import Store
from heddle_server import cli
from tests.compiler.tuning.known.test_store import OTHER, SPMV, keep


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    own = Store(tmp_path / "tuned")
    monkeypatch.setattr("heddle_server.command_line.tuned_commands.store_here", lambda: own)
    return own


def test_the_list_names_programs_cases_and_times(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tuned", "list"]) == 0
    assert "Nothing yet" in capsys.readouterr().out
    keep(store, SPMV, 100.0)
    assert cli.main(["tuned", "list"]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.endswith("o0(v0) = p0(v0,v1) * p1(v1)")
    assert "this machine: o0 dense 40 float64, p0 csr 40×30 float64" in second
    assert third.strip().startswith("= 100 ns (99 ns to 101 ns), 2026-01-02, genetic: split(v0, n0, n1, 8)")


@pytest.mark.parametrize("command", [["tuned", "list"], ["tune", "--replay", "log"], ["run", "plan"]])
def test_a_reader_that_has_gone_is_no_fault_of_the_input(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in ``heddle tuned list | head``: the program ends without a word."""
    for name in ("log", "plan"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)

    def refuse(*_: object) -> NoReturn:
        raise BrokenPipeError

    for place in ("tuned_commands.store_here", "tune.read_text", "run_plan.read_document"):
        monkeypatch.setattr(f"heddle_server.command_line.{place}", refuse)
    with pytest.raises(BrokenPipeError):
        cli.main(command)
    assert capsys.readouterr().err == ""


def test_a_plan_is_shown_what_is_known_in_its_own_names(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(to_document(OTHER)))
    assert cli.main(["tuned", "show", str(path)]) == 1
    assert "No schedule is known for it here." in capsys.readouterr().out
    keep(store, SPMV, 100.0)
    assert cli.main(["tuned", "show", str(path)]) == 0
    text = capsys.readouterr().out
    assert "M is p0" in text
    assert "100 ns (this very case, as fast as any other of its search, 2026-01-02)" in text
    assert "  split(p, p0, p1, 8)" in text
    assert cli.main(["tuned", "show", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["offers"][0]["nearness"] == "this very case"


def test_what_is_exported_can_be_imported_and_forgotten(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(store, SPMV, 100.0)
    (known,) = store.all()
    assert cli.main(["tuned", "export", known.program[:6]]) == 0
    path = tmp_path / "exported.json"
    path.write_text(capsys.readouterr().out)
    assert cli.main(["tuned", "forget", known.program[:6]]) == 0
    assert "1 entry forgotten" in capsys.readouterr().out
    assert cli.main(["tuned", "import", str(path)]) == 0
    assert "1 taken, 0 kept out" in capsys.readouterr().out
    assert list(store.all()) == [known]


def test_an_unknown_program_is_said_to_be_unknown(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tuned", "forget", "abc"]) == 1
    assert "no program begins with abc; ./heddle tuned list names those that are known" in capsys.readouterr().err
