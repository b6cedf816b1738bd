"""Codes of classes that are tried in vain: whoever has tried many learns no more of whether there are classes."""

from __future__ import annotations

from heddle_server.http.asker import Asker
from heddle_server.problem import too_many
from heddle_server.services.allowance import Allowance

# What typing mistakes need. A page whose class was deleted asks each second.
GUESSES_AT_ONCE, GUESSES_PER_SECOND = 60, 1.0


class CodeGuesses:
    """Counts the codes that are none, for all routes that take a code."""

    def __init__(self, quota_factor: float) -> None:
        self._allowance = Allowance(GUESSES_AT_ONCE, GUESSES_PER_SECOND, quota_factor)

    def require(self, who: Asker) -> None:
        """Raises ProblemError for whoever has tried too many."""
        if (seconds := self._allowance.wait(who, 1)) > 0:
            detail = "As many codes have been tried in vain from here lately as this server allows. Try again later."
            raise too_many("too-many-codes", "Too many codes that are none", detail, seconds)

    def count(self, who: Asker) -> None:
        """One more that is none. Raises ProblemError as :meth:`require` does."""
        self.require(who)
        self._allowance.use(who, 1)
