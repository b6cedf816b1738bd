"""How a graph or a command says no; ``schedule.apply`` turns it into a diagnostic with a place."""

from __future__ import annotations

from compiler.conversions import WantedOrder
from compiler.diagnostics import Fix


class Refusal(Exception):  # noqa: N818 - it is an answer, not a defect
    """A command cannot be applied here. ``argument`` names the parameter at fault (None: the whole command); where the
    schedule as a whole is refused, ``command`` is the number of the command at fault. A repair is a ``replacement`` of
    the argument, or the commands ``instead`` of the one at fault. ``wanted``: the conversions with which it could be
    applied."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        argument: str | None = None,
        expected: str | None = None,
        found: str | None = None,
        candidates: tuple[str, ...] = (),
        hint: str | None = None,
        fixes: tuple[Fix, ...] = (),
        replacement: str | None = None,
        instead: tuple[str, ...] = (),
        command: int | None = None,
        wanted: tuple[WantedOrder, ...] = (),
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.argument = code, message, argument
        self.expected, self.found, self.candidates = expected, found, candidates
        self.hint, self.fixes, self.replacement = hint, fixes, replacement
        self.instead = instead
        self.command, self.wanted = command, wanted
