"""The parts of ./heddle test: the quick ones that find most come first.

Python tests, service tests and journeys run together: the first keep all cores busy, where the others wait for much of
their time. What keeps one core busy runs beside all of them, in what they leave idle."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tools.browser import ensure_browser, ensure_headless_browser
from tools.c_compiler import ensure_c_compiler
from tools.frontend import ensure_build, ensure_modules
from tools.measured_process import GIVES_SOME_WAY, GIVES_WAY, FinishedProcess, run_measured
from tools.node import ensure_node
from tools.paths import FRONTEND, PYTHON, REPORTS, ROOT, SITE

SEED = "--combination-seed"
"""The option of pytest that draws a sample (tests/sampling/combinations.py)."""

PAGE_SEED = "HEDDLE_COMBINATION_SEED"
"""The variable by which the linter of the page draws one (frontend/eslint.config.js)."""

WITHOUT_SCHEMATHESIS = ("-p", "no:schemathesis")
"""The plugin of a library that one test calls by itself: it takes each process of pytest a second to load."""


LONGEST_REASON = 110
"""Characters of a reason for skipping, of which some quote what a program said."""


@dataclass(frozen=True, slots=True)
class Count:
    """``output`` is what a part that runs beside others had to say: it is shown when its turn comes. ``reasons`` says
    of how many tests why they were skipped. ``processor_seconds`` is what the part's processes cost; None: unknown."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    output: str = ""
    reasons: Mapping[str, int] = field(default_factory=dict)
    processor_seconds: float | None = None

    def __add__(self, other: Count) -> Count:
        reasons = Counter(self.reasons) + Counter(other.reasons)
        numbers = self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        costs = [count.processor_seconds for count in (self, other) if count.processor_seconds is not None]
        return Count(*numbers, reasons=dict(reasons), processor_seconds=sum(costs) if costs else None)


@dataclass(frozen=True, slots=True)
class Part:
    """``groups`` are the words that select it on the command line; ``run`` gets the arguments that were passed on.

    ``samples``: long tables of combinations are run in part, drawn by a seed, unless all are asked for. ``named_only``:
    runs where one of its groups is asked for, since other parts have all that it has. ``beside``:
    runs beside the other parts that say so, since it keeps one core busy. ``with_next``: how it runs together with the
    next parts in turn, where some are asked for; what it prints is then kept. ``node_only``: needs nothing of Python's
    packages, and runs while these are installed. ``early``: what of its own set-up may be done while other parts run,
    with the same arguments; what fails there fails again in ``run``, which then says so.
    """

    title: str
    groups: tuple[str, ...]
    run: Callable[[list[str]], Count]
    samples: bool = False
    named_only: bool = False
    beside: bool = False
    with_next: Callable[[list[str]], Count] | None = None
    node_only: bool = False
    early: Callable[[list[str]], object] | None = None


def _check(*command: str, folder: Path = ROOT) -> Callable[[list[str]], Count]:
    """A command of .venv's Python that passes or fails as a whole."""

    def run(_: list[str]) -> Count:
        return _verdict([PYTHON, "-m", *command], folder)

    return run


def _hadolint(_: list[str]) -> Count:
    return _verdict([PYTHON.with_name("hadolint"), "Dockerfile"], ROOT)


def _npm(*command: str) -> Callable[[list[str]], Count]:
    """A command of the page's own packages that passes or fails as a whole."""

    def run(arguments: list[str]) -> Count:
        node = ensure_modules()
        seeds = [argument.partition("=")[2] for argument in arguments if argument.startswith(f"{SEED}=")]
        drawn = {PAGE_SEED: seeds[-1]} if seeds else {}
        return _verdict([node.npm, *command], FRONTEND, {**os.environ, **node.environment, **drawn})

    return run


def _npm_exec(*command: str) -> FinishedProcess:
    node = ensure_modules()
    return run_measured([node.npm, *command], FRONTEND, {**os.environ, **node.environment})


def _vitest(arguments: list[str]) -> Count:
    report = _fresh_report("vitest.xml")
    options = ["--reporter=default", "--reporter=junit", f"--outputFile.junit={report}"]
    return _counted(_npm_exec("exec", "--offline", "--", "vitest", "run", *options, *arguments), report)


def _pytest(
    folder: str,
    *options: str,
    of: Sequence[str] = (),
    report: str = "",
    capture: bool = False,
    steps: int = 0,
) -> Callable[[list[str]], Count]:
    """The tests of a folder, or ``of`` some places in it. Their ``report`` is called after the folder by default.
    ``capture``: what they print is shown when their turn comes. They give way by so many ``steps``."""

    def run(arguments: list[str]) -> Count:
        ensure_c_compiler()
        # Threads of several test processes share the cores: they must not spin while they wait.
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
        # The tests start hundreds of Python processes, each of which would compile our sources anew.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        sampled = any(argument.startswith(SEED) for argument in arguments)
        if folder == "e2e" or (folder == "tests/installed" and not sampled):
            environment["HEDDLE_CHROMIUM"] = _browser(arguments)
            # Playwright brings a Node.js of its own, which needs a library that a small Debian does not have.
            environment["PLAYWRIGHT_NODEJS_PATH"] = ensure_node().executable
            ensure_build()
        path = _fresh_report(f"{report or folder.replace('/', '-')}.xml")
        places = [f"{folder}/{place}" for place in of] or [folder]
        command = [
            str(PYTHON),
            "-m",
            "pytest",
            *places,
            f"--junitxml={path}",
            *WITHOUT_SCHEMATHESIS,
            *options,
            *arguments,
        ]
        done = run_measured(command, ROOT, environment, capture=capture, steps=steps)
        chosen = any(not argument.startswith(SEED) for argument in arguments)
        nothing_chosen = done.code == 5 and chosen  # by -k, for example
        return _counted(replace(done, code=0) if nothing_chosen else done, path)

    return run


def _c_compiler(_: list[str]) -> None:
    ensure_c_compiler()


def _browser(arguments: list[str]) -> str:
    return ensure_browser() if "--headed" in arguments else ensure_headless_browser()


def _browser_and_page(arguments: list[str]) -> None:
    ensure_build()
    _browser(arguments)


def _build(_: list[str]) -> Count:
    ensure_build()
    return Count(passed=1)


def _documents(_: list[str]) -> Count:
    """Builds the site, into the folder that ``./heddle serve`` shows."""
    return _verdict([PYTHON, "-m", "docs.site.build", SITE], ROOT)


def _verdict(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str] | None = None) -> Count:
    """Of a command that passes or fails as a whole."""
    done = run_measured(command, folder, environment, capture=True, steps=GIVES_WAY)
    passed = int(done.code == 0)
    return Count(passed, 1 - passed, output=done.output, processor_seconds=done.processor_seconds)


def _fresh_report(name: str) -> Path:
    REPORTS.mkdir(parents=True, exist_ok=True)
    report = REPORTS / name
    report.unlink(missing_ok=True)
    return report


def _counted(done: FinishedProcess, report: Path) -> Count:
    """The numbers of a JUnit report. A runner that fails without a failing test (no tests, a crash) is a failure."""
    count = Count(processor_seconds=done.processor_seconds)
    if report.exists():
        for suite in ElementTree.parse(report).getroot().iter("testsuite"):
            total, failures, errors, skipped = (
                int(suite.get(key, "0")) for key in ("tests", "failures", "errors", "skipped")
            )
            failed = failures + errors
            reasons = Counter(_reason(element) for element in suite.iter("skipped"))
            count += Count(total - failed - skipped, failed, skipped, reasons=reasons)
    if done.code != 0 and count.failed == 0:
        count += Count(failed=1)
    return replace(count, output=done.output)


def _reason(skipped: ElementTree.Element) -> str:
    """Why a test was skipped, in a line: pytest's message, which of a whole file is a path, a line and the message."""
    message = skipped.get("message") or "no reason was given"
    of_file = re.fullmatch(r"\('.*', \d+, ['\"](?:Skipped: )?(.*)['\"]\)", message)
    line = " ".join((of_file[1] if of_file else message).split())
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 1]}…"


_CORES = min(os.cpu_count() or 1, 4)


def _processes(count: int, share: str) -> tuple[str, ...]:
    """Options of pytest. ``share``: "loadfile" keeps a file's tests in one process, with what they compile once;
    "worksteal" also those that follow each other, but lets no process wait for another one's last file."""
    return ("-n", str(count), "--dist", share)


PYTHON_TESTS = ("tests", "--ignore=tests/backend", "--ignore=tests/installed", *_processes(_CORES, "loadfile"))
"""What is in tests/ and in no other part."""


FAST = "fast"
"""The group of what runs while one types."""

CORE = (
    *(f"compiler/{folder}" for folder in ("decomposition", "formats", "frontends", "iteration_graph", "symbolic")),
    *(f"compiler/{folder}" for folder in ("loop_ir", "lowering", "notation", "plan")),
    *("cases", "errors", "golden", "test_layering.py"),
    *("differential/expressions/test_expressions.py", "differential/formats/test_formats.py"),
    "differential/results/test_sparse_results.py",
)
"""Of tests/: each stage of the compiler alone, most of it in the interpreter, then whole programs and refusals."""

SUITE = (
    Part("ruff check", ("lint", FAST), _check("ruff", "check", "."), beside=True),
    Part("ruff format", ("lint", FAST), _check("ruff", "format", "--check", "."), beside=True),
    Part("mypy --strict", ("lint",), _check("mypy"), beside=True),
    Part("Dockerfile: hadolint", ("lint",), _hadolint, beside=True),
    Part(
        "page: eslint and prettier",
        ("lint", "frontend"),
        _npm("run", "lint", "--silent"),
        samples=True,
        beside=True,
        node_only=True,
    ),
    Part("page: tsc", ("lint", "frontend"), _npm("run", "typecheck", "--silent"), beside=True, node_only=True),
    Part("page: unit tests", ("frontend", FAST), _vitest),
    Part(
        "Python tests: the core",
        (FAST,),
        _pytest("tests", *_processes(_CORES, "worksteal"), of=CORE, report="core"),
        samples=True,
        named_only=True,
        early=_c_compiler,
    ),
    Part(
        "Python tests",
        ("python",),
        _pytest(*PYTHON_TESTS),
        samples=True,
        with_next=_pytest(*PYTHON_TESTS, capture=True, steps=GIVES_SOME_WAY),
        early=_c_compiler,
    ),
    # Apart from the Python tests: they start servers, and wait for them and for the ends of time limits. Alone in one
    # process more than there are cores.
    Part(
        "service tests",
        ("python",),
        _pytest("tests/backend", *_processes(_CORES + 1, "worksteal")),
        samples=True,
        with_next=_pytest("tests/backend", *_processes(_CORES, "worksteal"), capture=True, steps=GIVES_SOME_WAY),
    ),
    Part("OpenAPI document", ("contract",), _check("heddle_server.openapi", "--check"), beside=True),
    Part(
        "page: generated API client",
        ("contract",),
        _npm("run", "generate:check", "--silent"),
        beside=True,
        node_only=True,
    ),
    Part("page: build", ("build",), _build, beside=True, node_only=True),
    Part("documents: build", ("build", "docs"), _documents, beside=True),
    # Builds the wheels, and installs them where nothing knows of this checkout; full installs every extra.
    Part(
        "installed wheels",
        ("package",),
        _pytest("tests/installed", capture=True, steps=GIVES_WAY),
        samples=True,
        beside=True,
    ),
    # Each process has a server and a browser of its own. They run beside the service tests, or alone, where one more
    # would hardly help: each uses several processors at a time.
    Part(
        "journeys in Chromium",
        ("e2e",),
        _pytest("e2e", *_processes(_CORES + 1, "worksteal"), steps=GIVES_SOME_WAY),
        samples=True,
        early=_browser_and_page,
    ),
    # Through a folder without a server, and offline. Each starts the compiler anew: a sample has two of them beside
    # those of the folder itself.
    Part(
        "journeys through a folder",
        ("folder",),
        _pytest("e2e", "--folder", *_processes(2, "worksteal"), report="folder"),
        samples=True,
        named_only=True,
    ),
)
