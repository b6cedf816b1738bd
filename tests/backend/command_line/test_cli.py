"""``heddle run``: the same child without the service; progress on stderr, the result on stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heddle_server import cli
from heddle_server.duration import duration
from tests.backend.fake_child import RESULT
from tests.backend.serving import PATIENCE_SECONDS, ROOT, plan
from tests.backend.shell import run

pytestmark = pytest.mark.takes_turns(4)


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Of this process and of those that a test starts."""
    for name, value in (
        ("HEDDLE_RUN_CHILD_MODULE", "tests.backend.fake_child"),
        ("HEDDLE_TIMING_LOCK", str(tmp_path / "timing.lock")),
        ("HEDDLE_DATA_DIRECTORY", str(tmp_path / "data")),
        ("HEDDLE_RUN_SECONDS", "3"),
    ):
        monkeypatch.setenv(name, value)
    return dict(os.environ)


def run_apart(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "heddle_server.cli", "run", "-"],
        cwd=ROOT, env=environment, input=json.dumps(plan()), capture_output=True, text=True, timeout=PATIENCE_SECONDS,
        check=False,
    )  # fmt: skip


def test_the_result_is_a_table_and_progress_goes_to_stderr(environment: dict[str, str]) -> None:
    ended = run_apart(environment)
    assert ended.returncode == 0
    assert ended.stderr == " 50% half\n"
    lines = ended.stdout.splitlines()
    assert lines[0].split() == ["median", "95", "%", "interval", "time", "/", "Heddle's", "GB/s", "of", "STREAM"]
    assert lines[2].startswith(
        "SciPy   200 ns  90 ns to 110 ns  2.00 × (1.90 to 2.10): SciPy takes 2.0 times as long as Heddle"
    )
    assert "verified against scipy: largest error 0, tolerance 1e-12" in lines


@pytest.mark.usefixtures("environment")
def test_the_whole_result_as_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ended = run(plan(), capsys, monkeypatch, "--json")
    result = json.loads(ended.stdout)
    assert result["entries"] == RESULT["entries"]
    assert result["sandbox"]["limits"]["seconds"] == 3


def test_a_plan_in_a_file(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(plan()))
    ended = subprocess.run(
        [sys.executable, "-m", "heddle_server", "run", str(tmp_path / "plan.json")],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    assert ended.returncode == 0


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize(
    ("document", "code", "text"),
    [
        ("{", 1, "heddle: standard input is not JSON: "),
        ({"expression": 3}, 1, "expression"),
        ({**plan(), "version": 99}, 1, "99"),
        (plan(inputs={"A": {"dataset": "nope"}}), 1, "dataset 'nope', which is not here. Built in are bcsstk13"),
        (plan(inputs={"A": {"upload": "sha256:" + "0" * 64}}), 1, "which is not here"),
        (plan("refused"), 1, "heddle: standard input: Refused: The shape of A does not fit."),
        (plan("segfault"), 1, "heddle: standard input: The run crashed (SIGSEGV)"),
        (plan("hang"), 1, "heddle: standard input: Time is up: The run did not end within 3 s"),
        (
            " " * (1 << 20) + "  {}",
            1,
            "standard input has more than 1,048,576 characters, the most that a plan may have",
        ),
    ],
)
def test_what_goes_wrong_is_said_on_stderr(
    document: Any, code: int, text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = run(document, capsys, monkeypatch)
    assert ended.returncode == code, ended.stderr
    assert text in ended.stderr
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "nope.json")
    for command in (
        ["run"], ["import"], ["replay"], ["tune"], ["tune", "--replay"], ["tuned", "show"], ["tuned", "import"],
        ["grade"],
    ):  # fmt: skip
        assert cli.main([*command, missing]) == 1
        assert capsys.readouterr().err == f"heddle: {missing} does not exist\n"


def test_a_missing_file_is_named_before_what_reads_it_is_imported(tmp_path: Path) -> None:
    script = "import sys; from heddle_server.cli import main; status = main(sys.argv[1:]); "
    script += "sys.exit(9 if 'heddle_server.settings' in sys.modules else status)"
    command = [sys.executable, "-c", script, "run", str(tmp_path / "nope.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"heddle: {tmp_path / 'nope.json'} does not exist\n")


def test_a_folder_and_a_file_of_bytes_are_no_plans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.json").write_bytes(b"{\xff}")
    for command in ("run", "import", "replay"):
        assert cli.main([command, str(tmp_path)]) == 1
        assert capsys.readouterr().err == f"heddle: {tmp_path} is a folder, expected a file\n"
        assert cli.main([command, str(tmp_path / "plan.json")]) == 1
        assert capsys.readouterr().err == (f"heddle: {tmp_path}/plan.json is not text in UTF-8: byte 1 is 0xff\n")


def test_a_result_on_a_terminal_without_its_letters(environment: dict[str, str]) -> None:
    """What was measured is printed: µ becomes an escape."""
    ascii_only = {**environment, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ascii_only.pop("PYTHONIOENCODING", None)
    ended = run_apart(ascii_only)
    assert (ended.returncode, ended.stderr) == (0, " 50% half\n")
    assert "SciPy   200 ns  90 ns to 110 ns  2.00 \\u00d7 (1.90 to 2.10)" in ended.stdout


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_a_port_that_cannot_be(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", "--port", port])
    assert ended.value.code == 2
    assert "--port" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [(12, "12 ns"), (1234, "1.23 µs"), (45_600_000, "45.6 ms"), (3.2e9, "3.2 s"), (2e12, "2000 s")],
)
def test_durations(nanoseconds: float, text: str) -> None:
    assert duration(nanoseconds) == text
