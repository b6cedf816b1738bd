"""``heddle link plan.json``: the address at which an explorer shows a plan, or the frame that shows it in a page."""

from __future__ import annotations

import argparse
import json

from heddle.cli.parsing import CommandParser, add_common
from heddle.cli.read import LARGEST_PLAN
from heddle.cli.source import read_json
from heddle.cli.status import Status
from heddle.library.sharing import PANES, SERVER, embed_html, share
from heddle.plan import parse_plan


def link_parser() -> argparse.ArgumentParser:
    """Of the command ``link``."""
    parser = CommandParser(prog="heddle link", description="Leave a plan on an explorer, and print its address.")
    parser.add_argument("plan", help="the plan's JSON document; - reads it from the standard input")
    parser.add_argument("--server", metavar="URL", help=f"the explorer (default {SERVER})")
    parser.add_argument(
        "--folder", metavar="URL", help="a folder of heddle static in place of a server: nothing is sent"
    )
    parser.add_argument("--access-code", metavar="CODE", help="what the server asks of people who leave something")
    parser.add_argument(
        "--embed", nargs="?", const="iteration,code", metavar="PANES",
        help=f"print the frame for another page, with these panes: {','.join(PANES)}",
    )  # fmt: skip
    add_common(parser, json="the address")
    return parser


def print_link(options: argparse.Namespace) -> int:
    """Prints the address, or the frame.

    Raises
    ------
    SourceError
        For a file that cannot be read.
    CompileError
        For what is not a plan, and where no explorer takes it.
    """
    plan = parse_plan(read_json(options.plan, LARGEST_PLAN, "a plan"))
    place = {"server": options.server, "folder": options.folder, "access_code": options.access_code}
    if options.embed is None:
        text = share(plan, **place)
    else:
        text = embed_html(plan, panes=options.embed.split(","), **place)
    print(json.dumps({"html" if options.embed is not None else "url": text}) if options.json else text)
    return Status.DONE
