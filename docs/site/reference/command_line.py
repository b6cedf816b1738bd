"""The commands of the shell, as their parsers describe them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from unittest import mock

from heddle.cli.link import link_parser
from heddle.cli.main import compile_parser
from heddle.cli.program import REPOSITORY_COMMANDS
from heddle.cli.status import MEANINGS
from heddle_server import cli as service
from tools.__main__ import COMMANDS

HEAD = (
    """# Command line

In a checkout the program is called `./heddle` and sets up what a command needs. An installation has `heddle`, with the
same commands but those that work on the repository itself. What is printed goes into a file with `-o FILE`, which is
there once it is complete; `--quiet` leaves progress out, and `--json` prints JSON.

| exit status | meaning |
|---|---|
"""
    + "\n".join(f"| {status.value} | {meaning} |" for status, meaning in MEANINGS.items())
    + "\n"
)
WIDTH = "100"


def command_line() -> str:
    commands = {"compile": compile_parser(), "link": link_parser(), **dict(parsers(service.parser()))}
    lines = [HEAD]
    for name in COMMANDS:
        lines += [f"## {name}", ""]
        lines += [described(commands[name])] if name in commands else [COMMANDS[name].summary.capitalize() + ".", ""]
        if name in REPOSITORY_COMMANDS:
            lines += ["Only in a checkout.", ""]
    return "\n".join(lines)


def parsers(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def described(parser: argparse.ArgumentParser) -> str:
    """With those of its own commands."""
    with mock.patch.dict(os.environ, COLUMNS=WIDTH):
        texts = [parser.format_help(), *(inner.format_help() for _, inner in parsers(parser))]
    return "\n".join(f"```text\n{text.strip()}\n```\n" for text in texts)
