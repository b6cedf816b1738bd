"""``heddle tune`` with a log: it goes on with its own, whole lines behind whole lines, and refuses that of another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heddle.tuning.session.log import read_log
from heddle_server import cli
from heddle_server.command_line import tune
from heddle_server.engine.children.outcome import Outcome
from tests.backend.fake_search import final, generation, header_line

DOCUMENT = {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr", "shape": [6, 5]}}}


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(DOCUMENT))
    return path


class Slices:
    """Stands in for the processes of slices: each adds a generation, and the second is the last."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.jobs: list[dict[str, Any]] = []
        self.broken: dict[str, Any] = {}
        monkeypatch.setattr(tune, "execute_in_slot", self.answer)

    def answer(self, order: Any, *_: object) -> Outcome:
        job = json.loads(json.dumps(order.job))
        self.jobs.append(job)
        known = job["log"]
        made = sum(line["event"] == "generation" for line in known)
        lines = [*([] if known else [header_line(job)]), generation(made), *([final()] if made else [])]
        return Outcome("done", {"finished": bool(made), "number": len(known), "lines": lines, **self.broken})


@pytest.fixture
def slices(monkeypatch: pytest.MonkeyPatch) -> Slices:
    return Slices(monkeypatch)


def test_the_log_grows_by_what_each_slice_added(plan: Path, slices: Slices, tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert cli.main(["tune", str(plan), "--log", str(log), "--seed", "3", "--forget"]) == 0
    assert [line["event"] for line in read_log(log.read_text())] == ["header", "generation", "generation", "final"]
    assert len(slices.jobs) == 2


def test_a_search_goes_on_with_its_log_where_it_was_broken_off(plan: Path, slices: Slices, tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert cli.main(["tune", str(plan), "--log", str(log), "--seed", "3", "--budget", "60", "--forget"]) == 0
    whole = log.read_text().splitlines(keepends=True)
    log.write_text("".join(whole[:2]) + whole[2][:9])
    assert cli.main(["tune", str(plan), "--log", str(log), "--forget"]) == 0
    assert slices.jobs[-1]["settings"]["seed"] == 3
    assert slices.jobs[-1]["settings"]["budget"]["seconds"] == 60.0
    assert log.read_text().splitlines(keepends=True) == whole


def test_a_log_of_another_plan_or_of_other_options_is_refused(
    plan: Path, slices: Slices, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    assert cli.main(["tune", str(plan), "--log", str(log), "--seed", "3", "--forget"]) == 0
    before, asked = log.read_text(), len(slices.jobs)
    assert cli.main(["tune", str(plan), "--log", str(log), "--seed", "4"]) == 1
    assert "The search of this log has seed 3, and seed 4 was asked for." in capsys.readouterr().err
    plan.write_text(json.dumps({**DOCUMENT, "expression": "z(i) = A(i,j) * x(j)"}))
    assert cli.main(["tune", str(plan), "--log", str(log)]) == 1
    assert "This log belongs to a search with another plan, y(i) = A(i,j) * x(j)" in capsys.readouterr().err
    assert (log.read_text(), len(slices.jobs)) == (before, asked)


def test_what_a_slice_tells_is_in_the_log_at_once(
    plan: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"

    def interrupted(order: Any, lock: object, cancel: object, report: Any, sight: object) -> Outcome:
        job = json.loads(json.dumps(order.job))
        report({"event": "lines", "number": 0, "lines": [header_line(job)]})
        report({"event": "lines", "number": 1, "lines": [generation(0)]})
        raise KeyboardInterrupt

    monkeypatch.setattr(tune, "execute_in_slot", interrupted)
    assert cli.main(["tune", str(plan), "--log", str(log), "--forget"]) == 130
    assert [line["event"] for line in read_log(log.read_text())] == ["header", "generation"]
    assert "the same command goes on from there" in capsys.readouterr().err
    assert cli.main(["tune", str(plan), "--forget"]) == 130
    assert "nothing is kept; with --log FILE" in capsys.readouterr().err


def test_a_log_that_cannot_be_written_is_told_before_the_search(
    plan: Path, slices: Slices, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["tune", str(plan), "--log", str(tmp_path / "no" / "log")]) == 1
    assert "log cannot be written: No such file or directory" in capsys.readouterr().err
    assert slices.jobs == []


def test_what_is_no_log_is_neither_kept_nor_shown(
    plan: Path, slices: Slices, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    slices.broken = {"lines": [{"event": "header"}]}
    assert cli.main(["tune", str(plan), "--log", str(log)]) == 1
    assert "A slice wrote no log" in capsys.readouterr().err
    assert log.read_text() == ""
