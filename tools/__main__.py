"""./heddle COMMAND …: sets up what the command needs, then becomes the command."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from io import TextIOWrapper

from tools.browser import ensure_headless_browser
from tools.c_compiler import ensure_c_compiler
from tools.distributions import ensure_builder, package
from tools.documents import ensure_site
from tools.frontend import ensure_build, ensure_modules
from tools.paths import PYTHON, ROOT
from tools.progress import SetupError, say
from tools.python_environment import ensure_packages, search_path
from tools.run_suite import run_suite

_GOES_ON = 99
"""The status that says that options are right; no command has it."""


@dataclass(frozen=True, slots=True)
class Command:
    summary: str
    start: Callable[[list[str]], int]


def serve(arguments: list[str]) -> int:
    ensure_packages("runtime", "devices")
    if arguments:
        refused = _check_options("heddle_server.cli", "serve", *arguments)
        if refused is not None:
            return refused
    ensure_c_compiler()
    ensure_build()
    ensure_site()
    return _become("heddle_server.cli", "serve", *arguments)


def test(arguments: list[str]) -> int:
    if arguments[:1] == ["mutations"]:
        ensure_packages("runtime", "test", "devices")
        ensure_c_compiler()
        return _become("tests.mutations", *arguments[1:])
    return run_suite(arguments)


def compile_plan(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle.cli", "compile", *arguments)


def run_plan(arguments: list[str]) -> int:
    ensure_packages("runtime", "devices")
    ensure_c_compiler()
    return _become("heddle_server.cli", "run", *arguments)


def replay(arguments: list[str]) -> int:
    ensure_packages("runtime", "devices")
    ensure_c_compiler()
    return _become("heddle_server.cli", "replay", *arguments)


def tune(arguments: list[str]) -> int:
    ensure_packages("runtime", "devices")
    ensure_c_compiler()
    return _become("heddle_server.cli", "tune", *arguments)


def tuned(arguments: list[str]) -> int:
    ensure_packages("runtime")
    ensure_c_compiler()
    return _become("heddle_server.cli", "tuned", *arguments)


def import_text(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle_server.cli", "import", *arguments)


def lesson(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle_server.cli", "lesson", *arguments)


def static(arguments: list[str]) -> int:
    """A folder with the page that needs no server."""
    ensure_packages("runtime")
    ensure_build()
    ensure_modules()
    return _become("heddle_server.cli", "static", *arguments)


def docs(arguments: list[str]) -> int:
    """The documents as a site."""
    ensure_packages("runtime", "docs")
    return _become("docs.site.build", *arguments)


def grade(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle_server.cli", "grade", *arguments)


def scheduler(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle_server.cli", "scheduler", *arguments)


def worker(arguments: list[str]) -> int:
    ensure_packages("runtime", "devices")
    ensure_c_compiler()
    return _become("heddle_server.cli", "worker", *arguments)


def certificates(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle_server.cli", "certificates", *arguments)


def backup(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle_server.cli", "backup", *arguments)


def restore(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle_server.cli", "restore", *arguments)


def link(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle.cli", "link", *arguments)


def completion(arguments: list[str]) -> int:
    ensure_packages("runtime")
    return _become("heddle.cli", "completion", *arguments)


def bench(arguments: list[str]) -> int:
    """Kernels of Heddle, or with ``--plan`` a plan of somebody."""
    ensure_packages("runtime")
    ensure_c_compiler()
    if any(argument.partition("=")[0] == "--plan" for argument in arguments):
        return _become("heddle_server.cli", "bench", *arguments)
    return _become("benchmarks", *arguments)


def study(arguments: list[str]) -> int:
    ensure_packages("runtime", *(["devices"] if "opencl" in arguments else []))
    ensure_c_compiler()
    return _become("benchmarks.studies", *arguments)


def fuzz(arguments: list[str]) -> int:
    ensure_packages("runtime", "test")
    ensure_c_compiler()
    return _become("tests.fuzz", *arguments)


def prove(arguments: list[str]) -> int:
    if arguments[:1] == ["gpu"]:
        if "--bare" in arguments:
            sys.stdout.flush()
            os.execv(sys.executable, [sys.executable, "-P", "-m", "proofs.gpu", *arguments[1:]])
        ensure_packages("runtime", "test")
        return _become("proofs.gpu", *arguments[1:])
    ensure_packages("runtime", "test")
    ensure_c_compiler()
    ensure_build()
    return _become("proofs", *arguments)


def package_all(arguments: list[str]) -> int:
    """Both distributions, into dist/."""
    if arguments:
        raise SetupError(f"package takes no arguments, found: {' '.join(arguments)}")
    for archive in package(ROOT / "dist"):
        say(f"dist/{archive.name}: {archive.stat().st_size / 1e6:.2f} MB")
    return 0


def setup(arguments: list[str]) -> int:
    """Everything that serve and test need, so that both work without a network afterwards."""
    if arguments:
        raise SetupError(f"setup takes no arguments, found: {' '.join(arguments)}")
    ensure_packages("runtime", "test", "docs", "devices")
    ensure_c_compiler()
    ensure_modules()
    ensure_build()
    ensure_site()
    ensure_builder()
    ensure_headless_browser()
    say("everything is set up")
    return 0


COMMANDS = {
    "serve": Command("start the explorer on http://127.0.0.1:8000 (serve --help for options)", serve),
    "test": Command(
        "check and test everything (full), in a minute (fast), or: lint, python, frontend, contract, package, e2e …",
        test,
    ),
    "compile": Command("compile a plan or an expression and print its code, graphs or JSON", compile_plan),
    "run": Command("compile, verify and time a plan beside the baselines", run_plan),
    "replay": Command("measure a shared link or plan here, beside its stored result", replay),
    "tune": Command("search for a faster schedule of a plan: tune plan.json --budget 120 --seed 7", tune),
    "tuned": Command("schedules that searches found: list, show, export, import, forget", tuned),
    "import": Command(
        "print the plan in a TACO command line or C++ program: import FILE, or - to paste it", import_text
    ),
    "lesson": Command("check the lessons, or one: lesson check FILE; lesson facts lists what checks may ask", lesson),
    "grade": Command("check the receipts of a class again, without a server: grade receipts.csv", grade),
    "static": Command("write the explorer as a folder of files that needs no server: static OUT", static),
    "docs": Command("build the documents as a site, which serve shows under /docs: docs [OUT]", docs),
    "scheduler": Command("start the scheduler that a server and workers on other machines connect to", scheduler),
    "worker": Command("let a server time runs on this machine: worker tls://HOST:8786", worker),
    "certificates": Command("make the certificates for these: certificates FOLDER NAME …", certificates),
    "backup": Command("keep a server's database and uploads in one file", backup),
    "restore": Command("unpack such a file into an empty data directory", restore),
    "bench": Command("measure kernels beside MKL, SciPy and others (bench --help), or bench --plan plan.json", bench),
    "link": Command("leave a plan on an explorer and print its address: link plan.json --server URL", link),
    "completion": Command("print what lets a shell complete commands: completion bash, zsh or fish", completion),
    "study": Command("repeat a study of the scheduling paper, X1 to X4: study X1 --target opencl", study),
    "fuzz": Command("draw random schedules for some minutes and check each (fuzz --help for options)", fuzz),
    "prove": Command("prove what the service promises: crashes, class, soak, quiet, verdicts, gpu", prove),
    "package": Command(
        "build the wheels of the compiler and of the explorer, and their sources, into dist/", package_all
    ),
    "setup": Command("only set up what serve and test need", setup),
}


def usage() -> str:
    width = max(30, shutil.get_terminal_size().columns)
    rows = (
        textwrap.fill(f"  ./heddle {name:<12} {command.summary}", width, subsequent_indent=" " * 24)
        for name, command in COMMANDS.items()
    )
    return "Heddle, a scheduling explorer for sparse tensor algebra.\n\n" + "\n".join(rows)


def version() -> str:
    """The version in the sources of the compiler, which nothing here imports."""
    text = (ROOT / "compiler" / "heddle" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'^VERSION\b[^"]*"([^"]+)"', text, re.MULTILINE)
    return found[1] if found is not None else "unknown"


def main(arguments: list[str]) -> int:
    """The exit code: 0 done, 1 the input is at fault, 2 wrong usage, 130 after Ctrl+C."""
    name, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if name in ("help", "--help", "-h") and not rest:
        return _print(usage())
    if name in ("--version", "version"):
        return _print(f"heddle {version()}")
    if name == "help":
        name, rest = rest[0], ["--help"]
    command = COMMANDS.get(name)
    if command is None:
        alike = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.75)
        rest_of_answer = f" Did you mean {alike[0]}? ./heddle help lists them all." if alike else f"\n\n{usage()}"
        print(f"heddle: there is no command {name!r}.{rest_of_answer}", file=sys.stderr)
        return 2
    if command.start in (package_all, setup) and rest in (["--help"], ["-h"]):
        return _print(f"./heddle {name}: {command.summary}. It takes no arguments.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # Being ended stops pip, npm and apt as Ctrl+C does.
    try:
        return command.start(rest)
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("interrupted; run the same command again to continue from here")
        return 130


def _print(text: str) -> int:
    """Prints, also to a reader who has seen enough, as in ``./heddle help | head -1``, and to a terminal that lacks
    letters."""
    if sys.stdout is None:
        print("heddle: the standard output is closed: nothing would see what is printed", file=sys.stderr)
        return 1
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(text, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"heddle: {error.strerror}", file=sys.stderr)
            return 1
    return 0


def _check_options(module: str, *arguments: str) -> int | None:
    """The status with which the command ends at its options, which costs a second and not the building of the page:
    wrong usage, or 0 where it was asked for help. None where it would start."""
    environment = os.environ | {"PYTHONPATH": search_path(os.environ.get("PYTHONPATH", ""))}
    script = f"import sys; from {module} import parser; parser().parse_args(sys.argv[1:]); sys.exit({_GOES_ON})"
    status = subprocess.run([PYTHON, "-P", "-c", script, *arguments], env=environment, check=False).returncode
    return None if status == _GOES_ON else status


def _become(*module_and_arguments: str) -> int:
    """Replaces this process, in the caller's folder: the command gets the terminal, the signals and the exit code."""
    os.environ["PYTHONPATH"] = search_path(os.environ.get("PYTHONPATH", ""))
    os.environ.setdefault("HEDDLE_DATA_DIRECTORY", str(ROOT / ".heddle"))
    if sys.stdout is not None:  # closed: the command says so
        sys.stdout.flush()
    os.execv(PYTHON, [str(PYTHON), "-P", "-m", "tools.command", *module_and_arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
