"""Command lines: what every parser of the program says and takes alike."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from heddle.cli.status import Status
from heddle.diagnostics import nearest
from heddle.version import VERSION

_ALIKE = 0.6
"""How close a word must be to the name of an option, dashes aside: --threads is not meant to be --help."""


class UsageError(ValueError):
    """A command line that says something that the command does not know; the text is a sentence."""


class CommandParser(argparse.ArgumentParser):
    """A parser whose mistakes are told in one line that begins with ``heddle:`` and names what was nearly written."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"allow_abbrev": False, **options})
        self.set_defaults(parser=self)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As ``ArgumentParser``, but what is not known is told by the command that was chosen."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            parser: CommandParser = options.parser
            parser.error(f"there is no option or argument {unknown[0]}{parser._alike(unknown[0])}")
        return options

    def error(self, message: str) -> NoReturn:
        """Prints the sentence, and where there is help."""
        program, _, command = self.prog.partition(" ")
        where = f"{command}: " if command else ""
        print(f"{program}: {where}{message}; {self.prog} --help says more", file=sys.stderr)
        raise SystemExit(Status.USAGE)

    def _print_message(self, message: str, file: Any = None) -> None:
        """As ``ArgumentParser``, which says nothing of a full disk."""
        if message:
            (file or sys.stderr).write(message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        choices = action.choices
        if choices is None or value in choices:
            return
        names = [str(choice) for choice in choices]
        alike = nearest(str(value), names, 1)
        meant = f"; did you mean {alike[0]}?" if alike else ""
        raise argparse.ArgumentError(action, f"expected one of {', '.join(names)}, found {value}{meant}")

    def _alike(self, word: str) -> str:
        names = [name.removeprefix("--") for name in self._option_string_actions if name.startswith("--")]
        alike = nearest(word.partition("=")[0].lstrip("-"), names, 1, _ALIKE) if word.startswith("-") else ()
        return f"; did you mean --{alike[0]}?" if alike else ""


def add_common(parser: argparse.ArgumentParser, *, json: str | None = None) -> None:
    """The options that every command has; ``json`` says what it prints as JSON, where it did not have that."""
    common = parser.add_argument_group("options of every command")
    common.add_argument("-o", "--output", metavar="FILE", help="write what is printed into FILE, once it is complete")
    common.add_argument("-q", "--quiet", action="store_true", help="no progress on the standard error")
    common.add_argument("--version", action="version", version=f"heddle {VERSION}")
    if json is not None:
        common.add_argument("--json", action="store_true", help=f"print {json} as JSON")


def words_of_options(parser: argparse.ArgumentParser) -> Sequence[str]:
    """What a shell can complete behind a command: its options, its actions and the choices of its arguments."""
    words: dict[str, None] = {}
    for action in parser._actions:
        words |= dict.fromkeys(option for option in action.option_strings if option.startswith("--"))
        if not action.option_strings and action.choices is not None:
            words |= dict.fromkeys(map(str, action.choices))
    return tuple(words)
