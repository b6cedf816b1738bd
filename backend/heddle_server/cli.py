"""The service's command line: serve, run, bench, tune, tuned, replay, import, lesson, grade, static, backup, restore,
scheduler, worker, certificates, openapi.

Each command imports what it needs when it is chosen: every process that a server starts imports this file first, as
its ``__main__``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from heddle.cli.failures import end_command
from heddle.cli.output import printed_into, quiet
from heddle.cli.parsing import CommandParser, add_common
from heddle.cli.source import require_existing
from heddle.cli.status import Status
from heddle_server.garbage import nothing_collected
from heddle_server.lifetime.early_end import Start
from heddle_server.openapi import main as write_description
from heddle_server.openapi import openapi_parser
from heddle_server.tuning.options import add_tune, whole
from heddle_server.version import VERSION

COMPILING = ("serve", "run", "tune", "replay", "worker")
"""Commands that compile kernels on this machine, and run them."""


DATA = "the user's data folder, .heddle in a checkout"


def main(arguments: list[str] | None = None) -> int:
    argv = sys.argv[1:] if arguments is None else arguments
    if argv[:1] == ["openapi"]:
        return write_description(argv[1:])
    options = parser().parse_args(argv)
    beginning = Start()
    if options.command == "serve":
        beginning.begin()
    if options.command in COMPILING and not machine_class_is_known():
        return Status.REFUSED

    def command() -> int:
        with quiet(getattr(options, "quiet", False)), printed_into(getattr(options, "output", None)):
            for source in sources_of(options):
                require_existing(source)
            return run_command(options, beginning)

    return end_command(command, source_of(options))


def source_of(options: argparse.Namespace) -> object:
    """The file that a command reads, by which its faults are named."""
    names = ("plan", "source", "file", "receipts", "replay")
    return next((value for name in names if (value := getattr(options, name, None)) is not None), None)


def sources_of(options: argparse.Namespace) -> list[Any]:
    """Every file that a command reads by an argument of its own."""
    source = None if options.command == "backup" else source_of(options)
    return [*([] if source is None else [source]), *getattr(options, "files", [])]


def run_command(options: argparse.Namespace, beginning: Start) -> int:
    """The command that was chosen. Raises what :func:`heddle.cli.failures.end_command` tells."""
    match options.command:
        case "serve":
            with nothing_collected():
                from heddle_server.server import serve

            return serve(options, beginning)
        case "run":
            from heddle_server.command_line.run_plan import run_plan

            return run_plan(options.plan, options.input, as_json=options.json)
        case "bench":
            from heddle_server.command_line.bench_plan import bench_plan

            return bench_plan(options)
        case "replay":
            from heddle_server.command_line.replay import replay

            return replay(options.source, as_json=options.json)
        case "tune":
            from heddle_server.command_line.tune import tune

            return tune(options)
        case "tuned":
            from heddle_server.command_line.tuned_commands import run_tuned

            return run_tuned(options)
        case "import":
            from heddle_server.command_line.import_text import import_text

            return import_text(options.source)
        case "lesson":
            from heddle_server.lessons.commands import check, list_facts

            if options.what == "facts":
                return list_facts(as_json=options.json)
            return check(options.files, options.seeds, as_json=options.json)
        case "static":
            from heddle_server.command_line.write_static import write_static

            return write_static(options.out, options.base_url, options.links, as_json=options.json)
        case "grade":
            from heddle_server.command_line.grade import grade

            return grade(options.receipts, options.lesson, as_json=options.json)
        case "backup" | "restore":
            from heddle_server.settings import Settings
            from heddle_server.store.backup import backup, restore

            chosen = {"data_directory": options.data_directory} if options.data_directory is not None else {}
            action = backup if options.command == "backup" else restore
            return action(Settings(**chosen), options.file, as_json=options.json)
        case "scheduler" | "worker" | "certificates":
            from heddle_server.command_line.cluster_commands import start

            return start(options)
        case other:
            raise AssertionError(other)


def machine_class_is_known() -> bool:
    """Whether kernels can be compiled for what HEDDLE_MARCH names, here; else the reason goes to stderr."""
    from heddle.diagnostics import CompileError
    from heddle.runtime.native.machine_class import require_executable

    try:
        require_executable()
    except CompileError as error:
        (diagnostic,) = error.diagnostics
        print(f"heddle: {diagnostic.message}\n  hint: {diagnostic.hint}", file=sys.stderr)
        return False
    return True


def parser() -> argparse.ArgumentParser:
    top = CommandParser(prog="heddle", description="Heddle, a scheduling explorer for sparse tensor algebra.")
    top.add_argument("--version", action="version", version=f"heddle {VERSION}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="start the service and its page")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    serve.add_argument("--port", type=port, default=8000, help="port to listen on; 0 takes any (default %(default)s)")
    serve.add_argument("--open", action="store_true", help="open the page in a browser")
    serve.add_argument(
        "--data-directory",
        type=Path,
        help=f"where runs, links and uploads are kept (default: {DATA})",
    )
    serve.add_argument("--scheduler", help="address of 'heddle scheduler', e.g. tls://host:8786 (default: embedded)")
    add_protection(serve)
    run = commands.add_parser("run", help="build, verify and time a plan beside the baselines")
    run.add_argument("plan", type=Path, help="the plan's JSON document; - reads it from the standard input")
    add_input(run)
    add_common(run, json="the whole result")
    bench = commands.add_parser("bench", help="time a plan on data of your own, with records")
    bench.add_argument("--plan", type=Path, required=True, help="the plan's JSON document; - for the standard input")
    add_input(bench)
    bench.add_argument(
        "--baselines", metavar="NAMES", help="libraries, separated by commas (default: those of the plan)"
    )
    bench.add_argument("--threads", type=whole(1, 1024), help="of kernels and libraries (default: one for each core)")
    bench.add_argument("--csv", action="store_true", help="print the records as CSV")
    add_common(bench, json="the whole result")
    replay = commands.add_parser("replay", help="measure a shared plan here, beside the measurement stored with it")
    replay.add_argument("source", help="the address of a link, or a file with a link's JSON or a plan")
    add_common(replay, json="both results")
    add_tuning_commands(commands)
    read = commands.add_parser("import", help="print the plan in a TACO command line or a program of its C++ interface")
    read.add_argument("source", help="the file with the text; - reads it from the standard input")
    add_common(read, json="the plan, as it does anyway,")
    lesson = commands.add_parser("lesson", help="check lessons, or list the facts that their checks may ask for")
    add_lesson_commands(lesson.add_subparsers(dest="what", required=True))
    grading = commands.add_parser("grade", help="check the receipts of a class again, without a server")
    grading.add_argument("receipts", type=Path, help="a CSV file with the columns student and receipt")
    grading.add_argument(
        "--lesson",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help="a lesson that the teacher wrote for the class; may be given several times",
    )
    add_common(grading, json="the table")
    folder = commands.add_parser("static", help="write the explorer as a folder of files that needs no server")
    folder.add_argument("out", type=Path, metavar="OUT", help="the folder: new, empty, or written by this command")
    folder.add_argument("--base-url", help="where it will be served, as https://example.org/heddle/")
    folder.add_argument(
        "--links",
        type=Path,
        metavar="FILE",
        help="short links that open in it with their stored results: addresses, one per line, or their JSON",
    )
    for name, summary in (("backup", "keep database and uploads in one file"), ("restore", "unpack such a file")):
        parser = commands.add_parser(name, help=summary)
        parser.add_argument("file", type=Path, help="the .tar.gz file")
        parser.add_argument(
            "--data-directory",
            type=Path,
            help=f"the server's data directory (default: {DATA})",
        )
        add_common(parser, json="what was written")
    add_common(folder, json="what was written")
    add_cluster_commands(commands)
    commands.add_parser("openapi", help="write the API description", add_help=False, parents=[openapi_parser()])
    return top


def add_input(parser: argparse.ArgumentParser) -> None:
    """Operands from files of a person."""
    parser.add_argument(
        "--input", action="append", default=[], metavar="TENSOR=FILE",
        help="read this operand from a .mtx, .tns or .smtx file, also .gz (may be repeated)",
    )  # fmt: skip


def command_parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command."""
    for action in parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise AssertionError("the program has commands")


def add_lesson_commands(commands: Any) -> None:
    """A parser for each: options stand before or behind the files."""
    checking = commands.add_parser("check", help="whether lessons hold what they promise")
    checking.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="lessons, anywhere (default: all of lessons/)"
    )
    checking.add_argument("--seeds", type=seeds, default=20, help="students whose data are tried (default %(default)s)")
    facts = commands.add_parser("facts", help="what checks may ask for")
    add_common(checking, json="what was found")
    add_common(facts, json="the facts")


def seeds(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= 1000:
        raise argparse.ArgumentTypeError(f"expected the data of 1 to 1000 students, found {text}")
    return number


def add_tuning_commands(commands: Any) -> None:
    """What knows and finds schedules."""
    add_tune(commands)
    tuned = commands.add_parser("tuned", help="schedules that searches found: list, show, export, import, forget")
    actions = tuned.add_subparsers(dest="action", required=True)
    listing = actions.add_parser("list", help="everything that is known here")
    showing = actions.add_parser("show", help="what is known of a plan, in its own names")
    showing.add_argument("plan", type=Path, help="the plan's JSON document; - reads it from the standard input")
    for command in (listing, showing):
        add_common(command, json="it")
    exporting = actions.add_parser("export", help="print files of programs, or of all, as JSON")
    exporting.add_argument("programs", nargs="*", metavar="PROGRAM", help="the beginning of a digest of the list")
    importing = actions.add_parser("import", help="join such a file; what does not compile here is kept out")
    importing.add_argument("file", type=Path, help="the file; - reads it from the standard input")
    add_common(exporting, json="them, as it does anyway,")
    add_common(importing)
    forgetting = actions.add_parser("forget", help="remove what is known of a program")
    forgetting.add_argument("program", help="the beginning of its digest")
    forgetting.add_argument("entry", nargs="?", help="the beginning of the digest of one entry")
    add_common(forgetting)


def add_cluster_commands(commands: Any) -> None:
    """What spreads runs over machines."""
    scheduler = commands.add_parser(
        "scheduler", help="start the scheduler that a server and workers on other machines connect to"
    )
    scheduler.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    scheduler.add_argument("--port", type=port, default=8786, help="port to listen on (default %(default)s)")
    worker = commands.add_parser("worker", help="let a server time runs on this machine")
    worker.add_argument("scheduler", help="the scheduler's address, e.g. tls://host:8786")
    worker.add_argument("--name", help="what the machine is called in lists (default: its address)")
    worker.add_argument(
        "--host", help="the address at which the scheduler reaches this machine (default: found automatically)"
    )
    worker.add_argument(
        "--data-directory",
        type=Path,
        help=f"where copies of data are kept (default: {DATA})",
    )
    for joined in (scheduler, worker):
        add_protection(joined)
    certificates = commands.add_parser("certificates", help="make the certificates of a scheduler, server and workers")
    certificates.add_argument("folder", type=Path, help="where they go; the authority's key stays there")
    certificates.add_argument("machines", nargs="+", metavar="NAME", help="one folder is made for each")
    add_common(certificates, json="their folders")


def add_protection(joined: argparse.ArgumentParser) -> None:
    """Of what speaks to other machines."""
    joined.add_argument("--certificates", type=Path, help="this machine's folder from 'heddle certificates', for TLS")
    joined.add_argument(
        "--trusted-network", action="store_true", help="work without TLS: everybody on the network is trusted"
    )


def port(text: str) -> int:
    number = int(text) if text.isdecimal() else -1
    if not 0 <= number <= 65_535:
        raise argparse.ArgumentTypeError(f"a port is between 0 and 65535, found {text}")
    return number


if __name__ == "__main__":
    from heddle.cli.program import main as program

    sys.exit(program())
