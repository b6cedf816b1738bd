"""The command line of tables whose rows have names: one option chooses among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from heddle.cli.parsing import CommandParser


class Named(Protocol):
    @property
    def name(self) -> str: ...


Row = TypeVar("Row", bound=Named)


def choose_rows(
    command: str, description: str | None, option: str, rows: Sequence[Row], arguments: list[str]
) -> list[Row]:
    """Those whose names contain the text of ``option``; all of them without it."""
    parser = CommandParser(prog=f"heddle bench {command}", description=description)
    parser.add_argument(
        option, dest="text", metavar="TEXT", default="", help="only those whose names contain this text"
    )
    text = parser.parse_args(arguments).text
    return [row for row in rows if text in row.name]
