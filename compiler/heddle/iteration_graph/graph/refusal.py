"""How a graph or a command says no; ``schedule.apply`` turns it into a diagnostic with a place."""

from __future__ import annotations

from heddle.advice import Advice, UseOther, WriteInstead
from heddle.diagnostics import Fix


class Refusal(Exception):  # noqa: N818 - it is an answer, not a defect
    """A command cannot be applied here. ``argument`` names the parameter at fault (None: the whole command); where the
    schedule as a whole is refused, ``command`` is the number of the command at fault. ``advice`` is what would help,
    beginning with a ``replacement`` of the argument at fault and with the commands ``instead`` of the one at fault.
    ``unscheduled`` is the code where no command is at fault, if that is another one."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        argument: str | None = None,
        expected: str | None = None,
        actual: str | None = None,
        candidates: tuple[str, ...] = (),
        hint: str | None = None,
        fixes: tuple[Fix, ...] = (),
        replacement: str | None = None,
        instead: tuple[str, ...] = (),
        advice: tuple[Advice, ...] = (),
        command: int | None = None,
        unscheduled: str | None = None,
    ) -> None:
        super().__init__(message)
        self.unscheduled = unscheduled or code
        self.code, self.message, self.argument = code, message, argument
        self.expected, self.actual, self.candidates = expected, actual, candidates
        self.hint, self.fixes, self.command = hint, fixes, command
        if instead:
            advice = (WriteInstead(instead), *advice)
        if replacement is not None and argument is not None:
            advice = (UseOther(argument, replacement), *advice)
        self.advice = advice
