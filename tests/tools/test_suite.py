"""How ./heddle test counts, and what ./heddle says to a wrong command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest

from heddle.version import VERSION
from tools import run_suite, suite
from tools.measured_process import GIVES_WAY, FinishedProcess, run_measured
from tools.node import Node
from tools.progress import SetupError
from tools.suite import CORE, PAGE_SEED, SEED, SUITE, Count, Part, _counted

ROOT = Path(__file__).resolve().parents[2]
REPORT = '<testsuites><testsuite tests="7" failures="1" errors="1" skipped="2"/></testsuites>'


def test_numbers_come_from_the_report(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    expected = Count(passed=3, failed=2, skipped=2, processor_seconds=1.5)
    assert _counted(FinishedProcess(1, "", 1.5), tmp_path / "report.xml") == expected


def test_reasons_for_skipping_are_told_before_the_last_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    skips = (
        "there is no OpenCL device",
        "no GPU for CUDA here: CuPy is not installed",
        "there is no OpenCL device",
        "('/tests/test_one.py', 31, \"Skipped: could not import 'pyttb'\")",
        "it said: " + "x" * 200,
    )
    cases = "".join(f"<testcase><skipped message={quoteattr(reason)}/></testcase>" for reason in skips)
    (tmp_path / "report.xml").write_text(
        f'<testsuites><testsuite tests="7" failures="0" errors="0" skipped="6">{cases}'
        "<testcase><skipped/></testcase></testsuite></testsuites>"
    )
    count = _counted(FinishedProcess(0, "", 1.5), tmp_path / "report.xml")
    part = Part("first", ("lint",), lambda _: count)
    monkeypatch.setattr(run_suite, "SUITE", (part, part))
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[lines.index(" skipped, by reason:") + 1 :] == [
        "      4  there is no OpenCL device",
        "      2  could not import 'pyttb'",
        f"      2  it said: {'x' * 100}…",
        "      2  no GPU for CUDA here: CuPy is not installed",
        "      2  no reason was given",
        "",
        "2 passed, 0 failed, 12 skipped",
    ]


def test_a_runner_that_fails_without_a_failing_test_is_a_failure(tmp_path: Path) -> None:
    assert _counted(FinishedProcess(5, "", 0.2), tmp_path / "absent.xml") == Count(failed=1, processor_seconds=0.2)


def test_every_row_says_what_its_part_cost_and_the_last_line_what_all_cost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    costs = (1.25, None, 3.5)
    parts = tuple(
        Part(f"part {cost}", ("lint",), lambda _, cost=cost: Count(passed=1, processor_seconds=cost)) for cost in costs
    )
    monkeypatch.setattr(run_suite, "SUITE", parts)
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite([]) == 0
    rows = capsys.readouterr().out.partition("━━ summary")[2].splitlines()[1:5]
    costs_told = [re.search(r" s(?: in all)?(?:, ([0-9.]+) processor-seconds)?$", row) for row in rows]
    assert [told[1] if told else "nothing" for told in costs_told] == ["1.2", None, "3.5", "4.8"]


def burn(seconds: float) -> str:
    """A program that keeps a processor busy for so long, whatever else the machine does."""
    return f"import time\nwhile time.process_time() < {seconds}: pass\n"


def test_a_process_costs_what_it_and_its_children_spend_and_nothing_of_earlier_ones() -> None:
    parent = f"import subprocess, sys; print('said'); subprocess.run([sys.executable, '-c', {burn(0.4)!r}])"
    done = run_measured([sys.executable, "-c", parent], ROOT, capture=True)
    assert (done.code, done.output) == (0, "said\n")
    assert done.processor_seconds >= 0.4
    idle = run_measured([sys.executable, "-c", "import sys; sys.exit(3)"], ROOT)
    assert (idle.code, idle.output) == (3, "")
    assert idle.processor_seconds < done.processor_seconds


def test_one_failing_part_fails_the_whole_and_the_others_still_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: list[str]) -> Count:
        raise SetupError("no browser here")

    parts = (Part("first", ("lint",), broken), Part("second", ("lint",), lambda _: Count(passed=3, skipped=1)))
    monkeypatch.setattr(run_suite, "SUITE", parts)
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite([]) == 1
    captured = capsys.readouterr()
    assert captured.out.rstrip().splitlines()[-1] == "3 passed, 1 failed, 1 skipped"
    assert "no browser here" in captured.err


def recording(name: str, seen: list[tuple[str, list[str]]], samples: bool = False) -> Part:
    def run(arguments: list[str]) -> Count:
        seen.append((name, arguments))
        return Count(passed=1)

    return Part(name, (name,), run, samples)


def test_parts_that_run_beside_others_are_told_when_they_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick_ended, in_turn_ended = threading.Event(), threading.Event()

    def quick(_: list[str]) -> Count:
        quick_ended.set()
        return Count(failed=1, output="what the quick one said\n")

    def slow(_: list[str]) -> Count:
        assert in_turn_ended.wait(30)
        return Count(passed=1, output="what the slow one said\n")

    def in_turn(_: list[str]) -> Count:
        assert quick_ended.wait(30)
        in_turn_ended.set()
        return Count(passed=1)

    parts = (
        Part("slow", ("lint",), slow, beside=True),
        Part("in turn", ("lint",), in_turn),
        Part("quick", ("lint",), quick, beside=True),
    )
    monkeypatch.setattr(run_suite, "SUITE", parts)
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    monkeypatch.setattr("tools.run_suite.os.cpu_count", lambda: 2)
    assert run_suite.run_suite([]) == 1
    told, _, summary = capsys.readouterr().out.partition("━━ summary")
    assert told.index("━━ in turn") < told.index("━━ slow") < told.index("what the slow one said")
    assert told.index("━━ quick") < told.index("what the quick one said")
    assert re.findall(r"[✓✗] (\w+(?: \w+)?) ", summary) == ["slow", "in turn", "quick"]


@pytest.mark.parametrize("followed", [True, False])
def test_a_part_runs_together_with_the_next_one_where_there_is_one(
    followed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    next_runs, first_ended = threading.Event(), threading.Event()

    def together(_: list[str]) -> Count:
        assert next_runs.wait(30)
        first_ended.set()
        return Count(passed=2, output="what the first one said\n")

    def following(_: list[str]) -> Count:
        next_runs.set()
        assert first_ended.wait(30)
        return Count(passed=1)

    first = Part("first", ("lint",), lambda _: Count(passed=5), with_next=together)
    beside = Part("beside", ("lint",), lambda _: Count(passed=7), beside=True)
    parts = (first, beside, *((Part("next", ("lint",), following),) if followed else ()))
    monkeypatch.setattr(run_suite, "SUITE", parts)
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite([]) == 0
    told, _, summary = capsys.readouterr().out.partition("━━ summary")
    assert re.findall(r"✓ (\w+) +(\d+) passed", summary) == [
        ("first", "2" if followed else "5"), ("beside", "7"), *([("next", "1")] if followed else []),
    ]  # fmt: skip
    assert ("what the first one said" in told) == followed
    if followed:
        assert told.index("━━ next") < told.index("━━ first") < told.index("what the first one said")


def test_with_arguments_each_part_has_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, list[str]]] = []
    together = recording("together", seen).run
    parts = (replace(recording("python", seen), with_next=together), recording("e2e", seen))
    monkeypatch.setattr(run_suite, "SUITE", parts)
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite(["python", "e2e", "-x"]) == 0
    assert seen == [("python", ["-x"]), ("e2e", ["-x"])]


def test_what_runs_with_the_next_part_is_no_less_urgent() -> None:
    program = "import os; print(os.getpriority(os.PRIO_PROCESS, 0))"
    done = run_measured([sys.executable, "-c", program], ROOT, capture=True)
    assert int(done.output) == os.getpriority(os.PRIO_PROCESS, 0)


def test_what_gives_way_does_so_at_once() -> None:
    wanted = min(19, os.getpriority(os.PRIO_PROCESS, 0) + GIVES_WAY)
    program = (
        "import os, sys, time\n"
        "for _ in range(30_000):\n"
        f"    if os.getpriority(os.PRIO_PROCESS, 0) == {wanted}: sys.exit(0)\n"
        "    time.sleep(0.001)\n"
        "sys.exit(1)"
    )
    assert run_measured([sys.executable, "-c", program], ROOT, steps=GIVES_WAY).code == 0


def test_what_needs_node_alone_runs_while_packages_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    page_runs, installed = threading.Event(), threading.Event()

    def install(*_: str) -> None:
        assert page_runs.wait(30)
        installed.set()

    def page(_: list[str]) -> Count:
        assert not installed.is_set()
        page_runs.set()
        return Count(passed=1)

    def python(_: list[str]) -> Count:
        return Count(passed=1) if installed.is_set() else Count(failed=1)

    parts = (Part("python", ("lint",), python, beside=True), Part("page", ("lint",), page, beside=True, node_only=True))
    monkeypatch.setattr(run_suite, "SUITE", parts)
    monkeypatch.setattr(run_suite, "ensure_packages", install)
    monkeypatch.setattr(run_suite, "ensure_node", lambda: None)
    assert run_suite.run_suite([]) == 0


def test_set_up_that_begins_early_gets_the_arguments_and_leaves_its_failure_to_its_part(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, seen = threading.Event(), []

    def early(arguments: list[str]) -> None:
        seen.append(arguments)
        begun.set()
        raise SetupError("no browser here")

    def first(_: list[str]) -> Count:
        return Count(passed=int(begun.wait(30)))

    parts = (Part("first", ("lint",), first), Part("last", ("e2e",), lambda _: Count(passed=1), early=early))
    monkeypatch.setattr(run_suite, "SUITE", parts)
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite(["lint", "e2e", "--headed"]) == 0
    assert seen == [["--headed"]]
    assert "2 passed, 0 failed" in capsys.readouterr().out


def test_arguments_reach_the_chosen_part_only(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(run_suite, "SUITE", (recording("python", seen), recording("e2e", seen)))
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite(["e2e", "-k", "share"]) == 0
    assert seen == [("e2e", ["-k", "share"])]


def test_several_parts_may_be_named_before_the_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(run_suite, "SUITE", tuple(recording(name, seen) for name in ("lint", "python", "e2e")))
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite(["e2e", "lint", "-k", "python"]) == 0
    assert seen == [("lint", ["-k", "python"]), ("e2e", ["-k", "python"])]


@pytest.mark.parametrize(
    ("arguments", "passed_on"),
    [
        ([], ["--combination-seed=a1b2"]),
        (["python"], ["--combination-seed=a1b2"]),
        (["--combination-seed=other"], ["--combination-seed=other"]),
        (["python", "--combination-seed=other"], ["--combination-seed=other"]),
        (["full"], []),
        (["full", "python"], []),
        (["python", "-k", "split"], ["-k", "split"]),
    ],
    ids=" ".join,
)
def test_a_part_with_combinations_runs_a_sample_unless_all_or_some_were_chosen(
    arguments: list[str], passed_on: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(run_suite, "SUITE", (recording("python", seen, samples=True), recording("lint", seen)))
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    monkeypatch.setattr(run_suite, "commit", lambda: "a1b2")
    assert run_suite.run_suite(arguments) == 0
    others = [] if passed_on and passed_on[0].startswith("--combination-seed") else passed_on
    wanted = [("python", passed_on), ("lint", others)]
    assert seen == (wanted[:1] if "python" in arguments else wanted)


def test_what_runs_while_typing_is_named_and_runs_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, list[str]]] = []
    core = replace(recording("core", seen, samples=True), groups=("fast",), named_only=True)
    ruff = replace(recording("ruff", seen), groups=("lint", "fast"))
    monkeypatch.setattr(run_suite, "SUITE", (ruff, recording("python", seen), core))
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite(["fast", "--combination-seed=one"]) == 0
    assert seen == [("ruff", []), ("core", ["--combination-seed=one"])]
    seen.clear()
    assert run_suite.run_suite([]) == 0
    assert [name for name, _ in seen] == ["ruff", "python"]


def test_the_core_is_there() -> None:
    """pytest would complain, but only where ./heddle test fast is run."""
    assert [place for place in CORE if not (ROOT / "tests" / place).exists()] == []


def test_an_unknown_part_is_answered_with_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_suite.run_suite(["everything"]) == 2
    assert "there is no part 'everything'" in (message := capsys.readouterr().err)
    assert all(group in message for part in SUITE for group in part.groups)


def test_an_unknown_command_is_answered_with_the_commands() -> None:
    done = subprocess.run([ROOT / "heddle", "weave"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no command 'weave'" in done.stderr
    assert "./heddle serve" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "answer"),
    [
        (["--version"], 0, f"heddle {VERSION}\n"),
        (["version"], 0, f"heddle {VERSION}\n"),
        (["compil"], 2, "heddle: there is no command 'compil'. Did you mean compile? ./heddle help lists them all.\n"),
        (["help", "setup"], 0, "./heddle setup: only set up what serve and test need. It takes no arguments.\n"),
        (
            ["help", "compil"],
            2,
            "heddle: there is no command 'compil'. Did you mean compile? ./heddle help lists them ",
        ),
    ],
)
def test_the_shell_says_its_version_and_helps_with_each_command(words: list[str], code: int, answer: str) -> None:
    done = subprocess.run([ROOT / "heddle", *words], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert (done.stdout + done.stderr).startswith(answer)


@pytest.mark.parametrize(
    ("command", "environment", "code", "answer"),
    [
        ("help >&-", {}, 1, "heddle: the standard output is closed: nothing would see what is printed\n"),
        ("help > /dev/full", {}, 1, "heddle: No space left on device\n"),
        ("help", {"PYTHONIOENCODING": "ascii"}, 0, "Heddle, a scheduling explorer"),
        ("compile --expression 'y = 2' >&-", {}, 1, "heddle: the standard output is closed"),
    ],
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_the_shell_tells_of_an_output_that_takes_nothing(
    command: str, environment: Mapping[str, str], code: int, answer: str
) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{ROOT / 'heddle'} {command}"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert (done.stdout + done.stderr).startswith(answer)


def test_all_that_pytest_runs_is_sampled() -> None:
    """A part without samples would run every case of the tables that are marked as combinations."""
    pytest_runs = {
        "Python tests",
        "Python tests: the core",
        "service tests",
        "installed wheels",
        "journeys in Chromium",
        "journeys through a folder",
    }
    assert {part.title for part in SUITE if part.samples} == {*pytest_runs, "page: eslint and prettier"}


@pytest.mark.parametrize(("arguments", "drawn"), [([f"{SEED}=a1b2"], "a1b2"), ([], None), (["-k", "split"], None)])
def test_the_linter_of_the_page_gets_the_seed(
    arguments: list[str], drawn: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Mapping[str, str]] = []

    def run(_command: object, _folder: Path, environment: Mapping[str, str], **_: object) -> FinishedProcess:
        seen.append(environment)
        return FinishedProcess(0, "", 0.5)

    monkeypatch.setattr(suite, "ensure_modules", lambda: Node("node", "npm", {}))
    monkeypatch.setattr(suite, "run_measured", run)
    (part,) = (part for part in SUITE if part.title == "page: eslint and prettier")
    assert part.run(arguments) == Count(passed=1, processor_seconds=0.5)
    assert [environment.get(PAGE_SEED) for environment in seen] == [drawn]


def test_a_part_that_runs_beside_others_has_their_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, list[str]]] = []
    parts = (replace(recording("page", seen, samples=True), beside=True), recording("python", seen, samples=True))
    monkeypatch.setattr(run_suite, "SUITE", parts)
    monkeypatch.setattr(run_suite, "ensure_packages", lambda *_: None)
    assert run_suite.run_suite([f"{SEED}=a1b2"]) == 0
    assert seen == [("page", [f"{SEED}=a1b2"]), ("python", [f"{SEED}=a1b2"])]
