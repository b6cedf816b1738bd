"""``python -m heddle_server.openapi``: writes the API description that the front end's client is generated from, or
checks that the committed one is up to date (``--check``). An installation prints it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from heddle.cli.failures import end_command
from heddle.cli.output import printed_into
from heddle.cli.parsing import CommandParser
from heddle.cli.status import Status
from heddle_server.places import INSTALLED
from heddle_server.version import VERSION

COMMITTED = Path(__file__).resolve().parent / "openapi.json"


def document() -> str:
    """The description as JSON."""
    from heddle_server.main import create_app

    return json.dumps(create_app().openapi(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def openapi_parser() -> CommandParser:
    """Of the command ``openapi``."""
    parser = CommandParser(prog="heddle openapi", description="Write the description of the service's API.")
    parser.add_argument(
        "-o",
        "--output",
        default=None if INSTALLED else str(COMMITTED),
        help="where to write it, - for the standard output (default: %(default)s)",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the file is out of date")
    parser.add_argument("-q", "--quiet", action="store_true", help="it shows no progress anyway")
    parser.add_argument("--json", action="store_true", help="it prints JSON anyway")
    parser.add_argument("--version", action="version", version=f"heddle {VERSION}")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """One of :class:`heddle.cli.status.Status`."""
    options = openapi_parser().parse_args(arguments)

    def write() -> int:
        if options.check:
            return _check(options.output)
        with printed_into(options.output):
            print(document(), end="")
        return Status.DONE

    return end_command(write)


def _check(output: str | None) -> int:
    """Whether the file at ``output`` is what would be written."""
    path = Path(output) if output is not None else COMMITTED
    if path.is_file() and path.read_text(encoding="utf-8") == document():
        return Status.DONE
    print(f"heddle: {path} is out of date with the API. Run: python -m heddle_server.openapi", file=sys.stderr)
    return Status.REFUSED


if __name__ == "__main__":
    sys.exit(main())
