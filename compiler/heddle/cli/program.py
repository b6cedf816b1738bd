"""The program ``heddle``: the commands of the compiler and, where the explorer is installed, of the service."""

from __future__ import annotations

import errno
import os
import select
import shutil
import sys
import textwrap
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from heddle.cli.status import MEANINGS, Status
from heddle.cli.streams import escape_what_has_no_letter
from heddle.diagnostics import nearest
from heddle.runtime.extras import Extra
from heddle.version import VERSION

SERVICE = "heddle_server"

COMPILER_COMMANDS = {
    "compile": "compile a plan or an expression and print its code, graphs or JSON",
    "link": "leave a plan on an explorer and print its address: link plan.json --server URL",
    "completion": "print what lets a shell complete commands: completion bash",
}

SERVICE_COMMANDS = {
    "serve": "start the explorer on http://127.0.0.1:8000",
    "run": "compile, verify and time a plan beside the baselines",
    "replay": "measure a shared link or plan here, beside its stored result",
    "bench": "time a plan on data of your own, with records: bench --plan plan.json --input A=my.mtx",
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

NARROW = 60
"""Columns below which a command's text goes on at the left."""

REPOSITORY_COMMANDS = ("test", "bench", "study", "fuzz", "prove", "docs", "package", "setup")
"""What works on Heddle itself, with files that no installation has."""


def main(arguments: Sequence[str] | None = None) -> int:
    """One of :class:`heddle.cli.status.Status`."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not _has_output(words):
        print("heddle: the standard output is closed: nothing would see what is printed", file=sys.stderr)
        return Status.REFUSED
    escape_what_has_no_letter()
    try:
        code = _start(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        if not _reader_has_gone():
            raise
        _forget_output()
        return Status.REFUSED
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF):
            raise
        _forget_output()
        print(f"heddle: the output cannot be written: {error.strerror}", file=sys.stderr)
        return Status.REFUSED
    except SystemExit as ending:  # of --help and of wrong options, whose text may meet a full disk, too
        code = ending.code if isinstance(ending.code, int) else Status.USAGE
        try:
            sys.stdout.flush()
        except OSError:
            _forget_output()
            code = code or Status.REFUSED
        raise SystemExit(code) from None
    except Exception as error:
        if _is_interruption(error):
            return _interrupted()
        raise
    return code


def _interrupted() -> int:
    print("heddle: interrupted", file=sys.stderr)
    return Status.INTERRUPTED


def _forget_output() -> None:
    """What is still to be written goes nowhere: Python would try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _has_output(words: list[str]) -> bool:
    """Whether somebody gets what is printed; a server may run without."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is not None:
        return True
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    return words[:1] in (["serve"], ["scheduler"], ["worker"]) or bool({"-o", "--output"} & {*words})


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
        if len(words) == 1 or not words:
            print(usage())
            return Status.DONE
        name, words = words[1], [words[1], "--help"]
    if name in ("--version", "version"):
        print(f"heddle {VERSION}")
        return Status.DONE
    if name == "compile":
        from heddle.cli.main import main as compile_main

        return compile_main(words)
    if name == "link":
        from heddle.cli.failures import end_command
        from heddle.cli.link import link_parser, print_link
        from heddle.cli.output import printed_into

        options = link_parser().parse_args(words[1:])

        def command() -> int:
            with printed_into(options.output):
                return print_link(options)

        return end_command(command, options.plan)
    if name == "completion":
        return _completion(words[1:])
    if name in SERVICE_COMMANDS and (name != "bench" or {"--plan", "--help", "-h"} & {*words}):
        return _service(name, words)
    print(f"heddle: {_unknown(name)}", file=sys.stderr)
    return Status.USAGE


def _completion(words: list[str]) -> int:
    from heddle.cli.completion import SHELLS, completion_script
    from heddle.cli.link import link_parser
    from heddle.cli.main import compile_parser
    from heddle.cli.parsing import CommandParser, add_common, words_of_options

    parser = CommandParser(prog="heddle completion", description="Print what lets a shell complete commands.")
    parser.add_argument("shell", choices=SHELLS, help="e.g. source <(heddle completion bash)")
    add_common(parser)
    options = parser.parse_args(words)
    parsers = {"compile": compile_parser(), "link": link_parser(), "completion": parser}
    if find_spec(SERVICE) is not None:
        parsers |= import_module(f"{SERVICE}.cli").command_parsers()
    text = completion_script(options.shell, {name: words_of_options(each) for name, each in parsers.items()})
    from heddle.cli.failures import end_command
    from heddle.cli.output import printed_into

    def command() -> int:
        with printed_into(options.output):
            print(text, end="")
        return Status.DONE

    return end_command(command)


def usage() -> str:
    """The commands, and what those need that do not work here."""
    here = "" if find_spec(SERVICE) is not None else f"need the explorer ({Extra.SERVER.in_shell}):"
    statuses = ", ".join(f"{status.value} {meaning}" for status, meaning in MEANINGS.items())
    return "\n".join(
        (
            *wrap("Heddle, a compiler and explorer for sparse tensor algebra. heddle COMMAND --help says more."),
            "",
            *(line for name, summary in COMPILER_COMMANDS.items() for line in _row(name, summary)),
            *([here] if here else []),
            *(line for name, summary in SERVICE_COMMANDS.items() for line in _row(name, summary)),
            "",
            *wrap(f"Exit statuses: {statuses}."),
        )
    )


def _row(name: str, summary: str) -> list[str]:
    """A command with what it does, as wide as the terminal."""
    narrow = shutil.get_terminal_size().columns < NARROW
    return wrap(f"  heddle {name:<13} {summary}", " " * (4 if narrow else 23))


def wrap(text: str, indent: str = "") -> list[str]:
    """Lines that fit the terminal, or the columns that COLUMNS names."""
    width = max(30, shutil.get_terminal_size().columns)
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _service(name: str, words: list[str]) -> int:
    if find_spec(SERVICE) is None:
        sentence = f"{name} is a command of the explorer, which is not installed: {Extra.SERVER.in_shell}"
        print(f"heddle: {sentence}", file=sys.stderr)
        return Status.USAGE
    code: int = import_module(f"{SERVICE}.cli").main(words)
    return code


def _unknown(name: str) -> str:
    if name in REPOSITORY_COMMANDS:
        return (
            f"{name} is for working on Heddle itself: run ./heddle {name} in a clone of its repository. "
            "heddle help lists the commands of this installation."
        )
    alike = nearest(name, [*COMPILER_COMMANDS, *SERVICE_COMMANDS], 1)
    return f"there is no command {name!r}. {f'Did you mean {alike[0]}? ' if alike else ''}heddle help lists them all."
