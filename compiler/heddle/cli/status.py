"""How every command ends."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """The exit statuses of the program ``heddle``, as its help lists them."""

    DONE = 0
    REFUSED = 1
    """An input, a plan, a machine or a result is not as it should be; the message names it."""
    USAGE = 2
    """The command line itself says something that the command does not know."""
    INTERRUPTED = 130
    """Ctrl+C ended it."""


MEANINGS = {
    Status.DONE: "done",
    Status.REFUSED: "refused: an input, a plan or a result is not as it should be",
    Status.USAGE: "the command line is wrong",
    Status.INTERRUPTED: "interrupted by Ctrl+C",
}
