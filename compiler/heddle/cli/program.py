"""The program ``heddle``: the commands of the compiler and, where the explorer is installed, of the service."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from heddle.cli.streams import escape_what_has_no_letter
from heddle.diagnostics import nearest
from heddle.runtime.extras import Extra
from heddle.version import VERSION

SERVICE = "heddle_server"

SERVICE_COMMANDS = {
    "serve": "start the explorer on http://127.0.0.1:8000",
    "run": "compile, verify and time a plan beside the baselines",
    "replay": "measure a shared link or plan here, beside its stored result",
    "tune": "search for a faster schedule of a plan: tune plan.json --budget 120 --seed 7",
    "tuned": "schedules that searches found: list, show, export, import, forget",
    "import": "print the plan in a TACO command line or C++ program",
    "lesson": "check lessons; lesson facts lists what checks may ask",
    "grade": "check the receipts of a class again, without a server",
    "static": "write the explorer as a folder of files that needs no server: static OUT",
    "scheduler": "start the scheduler that a server and workers on other machines connect to",
    "worker": "let a server time runs on this machine: worker tls://HOST:8786",
    "certificates": "make the certificates for these: certificates FOLDER NAME …",
    "backup": "keep a server's database and uploads in one file",
    "restore": "unpack such a file into an empty data directory",
    "openapi": "write the description of the service's API",
}

INTERRUPTED = 130
"""The exit code after Ctrl+C, which shells give as well."""

REPOSITORY_COMMANDS = ("test", "bench", "study", "fuzz", "prove", "docs", "package", "setup")
"""What works on Heddle itself, with files that no installation has."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 done, 1 the input is at fault, 2 wrong usage."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    escape_what_has_no_letter()
    try:
        code = _start(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        if not _reader_has_gone():
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if _is_interruption(error):
            return INTERRUPTED
        raise
    return code


def _reader_has_gone() -> bool:
    """Whether whoever reads what is printed has seen enough, as in ``heddle compile … | head``. Any other pipe that is
    broken is a fault to be told."""
    if not hasattr(select, "poll"):  # Windows
        return True
    output = select.poll()
    output.register(sys.stdout.fileno(), 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in output.poll(0))


def _is_interruption(error: BaseException | None) -> bool:
    """Whether Ctrl+C is behind it: an import that it breaks off may end in another error."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def _start(words: list[str]) -> int:
    name = words[0] if words else "help"
    if name in ("help", "--help", "-h"):
        print(usage())
        return 0
    if name == "--version":
        print(f"heddle {VERSION}")
        return 0
    if name == "compile":
        from heddle.cli.main import main as compile_main

        return compile_main(words)
    if name in SERVICE_COMMANDS:
        return _service(name, words)
    print(f"heddle: {_unknown(name)}", file=sys.stderr)
    return 2


def usage() -> str:
    """The commands, and what those need that do not work here."""
    here = "" if find_spec(SERVICE) is not None else f"\nneed the explorer ({Extra.SERVER.in_shell}):"
    return "\n".join(
        (
            "Heddle, a compiler and explorer for sparse tensor algebra. heddle COMMAND --help says more.\n",
            f"  heddle {'compile':<13} compile a plan or an expression and print its code, graphs or JSON{here}",
            *(f"  heddle {name:<13} {summary}" for name, summary in SERVICE_COMMANDS.items()),
        )
    )


def _service(name: str, words: list[str]) -> int:
    if find_spec(SERVICE) is None:
        sentence = f"{name} is a command of the explorer, which is not installed: {Extra.SERVER.in_shell}"
        print(f"heddle: {sentence}", file=sys.stderr)
        return 2
    code: int = import_module(f"{SERVICE}.cli").main(words)
    return code


def _unknown(name: str) -> str:
    if name in REPOSITORY_COMMANDS:
        return (
            f"{name} is for working on Heddle itself: run ./heddle {name} in a clone of its repository. "
            "heddle help lists the commands of this installation."
        )
    alike = nearest(name, ["compile", *SERVICE_COMMANDS], 1)
    return f"there is no command {name!r}. {f'Did you mean {alike[0]}? ' if alike else ''}heddle help lists them all."
